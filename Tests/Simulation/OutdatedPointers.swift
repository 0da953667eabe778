import ParseModel
import SyncModel
import Synchronization

/// Implements the deliberate bug `Sabotage.pointersOutdated`: remembers the pointers of changes that wait, and lets the
/// replica send them although the remote has given their targets other ids.
final class OutdatedPointers: Sendable {
    private let waiting = Mutex<[Int64: FieldOperations]>([:])

    /// Remembers the operations of a change that waits until the target of its pointer exists on the remote. Ignores
    /// other changes.
    func note(_ entry: OutboxEntry) {
        if !entry.awaits.isEmpty { waiting.withLock { $0[entry.id] = entry.step.operations } }
    }

    /// The outbox entry with the remembered pointer. Unchanged if no pointer is remembered, or if the entry sets no
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
    /// A copy of the outbox entry that sends the given operations.
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
