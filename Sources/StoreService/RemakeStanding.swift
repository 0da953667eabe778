import ParseModel
import SyncModel

/// What the store knows about deleted objects of one class that are to be created on the remote again. Another replica may
/// have done so already.
package struct RemakeStanding: Sendable, Hashable {
    /// The remote's last known states of the objects, by the id of the outbox entry.
    package var ancestors: [Int64: ObjectState] = [:]
    /// Objects of the class that were created on the remote since the earliest time of `since(_:)`, newest first. Objects that
    /// this gateway created under another id are left out.
    package var known: [RemoteRecord] = []

    package init() {}

    /// The earliest time at which another replica may have created the object of the entry again.
    package func since(_ entry: OutboxEntry) -> ParseDate { ancestors[entry.id]?.updatedAt ?? entry.step.madeAt }
}
