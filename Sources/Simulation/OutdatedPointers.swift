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

    /// The entry with its pointer field as noted last; the unchanged entry if no such pointer was noted.
    func restored(_ entry: OutboxEntry) -> OutboxEntry {
        let field = ServerHistory.pointerField
        guard let outdated = waiting.withLock({ $0[entry.id]?[field] }), entry.step.operations[field] != nil else {
            return entry
        }
        var operations = entry.step.operations
        operations[field] = outdated
        return entry.sending(operations)
    }
}

extension OutboxEntry {
    /// The entry with other operations.
    func sending(_ operations: FieldOperations) -> OutboxEntry {
        var step = step
        step.operations = operations
        return OutboxEntry(
            id: id, className: className, objectId: objectId, step: step, requestId: requestId, attempts: attempts,
            attemptedAt: attemptedAt, unansweredAt: unansweredAt, base: base, awaits: awaits,
            isFollowedByDelete: isFollowedByDelete, mayBeInvisible: mayBeInvisible, isUnshown: isUnshown,
            markedIn: markedIn, failure: failure, ownMarks: ownMarks)
    }
}
