import ParseModel
import RemoteService
import SyncModel

/// Converts an outbox entry (a pending change) to the operation that is sent. Has no side effects.
struct OperationForm {
    let options: ClassOptions
    /// The field for operation ids, the ids of executed changes; nil for none.
    let opField: String?
    let operationIds: OperationIds
    /// The old remote row of an object that is created again, if this row still exists, marked as deleted. Nil otherwise.
    let markedRow: RemoteRecord?

    /// The operation to send for an entry.
    /// - Parameters:
    ///   - sendsObjectId: whether a create is sent with the object's id. Otherwise the remote chooses the id.
    ///   - wasAttempted: whether the step was sent before the current attempt. `entry` already counts the current attempt.
    func operation(_ entry: OutboxEntry, sendsObjectId: Bool, wasAttempted: Bool) -> PushOperation {
        var step = entry.step
        if step.kind == .delete, let deletedField = options.deletedField {
            step.kind = .update
            step.operations[deletedField] = .set(true)
        } else if let opField {
            step.operations = operationIds.marked(entry, in: opField)
        }
        var base = entry.base.map {
            RemoteRecord(className: entry.className, objectId: entry.objectId, state: $0)
        }
        var kind: PushOperation.Kind =
            switch step.kind {
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
        // If the object's old row still exists, the create is sent as an update of this row, which resets the `deletedField`.
        if kind == .create, let row = markedRow, let deletedField = options.deletedField {
            kind = .update
            base = row
            step.operations[deletedField] = .set(false)
        }
        let merged = Replay.view(base: entry.base, steps: [step], className: entry.className)
        return PushOperation(
            kind: kind, className: entry.className, objectId: entry.objectId, operations: step.operations,
            sendsObjectId: sendsObjectId && kind == .create, base: base, merged: merged?.fields,
            wasAttempted: wasAttempted, requestId: entry.requestId)
    }
}
