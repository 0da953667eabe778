import ParseModel
import RemoteService
import SyncModel

/// Operation ids in the `opField` of an object. An id in the field proves that its operation was executed. Pure.
///
/// A request that is not idempotent adds its id to the field in the same write. A later request removes the id.
struct OperationIds: Sendable {
    /// The prefix of this replica's operation ids. Ids of other replicas are never removed.
    let replicaId: String
    /// The number of this replica's old ids in one object at which a separate request removes them.
    static let ownMax = 8

    /// The operation id of an entry. All attempts use one id.
    func id(of entry: OutboxEntry) -> String { OutboxEntry.mark(replicaId: replicaId, seq: entry.id) }

    /// The operations of the entry, with one more for the `opField`. It adds the operation id of the entry, or removes old ids
    /// from the object. None is added if neither is necessary, or if the client itself writes the field.
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

    /// Whether the request of the entry adds its operation id. Creates and updates that are not idempotent add it, unless the
    /// client itself writes the field.
    func marks(_ entry: OutboxEntry, in opField: String) -> Bool {
        needsMark(entry) && entry.step.operations[opField] == nil
    }

    /// A separate operation that removes this replica's old ids from the object. Only for an update that is not idempotent, of an
    /// object with at least `ownMax` old ids; nil otherwise.
    /// - Parameter requestId: a new request id. A server with request deduplication would refuse the request id of the entry.
    func cleanup(_ entry: OutboxEntry, in opField: String, requestId: String) -> PushOperation? {
        guard entry.step.kind == .update, needsMark(entry), entry.ownMarks.count >= Self.ownMax else { return nil }
        var operations = FieldOperations()
        operations[opField] = .remove(entry.ownMarks.map(JSONValue.string))
        let step = PendingStep(
            kind: .update, by: entry.step.identity, operations: operations, madeAt: entry.step.madeAt)
        let merged = Replay.view(base: entry.base, steps: [step], className: entry.className)
        return PushOperation(
            kind: .update, className: entry.className, objectId: entry.objectId, operations: operations,
            sendsObjectId: false,
            base: entry.base.map {
                RemoteRecord(className: entry.className, objectId: entry.objectId, state: $0)
            }, merged: merged?.fields, wasAttempted: false, requestId: requestId)
    }

    /// Whether the row has the operation id, which proves that the request of the entry was executed.
    func prove(_ entry: OutboxEntry, in opField: String, of record: RemoteRecord) -> Bool {
        record.fields[opField]?.array?.contains(.string(id(of: entry))) == true
    }

    /// Whether the row has the operation id of the entry; nil if the request did not add one.
    func mark(of entry: OutboxEntry, in record: RemoteRecord) -> Bool? {
        entry.markedIn.map { prove(entry, in: $0, of: record) }
    }

    /// The create in the form that is compared with a row.
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
