import ParseModel
import RemoteService
import SyncModel

/// When a change that the remote fails over again and again becomes a rejection. Pure.
///
/// The change is to blame if the remote carries out others meanwhile, or itself reports a failure. If it carries out nothing and
/// reports nothing, the change waits. Several changes that fail together point to the server, so they get more attempts.
struct AttemptLimit: Sendable, Hashable {
    /// The most that the attempts are multiplied by while several changes fail together.
    private static let factorMax = 4

    let attemptsMax: Int
    /// The remote has carried out other changes in this sync or in the one before.
    var takesOthers: Bool
    /// How many waiting changes the remote has reported a failure for.
    var failingCount: Int

    /// - Returns: a rejection in place of `.sendAgain` once the attempts are used up.
    func limit(_ settlement: Settlement, of entry: OutboxEntry) -> Settlement {
        guard settlement == .sendAgain, takesOthers || entry.failure != nil else { return settlement }
        let factor = takesOthers ? 1 : min(max(1, failingCount), Self.factorMax)
        guard entry.attempts >= attemptsMax * factor else { return settlement }
        return .rejected(
            code: entry.failure?.code ?? ParseError.Code.internalServerError.rawValue,
            message: entry.failure?.message ?? "The remote failed \(entry.attempts) times to carry this out.",
            wasAttempted: entry.step.kind == .create)
    }
}
