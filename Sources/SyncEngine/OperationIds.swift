import ParseModel
import RemoteService
import SyncModel

/// Ids of operations in an object's `opField`: what stands there has been carried out. Pure.
///
/// The request that raises a counter puts an id beside it, in one write of the remote; a later one takes it away again.
struct OperationIds: Sendable {
    /// The replica's own ids begin with this, so that it takes away no others.
    let replicaId: String
    /// After so many an object's old ids are taken away by a request of their own.
    static let ownMax = 8

    /// The same for every attempt at a step.
    func id(of entry: OutboxEntry) -> String { OutboxEntry.mark(replicaId: replicaId, seq: entry.id) }

    /// The operations as they go out.
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

    /// Whether the entry's request leaves its id behind. Who writes the field here themselves takes its meaning away.
    func marks(_ entry: OutboxEntry, in opField: String) -> Bool {
        needsMark(entry) && entry.step.operations[opField] == nil
    }

    /// An operation that takes old ids away; nil while there are few of them.
    /// - Parameter requestId: one of its own; a server that remembers such ids would refuse the next request.
    func tidying(_ entry: OutboxEntry, in opField: String, requestId: String) -> PushOperation? {
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

    /// Whether the row proves that the entry's request was carried out.
    func prove(_ entry: OutboxEntry, in opField: String, of record: RemoteRecord) -> Bool {
        record.fields[opField]?.array?.contains(.string(id(of: entry))) == true
    }

    /// The create as its row is judged by.
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
