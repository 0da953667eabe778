import ParseModel
import RemoteService
import SyncModel

/// The form in which an outbox entry is sent. Pure.
struct OperationForm {
    let options: ClassOptions
    /// The field for the id of the operation; nil for none.
    let opField: String?
    let operationIds: OperationIds
    /// The row that the remote keeps of an object that is made again, marked as deleted; nil for none.
    let markedRow: RemoteRecord?

    /// - Parameters:
    ///   - sendsObjectId: whether a create names its own id.
    ///   - wasAttempted: before this attempt. The entry itself has counted this one since it was frozen.
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
        // An object that is only marked as deleted keeps its row when it is made again.
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

extension FieldOperations {
    /// Whether the remote has to support arrays or objects to carry them out.
    var hasNestedValues: Bool {
        fields.contains { field in
            switch self[field] {
            // A date is one value, although Parse writes it as an object.
            case .set(.object(let object)): object["__type"] != "Date"
            case .set(.array), .add, .addUnique, .remove, .relation: true
            default: false
            }
        }
    }
}
