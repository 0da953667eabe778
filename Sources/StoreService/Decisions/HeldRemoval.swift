import ParseModel
import SyncModel

/// A removal of local objects that waits for a user's decision, for one of the reasons in `RemovalReason`. Until then
/// the objects stay.
package struct HeldRemoval: Sendable {
    package let id: Int64
    package let className: String
    package let reason: RemovalReason
    /// Ids of objects that are missing on the remote.
    package let objectIds: [String]
    /// Ids of objects that the remote has in an older state.
    package let olderIds: [String]
    /// The number of objects of the class that the remote was known to have when the latest object was added to this
    /// removal.
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
