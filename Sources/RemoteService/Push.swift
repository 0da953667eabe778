import ParseModel
import SyncModel

/// One change of one object on its way to the remote. The adapter picks the form that its remote takes:
/// field operations, a partial row or the whole row.
package struct PushOperation: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case create, update, delete
        /// Makes a deleted object live again, with these fields; only where the remote can.
        case undelete
    }

    package let kind: Kind
    package let className: String
    package let objectId: String
    /// The field operations; empty for a delete.
    package let operations: FieldOperations
    /// Whether a create may carry `objectId`; otherwise the remote chooses one.
    package let sendsObjectId: Bool
    /// The last state known from the remote; nil for a create.
    package let base: RemoteRecord?
    /// The object as it shall be; nil for a delete.
    package let merged: JSONObject?
    /// The request was sent before, with an outcome that is not known to be "nothing happened".
    package let wasAttempted: Bool
    /// Of this attempt: a remote that remembers ids refuses one that it has seen, whatever came of it.
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

/// What became of an operation.
package enum PushOutcome: Sendable, Hashable {
    case applied(Acknowledgement)
    /// A create whose id, or whose unique field, the remote has already.
    case duplicate(message: String)
    /// The object is not there, or is hidden from us, or may not be changed. `message`: the remote's own words.
    case gone(message: String = "Object not found.")
    /// The remote took another version of the row for the present one.
    case conflict(RemoteRecord?)
    /// Refused before execution, and for good.
    case refused(code: Int, message: String)
    /// Not executed, because of who we are; the same for every other operation.
    case unauthorized(message: String)
    /// Surely not executed; may be sent again.
    case retry(after: Duration?, reason: String)
    /// Sent, and no clear answer came: it may have been executed or may still be.
    /// `isInterrupted`: the connection broke, or no answer came in time. `code`: the remote itself answered that it failed
    /// over this operation, with this number.
    case unknown(reason: String, isInterrupted: Bool = false, code: Int? = nil)
}

extension PushOutcome {
    /// Whether the remote has said what became of the operation, so that nothing of it is on its way any more.
    package var isAnswer: Bool {
        if case .unknown = self { false } else { true }
    }

    /// Whether the remote itself has spoken, so that it can be reached.
    package var isFromTheRemote: Bool {
        switch self {
        case .retry: false
        case .unknown(_, _, let code): code != nil
        case .applied, .duplicate, .gone, .conflict, .refused, .unauthorized: true
        }
    }
}
