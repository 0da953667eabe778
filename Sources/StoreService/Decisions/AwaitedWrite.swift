import ParseModel
import SyncModel

/// A local write whose client waits until the remote has taken it.
package struct AwaitedWrite: Sendable, Hashable {
    package let className: String
    package let objectId: String
    package let kind: PendingStep.Kind
    /// The time of the write. Changes of the same author that are not later count as this write.
    package let writtenAt: ParseDate

    package init(className: String, objectId: String, kind: PendingStep.Kind, writtenAt: ParseDate) {
        self.className = className
        self.objectId = objectId
        self.kind = kind
        self.writtenAt = writtenAt
    }

    /// The write of a receipt.
    package init(_ write: WriteRequest, _ receipt: WriteReceipt) {
        let kind: PendingStep.Kind =
            switch write {
            case .create: receipt.hasUpdatedExisting ? .update : .create
            case .update: .update
            case .delete: .delete
            }
        self.init(
            className: write.className, objectId: receipt.objectId, kind: kind, writtenAt: receipt.updatedAt)
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
    /// No pending change is left.
    /// - Parameter isOnRemote: whether the remote is known to have the object.
    case nothing(isOnRemote: Bool)
}
