import ParseModel
import SyncModel

/// A removal of implausibly many objects, or one that a restored backup would explain. The objects stay until a user decides.
package struct HeldRemoval: Sendable {
    package let id: Int64
    package let className: String
    package let reason: RemovalReason
    /// Objects that the remote does not show.
    package let objectIds: [String]
    /// Objects that the remote shows in an older state.
    package let olderIds: [String]
    /// The number of the remote's known objects when the removal was found.
    package let total: Int
    package let foundAt: ParseDate

    package init(
        id: Int64, className: String, reason: RemovalReason, objectIds: [String], olderIds: [String], total: Int,
        foundAt: ParseDate
    ) {
        self.id = id
        self.className = className
        self.reason = reason
        self.objectIds = objectIds
        self.olderIds = olderIds
        self.total = total
        self.foundAt = foundAt
    }
}
