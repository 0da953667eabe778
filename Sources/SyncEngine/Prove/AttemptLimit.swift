import ParseModel
import RemoteService
import SyncModel

/// Decides when a change that fails repeatedly becomes a rejection. Has no side effects.
///
/// A change counts as the cause of its failures if the remote executes other changes meanwhile, or has reported an
/// error code for the change. Only such a change is rejected, after `attemptsMax` attempts. If several changes fail
/// with error codes while the remote executes none, the server is the likely cause, and the limit is up to `factorMax`
/// times as high.
struct AttemptLimit: Sendable, Hashable {
    /// The maximum factor for `attemptsMax`. While several changes fail and the remote executes no others, the factor is the
    /// number of failing changes.
    private static let factorMax = 4

    /// The number of attempts after which a change that causes its own failures becomes a rejection. `limit` multiplies
    /// this number by a factor while several changes fail and the remote executes no others.
    let attemptsMax: Int
    /// Whether the remote has executed other changes in this or the previous sync.
    var takesOthers: Bool
    /// The number of changes of unknown outcome for which the remote has reported an error code.
    var failingCount: Int

    /// Turns `.sendAgain` into a rejection if the change causes its own failures and its attempts are used up. Returns
    /// every other settlement unchanged.
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
