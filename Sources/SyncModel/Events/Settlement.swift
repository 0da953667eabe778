import ParseModel

/// The engine's decision about a pending change after a push, or after a read that was to prove the outcome.
package enum Settlement: Sendable, Hashable {
    /// Executed. The change becomes part of the base, the last known remote state. The base is provisional until a pull
    /// brings the row.
    case acknowledged(Acknowledgement)
    /// Executed, according to the object's remote row or its tombstone.
    case proven(RemoteRecord)
    /// The remote does not have the object, and the object is deleted locally. Nothing remains to be sent.
    case deletionDone
    /// Not executed. The change is pending again. `wasAttempted` tells whether an earlier attempt may have been
    /// executed. `code` is the error code of a temporary refusal. Only an attempt with a code counts as an attempt.
    case notExecuted(wasAttempted: Bool, error: String?, code: Int? = nil)
    /// The remote does not show the change, so the change is sent again. An earlier request can no longer arrive, or
    /// does no harm if it does.
    case sendAgain
    /// Not executed, or refused, and never sent again: the change is dropped. Only for a change that is sent at most
    /// once.
    case dropped
    /// A later local deletion of the object makes the outcome irrelevant. The associated value is the current row; nil
    /// if no row can be read.
    case moot(RemoteRecord?)
    /// Not sent, because another replica has created the object again. The associated value is the row of that replica's object.
    case recreatedElsewhere(RemoteRecord)
    /// The outcome is unknown. `at` is the server time at which the request ended; nil if the server time is unknown. `code` is
    /// the remote's error code; nil if the remote gave none.
    case unknown(reason: String, at: ParseDate? = nil, code: Int? = nil)
    /// Refused permanently. `wasAttempted` tells whether an earlier attempt may have been executed.
    case rejected(code: Int, message: String, wasAttempted: Bool = false)
    /// A user decides, because the outcome cannot be proven, or because another replica may have created the object
    /// again.
    /// - Parameter others: the ids of further remote objects that the create may have produced.
    case conflict(ConflictKind, remote: RemoteRecord?, others: [String] = [])
}
