import ParseModel
import SyncModel

/// One change of one object, as the engine passes it to a remote. Each kind of remote sends the field operations, the
/// changed fields or the whole row.
package struct PushOperation: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case create, update, delete
        /// Restores a deleted object under its id, with the fields of `operations`. Only for a remote with `canUndelete`.
        case undelete
    }

    package let kind: Kind
    package let className: String
    package let objectId: String
    /// The field operations; empty for a delete.
    package let operations: FieldOperations
    /// Whether a create is sent with `objectId`. Otherwise the remote chooses the id.
    package let sendsObjectId: Bool
    /// The last known remote state of the object; nil if none is known.
    package let base: RemoteRecord?
    /// The fields of the object after the operation; nil for a delete.
    package let merged: JSONObject?
    /// Whether the change was sent before and may have been executed.
    package let wasAttempted: Bool
    /// The id of this attempt to send the change. A remote with request deduplication refuses an id that it has
    /// received before, even if the earlier attempt failed.
    package let requestId: String

    package init(
        kind: Kind, className: String, objectId: String, operations: FieldOperations, sendsObjectId: Bool,
        base: RemoteRecord?, merged: JSONObject?, wasAttempted: Bool, requestId: String
    ) {
        self.kind = kind
        self.className = className
        self.objectId = objectId
        self.operations = operations
        self.sendsObjectId = sendsObjectId
        self.base = base
        self.merged = merged
        self.wasAttempted = wasAttempted
        self.requestId = requestId
    }
}

/// The outcome of sending an operation.
package enum PushOutcome: Sendable, Hashable {
    case applied(Acknowledgement)
    /// The id of a create, or its value of a unique field, already exists on the remote.
    case duplicate(message: String)
    /// The object does not exist, or this gateway may not read or change it. `message` is the remote's text.
    case gone(message: String = "Object not found.")
    /// Not executed: the remote row has another version than the operation's `base`. The associated value is the
    /// current row; nil if the answer does not contain it.
    case conflict(RemoteRecord?)
    /// The remote refused the operation permanently and did not execute it.
    case refused(code: Int, message: String)
    /// The remote did not execute the operation now, and may execute it later, for example because a cache of the
    /// server was outdated.
    case refusedForNow(code: Int, message: String)
    /// Not executed because of invalid keys. All other operations will fail for the same reason.
    case unauthorized(message: String)
    /// Not executed because of invalid keys for the class. Operations of other classes may succeed.
    case classUnauthorized(message: String)
    /// Not executed. The operation may be sent again later. `after` is the delay that the remote demands; nil for none.
    case retry(after: Duration?, reason: String)
    /// Sent without a clear answer. The operation may have been executed, or may still be executed. `isInterrupted`: the
    /// connection broke or timed out. `code`: the remote's error code, if the remote reported that the operation failed.
    case unknown(reason: String, isInterrupted: Bool = false, code: Int? = nil)
}

extension PushOutcome {
    /// Whether the request is certainly no longer in flight, because it was clearly answered or never sent.
    package var isAnswer: Bool {
        if case .unknown = self { false } else { true }
    }

    /// Whether the outcome proves that the remote is reachable.
    package var isFromTheRemote: Bool {
        switch self {
        case .retry: false
        case .unknown(_, _, let code): code != nil
        case .applied, .duplicate, .gone, .conflict, .refused, .refusedForNow, .unauthorized, .classUnauthorized: true
        }
    }
}
