import ParseModel
import SyncModel
import Synchronization

/// For the break `Sabotage.pointersOutdated`: remembers the pointers of waiting steps, and lets the replica send them although
/// the remote has given their targets other ids.
final class OutdatedPointers: Sendable {
    private let waiting = Mutex<[Int64: FieldOperations]>([:])

    /// Remembers the operations of a step that waits until a pointer's target exists on the remote. Ignores other steps.
    func note(_ entry: OutboxEntry) {
        if !entry.awaits.isEmpty { waiting.withLock { $0[entry.id] = entry.step.operations } }
    }

    /// The entry with the remembered pointer. Returns the entry unchanged if no pointer is remembered, or if the entry sets no
    /// pointer.
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
    /// A copy of the entry, with the given operations in its step.
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
