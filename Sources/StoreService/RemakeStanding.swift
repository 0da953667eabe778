import ParseModel
import SyncModel

/// The known facts about objects of one class that are to be created again on the remote.
package struct RemakeStanding: Sendable, Hashable {
    /// The remote's last known states of the objects, by the id of the entry.
    package var ancestors: [Int64: ObjectState] = [:]
    /// Objects of the class that other clients have created on the remote since, newest first.
    package var known: [RemoteRecord] = []

    package init() {}

    /// The time since which another replica may have created the object again.
    package func since(_ entry: OutboxEntry) -> ParseDate { ancestors[entry.id]?.updatedAt ?? entry.step.madeAt }
}
