import ParseModel
import SyncModel

/// What the store knows about deleted objects of one class that are to be created on the remote again. Another replica may
/// already have created some of these objects again.
package struct RemakeStanding: Sendable, Hashable {
    /// The remote's last known states of the objects, by the id of the outbox entry.
    package var ancestors: [Int64: ObjectState] = [:]
    /// The objects that another replica may have created in place of the deleted objects, newest first: objects that were created
    /// at or after the earliest `since(_:)` of the entries. Objects with an alias are left out.
    package var known: [RemoteRecord] = []

    package init() {}

    /// The earliest time at which another replica may have created the object of the entry again.
    package func since(_ entry: OutboxEntry) -> ParseDate { ancestors[entry.id]?.updatedAt ?? entry.step.madeAt }
}
