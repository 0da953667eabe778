import ParseModel
import RemoteService
import SyncModel

/// Operation ids in an object's `opField`: an operation whose id is present was executed. Pure.
///
/// A request that is not idempotent adds its id to the field in the same write. A later request removes the id again.
struct OperationIds: Sendable {
    /// The prefix of this replica's ids. Only those are removed.
    let replicaId: String
    /// The number of old ids on an object that triggers a separate request to remove them.
    static let ownMax = 8

    /// The operation id, which all attempts of a step share.
    func id(of entry: OutboxEntry) -> String { OutboxEntry.mark(replicaId: replicaId, seq: entry.id) }

    /// The operations of the entry with its operation id added.
    func marked(_ entry: OutboxEntry, in opField: String) -> FieldOperations {
        var operations = entry.step.operations
        guard operations[opField] == nil else { return operations }
        if marks(entry, in: opField) {
            operations[opField] = .addUnique([.string(id(of: entry))])
        } else if entry.step.kind == .update, !entry.ownMarks.isEmpty {
            operations[opField] = .remove(entry.ownMarks.map(JSONValue.string))
        }
        return operations
    }

    /// Whether the entry's request adds its id. It does not if the client itself writes the field.
    func marks(_ entry: OutboxEntry, in opField: String) -> Bool {
        needsMark(entry) && entry.step.operations[opField] == nil
    }

    /// An operation that removes old ids; nil while there are few of them.
    /// - Parameter requestId: a separate request id, because a server with request deduplication would refuse a repeated one.
    func cleanup(_ entry: OutboxEntry, in opField: String, requestId: String) -> PushOperation? {
        guard entry.step.kind == .update, needsMark(entry), entry.ownMarks.count >= Self.ownMax else { return nil }
        var operations = FieldOperations()
        operations[opField] = .remove(entry.ownMarks.map(JSONValue.string))
        let step = PendingStep(kind: .update, operations: operations, madeAt: entry.step.madeAt)
        let merged = Replay.view(base: entry.base, steps: [step], className: entry.className)
        return PushOperation(
            kind: .update, className: entry.className, objectId: entry.objectId, operations: operations,
            sendsObjectId: false,
            base: entry.base.map {
                RemoteRecord(className: entry.className, objectId: entry.objectId, state: $0)
            }, merged: merged?.fields, wasAttempted: false, requestId: requestId)
    }

    /// Whether the row proves that the entry's request was executed.
    func prove(_ entry: OutboxEntry, in opField: String, of record: RemoteRecord) -> Bool {
        record.fields[opField]?.array?.contains(.string(id(of: entry))) == true
    }

    /// Whether the row has the entry's operation id; nil if the request added none.
    func mark(of entry: OutboxEntry, in record: RemoteRecord) -> Bool? {
        entry.markedIn.map { prove(entry, in: $0, of: record) }
    }

    /// The create in the form for comparing it with a row.
    func sentCreate(_ entry: OutboxEntry) -> SentCreate {
        SentCreate(
            className: entry.className, step: entry.step, attemptedAt: entry.attemptedAt,
            mark: entry.markedIn.map { SentCreate.Mark(field: $0, id: id(of: entry)) })
    }

    private func needsMark(_ entry: OutboxEntry) -> Bool {
        switch entry.step.kind {
        case .create: true
        case .update: !entry.step.operations.isIdempotent
        case .delete: false
        }
    }
}
