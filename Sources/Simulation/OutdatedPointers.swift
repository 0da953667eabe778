import ParseModel
import SyncModel
import Synchronization

/// The pointers of waiting steps to objects that the remote has not created yet. The break `pointersOutdated` sends them
/// unchanged, although the remote has given the objects other ids.
final class OutdatedPointers: Sendable {
    private let waiting = Mutex<[Int64: FieldOperations]>([:])

    /// Notes the operations of a step that waits for the target of a pointer.
    func note(_ entry: OutboxEntry) {
        if !entry.awaits.isEmpty { waiting.withLock { $0[entry.id] = entry.step.operations } }
    }

    /// The entry with its pointers as first noted.
    func restored(_ entry: OutboxEntry) -> OutboxEntry {
        let field = ServerHistory.pointerField
        guard let outdated = waiting.withLock({ $0[entry.id]?[field] }), entry.step.operations[field] != nil else {
            return entry
        }
        var step = entry.step
        step.operations[field] = outdated
        return OutboxEntry(
            id: entry.id, className: entry.className, objectId: entry.objectId, step: step,
            requestId: entry.requestId, attempts: entry.attempts, attemptedAt: entry.attemptedAt,
            unansweredAt: entry.unansweredAt, base: entry.base, awaits: entry.awaits,
            isFollowedByDelete: entry.isFollowedByDelete, mayBeInvisible: entry.mayBeInvisible,
            isUnshown: entry.isUnshown, markedIn: entry.markedIn, failure: entry.failure, ownMarks: entry.ownMarks)
    }
}
