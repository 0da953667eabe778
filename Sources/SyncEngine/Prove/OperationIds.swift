import ParseModel
import RemoteService
import SyncModel

/// Adds operation ids (ids of single changes) to requests, and finds them in rows. An operation id in the `opField` of
/// a row proves that the change was executed. Has no side effects.
///
/// A create adds its operation id to an array field in the same write, and so does an update that is not idempotent. A
/// later request removes the id. In a text field, only updates that are not idempotent leave their id, and the id of a
/// later request replaces it.
struct OperationIds: Sendable {
    /// The id of this replica. Its operation ids begin with it. The replica removes only its own operation ids.
    let replicaId: String
    /// The way in which the remote keeps operation ids of the class: in an array, in a text, or not at all.
    var form = RemoteCapabilities.OperationIdForm.list
    /// The number of old operation ids (ids of executed changes) in an object from which a separate request removes
    /// them.
    static let ownMax = 8

    /// The operation id of an outbox entry: a unique id of the change, the same for all attempts to send it.
    func id(of entry: OutboxEntry) -> String { OutboxEntry.mark(replicaId: replicaId, seq: entry.id) }

    /// The operations to send for a change. If necessary, one operation on the `opField` is added: it adds the change's
    /// operation id, or removes old operation ids of this replica. Nothing is added if the client itself writes the
    /// field.
    func marked(_ entry: OutboxEntry, in opField: String) -> FieldOperations {
        var operations = entry.step.operations
        guard operations[opField] == nil else { return operations }
        if marks(entry, in: opField) {
            let id = JSONValue.string(id(of: entry))
            operations[opField] = form == .text ? .set(id) : .addUnique([id])
        } else if form == .list, entry.step.kind == .update, !entry.ownMarks.isEmpty {
            operations[opField] = .remove(entry.ownMarks.map(JSONValue.string))
        }
        return operations
    }

    /// Whether the request for a change adds the change's operation id to the field. Creates do, and updates that are
    /// not idempotent. No id is added if the client itself writes the field.
    func marks(_ entry: OutboxEntry, in opField: String) -> Bool {
        needsMark(entry) && entry.step.operations[opField] == nil
    }

    /// A separate operation that removes this replica's old operation ids (ids of executed changes) from the object.
    /// Nil for a create, a deletion or an idempotent update, and for an object with fewer than `ownMax` of these ids.
    /// - Parameter requestId: a new request id. A server with request deduplication would refuse a second request with the
    ///   entry's request id.
    func cleanup(_ entry: OutboxEntry, in opField: String, requestId: String) -> PushOperation? {
        guard form == .list, entry.step.kind == .update, needsMark(entry), entry.ownMarks.count >= Self.ownMax else {
            return nil
        }
        var operations = FieldOperations()
        operations[opField] = .remove(entry.ownMarks.map(JSONValue.string))
        let step = PendingStep(
            kind: .update, by: entry.step.author, operations: operations, madeAt: entry.step.madeAt)
        let merged = Replay.view(base: entry.base, steps: [step], className: entry.className)
        return PushOperation(
            kind: .update, className: entry.className, objectId: entry.objectId, operations: operations,
            sendsObjectId: false,
            base: entry.base.map {
                RemoteRecord(className: entry.className, objectId: entry.objectId, state: $0)
            }, merged: merged?.fields, wasAttempted: false, requestId: requestId)
    }

    /// Whether the row has the operation id of the change, which proves that the request for it was executed.
    func prove(_ entry: OutboxEntry, in opField: String, of record: RemoteRecord) -> Bool {
        let id = JSONValue.string(id(of: entry))
        return record.fields[opField] == id || record.fields[opField]?.array?.contains(id) == true
    }

    /// Whether the row has the operation id of the change. Nil if the latest request for the change left none, or if
    /// another request may have replaced the id.
    func mark(of entry: OutboxEntry, in record: RemoteRecord) -> Bool? {
        guard let field = entry.markedIn else { return nil }
        let isProven = prove(entry, in: field, of: record)
        return isProven || form == .list ? isProven : nil
    }

    /// The entry's create, with the facts that show whether it has produced a remote row.
    func sentCreate(_ entry: OutboxEntry) -> SentCreate {
        SentCreate(
            className: entry.className, step: entry.step, attemptedAt: entry.attemptedAt,
            mark: entry.markedIn.map { SentCreate.Mark(field: $0, id: id(of: entry)) })
    }

    private func needsMark(_ entry: OutboxEntry) -> Bool {
        switch entry.step.kind {
        case .create: form == .list
        case .update: !entry.step.operations.isIdempotent
        case .delete: false
        }
    }
}

extension OperationIds {
    /// The operation ids of this replica in the requests and rows of one class.
    init(_ context: SyncContext, _ className: String) {
        self.init(
            replicaId: context.options.replicaId, form: context.remote.capabilities(of: className).operationIds)
    }
}
