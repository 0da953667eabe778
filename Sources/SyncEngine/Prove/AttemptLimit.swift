import ParseModel
import RemoteService
import SyncModel

/// Decides when a change that fails repeatedly becomes a rejection. Pure.
///
/// The change is at fault if the remote executes other changes meanwhile, or answers with an error code. Without either, the
/// change keeps waiting. If several changes fail together, the server is the likely cause, so they get more attempts.
struct AttemptLimit: Sendable, Hashable {
    /// The largest factor on the number of attempts while several changes fail together.
    private static let factorMax = 4

    let attemptsMax: Int
    /// Whether the remote has executed other changes in this or the previous sync.
    var takesOthers: Bool
    /// The number of pending changes that the remote has reported an error for.
    var failingCount: Int

    /// - Returns: a rejection instead of `.sendAgain` once all attempts are used.
    func limit(_ settlement: Settlement, of entry: OutboxEntry) -> Settlement {
        guard settlement == .sendAgain, takesOthers || entry.failure != nil else { return settlement }
        let factor = takesOthers ? 1 : min(max(1, failingCount), Self.factorMax)
        guard entry.attempts >= attemptsMax * factor else { return settlement }
        return .rejected(
            code: entry.failure?.code ?? ParseError.Code.internalServerError.rawValue,
            message: entry.failure?.message ?? "The remote failed to execute this change \(entry.attempts) times.",
            wasAttempted: entry.step.kind == .create)
    }
}
