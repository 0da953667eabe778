import ParseModel
import SyncModel

/// What is known here of objects of one class that wait to be made again on the remote.
package struct RemakeStanding: Sendable, Hashable {
    /// The objects as the remote had them at last, by the id of the entry; none where that is not kept.
    package var ancestors: [Int64: ObjectState] = [:]
    /// Objects of the class that the remote has made since then and that were not made here, the newest first.
    package var known: [RemoteRecord] = []

    package init() {}

    /// Since when another replica may have made the object again.
    package func since(_ entry: OutboxEntry) -> ParseDate { ancestors[entry.id]?.updatedAt ?? entry.step.madeAt }
}
