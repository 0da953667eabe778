import ParseModel
import SyncModel

/// What the store knows about deleted objects of one class that are to be created on the remote again. Another replica may
/// have done so already.
package struct RemakeStanding: Sendable, Hashable {
    /// The remote's last known states of the objects, by the id of the outbox entry.
    package var ancestors: [Int64: ObjectState] = [:]
    /// Objects of the class that were created on the remote after the earliest of these states, and not by this gateway; newest first.
    package var known: [RemoteRecord] = []

    package init() {}

    /// The earliest time at which another replica may have created the object of the entry again.
    package func since(_ entry: OutboxEntry) -> ParseDate { ancestors[entry.id]?.updatedAt ?? entry.step.madeAt }
}
