import ParseModel

/// The engine's decision about an outbox entry after a push or a proof.
package enum Settlement: Sendable, Hashable {
    /// Executed. The base takes the change and stays provisional until the row is pulled.
    case acknowledged(Acknowledgement)
    /// Executed, according to the current remote row.
    case proven(RemoteRecord)
    /// The object is deleted on the remote, as intended.
    case deletionDone
    /// Not executed: the step is pending again, as if it had not been sent. `wasAttempted` tells whether an earlier
    /// attempt was sent.
    case notExecuted(wasAttempted: Bool, error: String?)
    /// Not visible on the remote: the step is sent again. An earlier request can no longer arrive, or does no harm if it does.
    case sendAgain
    /// A later local deletion of the object makes the outcome irrelevant. The associated value is the current row; nil if
    /// it cannot be read.
    case moot(RemoteRecord?)
    /// Not sent: another replica has created the object again. The associated value is its row.
    case recreatedElsewhere(RemoteRecord)
    /// The outcome is unknown. `at` is the server time at which the request ended; nil if the server time is unknown.
    /// `code` is the remote's error code, if it answered with one.
    case unknown(reason: String, at: ParseDate? = nil, code: Int? = nil)
    /// Refused permanently. `wasAttempted` tells whether an earlier attempt may have been executed.
    case rejected(code: Int, message: String, wasAttempted: Bool = false)
    /// No read can prove the outcome, so a user decides.
    /// - Parameter others: the ids of further candidates of a create.
    case conflict(ConflictKind, remote: RemoteRecord?, others: [String] = [])
}
