import ParseModel

/// The engine's decision about an outbox entry after a push or a proof.
package enum Settlement: Sendable, Hashable {
    /// Executed. The base takes the change and is provisional until the row is pulled.
    case acknowledged(Acknowledgement)
    /// Executed, according to the object's remote row or tombstone.
    case proven(RemoteRecord)
    /// The remote does not have the object, and the object is deleted locally. Nothing remains to be sent.
    case deletionDone
    /// Not executed. The step is pending again. `wasAttempted` tells whether an earlier attempt may have been executed. `code` is the
    /// error code of a temporary refusal; only such an attempt counts.
    case notExecuted(wasAttempted: Bool, error: String?, code: Int? = nil)
    /// The remote does not show the change, so the step is sent again. An earlier request cannot arrive any more, or is harmless.
    case sendAgain
    /// A later local deletion of the object makes the outcome irrelevant. The associated value is the current row; nil if no row
    /// can be read.
    case moot(RemoteRecord?)
    /// Not sent, because another replica has created the object again. The associated value is the row of that replica's object.
    case recreatedElsewhere(RemoteRecord)
    /// The outcome is unknown. `at` is the server time at which the request ended; nil if the server time is unknown. `code` is
    /// the remote's error code; nil if the remote gave none.
    case unknown(reason: String, at: ParseDate? = nil, code: Int? = nil)
    /// Refused permanently. `wasAttempted` tells whether an earlier attempt may have been executed.
    case rejected(code: Int, message: String, wasAttempted: Bool = false)
    /// A user decides, because the outcome cannot be proven, or because another replica may have created the object again.
    /// - Parameter others: the ids of further candidates of a create.
    case conflict(ConflictKind, remote: RemoteRecord?, others: [String] = [])
}
