import ParseModel
import RemoteService
import SyncModel

/// Adds operation ids to requests, and finds operation ids in rows. An operation id in the `opField` of a row proves that the
/// operation was executed. Pure.
///
/// A create adds its operation id to the field in the same write, and so does an update that is not idempotent. A later request
/// removes the id.
struct OperationIds: Sendable {
    /// The prefix of this replica's operation ids. Ids of other replicas are never removed.
    let replicaId: String
    /// The number of this replica's old ids in one object at which a separate request removes them.
    static let ownMax = 8

    /// The operation id of an entry. All attempts use one id.
    func id(of entry: OutboxEntry) -> String { OutboxEntry.mark(replicaId: replicaId, seq: entry.id) }

    /// The operations of the entry, and at most one more for the `opField`. This one adds the entry's operation id, or removes
    /// old ids. It is left out if neither is necessary, or if the client itself writes the field.
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

    /// Whether the entry's request adds the entry's operation id to the field. Creates add the id, and so do updates that are not
    /// idempotent. No id is added if the client itself writes the field.
    func marks(_ entry: OutboxEntry, in opField: String) -> Bool {
        needsMark(entry) && entry.step.operations[opField] == nil
    }

    /// A separate operation that removes this replica's old operation ids from the object. Returns nil for a create, a deletion
    /// or an idempotent update, and for an object with fewer than `ownMax` old operation ids.
    /// - Parameter requestId: a new request id. If both requests had the entry's request id, a server with request deduplication
    ///   would refuse one of them.
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

    /// The entry's create, in the form that is compared with a remote row.
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
