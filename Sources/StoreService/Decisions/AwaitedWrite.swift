import ParseModel
import SyncModel

/// A local write whose client waits until the remote has taken it.
package struct AwaitedWrite: Sendable, Hashable {
    package let className: String
    package let objectId: String
    package let kind: PendingStep.Kind
    /// The time of the write. Changes of the same author that are not later count as this write.
    package let writtenAt: ParseDate
    /// The fields that the write sets; empty for a deletion.
    package let fields: [String]

    /// The write of a receipt.
    package init(_ write: WriteRequest, _ receipt: WriteReceipt) {
        (className, objectId, writtenAt) = (write.className, receipt.objectId, receipt.updatedAt)
        switch write {
        case .create(_, let body, _):
            (kind, fields) = (receipt.hasUpdatedExisting ? .update : .create, body.members.map(\.key))
        case .update(_, _, let body, _): (kind, fields) = (.update, body.members.map(\.key))
        case .delete: (kind, fields) = (.delete, [])
        }
    }
}

/// What the store still has of a local write.
package enum WriteRemains: Sendable, Hashable {
    /// The write waits to be sent, or for the outcome of its request.
    case waiting
    /// The remote has refused the write. `id` is that of the rejection.
    case rejected(id: Int64, code: Int, message: String)
    /// The write is part of an open conflict.
    case inConflict(id: Int64)
    /// A conflict policy or a user has decided against the write, or a part of it. `id` is that of the resolved conflict.
    case overruled(id: Int64)
    /// No pending change is left.
    /// - Parameter isOnRemote: whether the remote is known to have the object.
    case nothing(isOnRemote: Bool)
}
