import ParseModel
import SyncModel

/// What is known of objects of one class that are to be created again on the remote.
package struct RemakeStanding: Sendable, Hashable {
    /// The remote's last known states of the objects, by the id of the entry.
    package var ancestors: [Int64: ObjectState] = [:]
    /// Objects of the class that the remote created since and that were not created here, newest first.
    package var known: [RemoteRecord] = []

    package init() {}

    /// The time since which another replica may have created the object again.
    package func since(_ entry: OutboxEntry) -> ParseDate { ancestors[entry.id]?.updatedAt ?? entry.step.madeAt }
}
