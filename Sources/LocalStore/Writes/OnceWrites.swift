import ParseModel
import StoreService
import SyncModel

/// Applies writes in a replica that go to the remote at once or nowhere: an event adds the change to the outbox, and
/// the same transaction marks it as in flight. A write that is based on an earlier state of the object is refused,
/// whatever the policy of the class: the change would be queued by a conflict.
struct OnceWrites: WriteWay {
    private let transaction: StoreTransaction
    private let queued: ReplicaWrites
    private var seen: SeenStates { SeenStates(transaction: transaction) }

    init(_ transaction: StoreTransaction) {
        self.transaction = transaction
        queued = ReplicaWrites(transaction)
    }

    func accounts(for className: String) -> AccountWrites? { queued.accounts(for: className) }
    func times(in body: JSONObject) -> (created: ParseDate, updated: ParseDate) { queued.times(in: body) }
    func acceptsChosenIds() throws -> Bool { try queued.acceptsChosenIds() }
    func addressing(_ file: FileReference) -> FileReference { queued.addressing(file) }
    func schema(of className: String) throws -> ClassSchema? { try queued.schema(of: className) }

    func checkFields(of body: JSONObject, className: String) throws {
        try queued.checkFields(of: body, className: className)
    }

    func addFields(of write: SchemaCheck.Checked, className: String, creates: Bool) -> SchemaAdditions {
        queued.addFields(of: write, className: className, creates: creates)
    }

    func installation(
        of body: WriteBody, updating objectId: String?, named: String?, _ terms: WriteTerms
    ) throws -> String? {
        try queued.installation(of: body, updating: objectId, named: named, terms)
    }

    func create(
        _ object: inout LocalObject, _ operations: FieldOperations, making view: ObjectState, hasChosenId: Bool
    ) throws {
        try begin(.create, operations, hasChosenId: hasChosenId, &object)
    }

    func update(
        _ object: inout LocalObject, from view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        shown: JSONObject, _ terms: WriteTerms, _ access: WriteAccess
    ) throws -> [String] {
        guard try seen.staleUpdate(of: object, view, operations, making: fields, terms) == nil else {
            throw try seen.staleError(object, view)
        }
        try begin(.update, operations, &object)
        return []
    }

    func delete(_ object: inout LocalObject, from view: ObjectState, _ terms: WriteTerms) throws {
        guard try seen.staleDeletion(of: object, view, terms) == nil else { throw try seen.staleError(object, view) }
        try begin(.delete, FieldOperations(), &object)
    }

    func deleteDamaged(
        _ className: String, _ objectId: String, _ access: WriteAccess, orThrow error: any Error
    ) throws {
        throw error
    }

    private func begin(
        _ kind: PendingStep.Kind, _ operations: FieldOperations, hasChosenId: Bool = false,
        _ object: inout LocalObject
    ) throws {
        do {
            try transaction.receive(.begunOnce(kind, operations, hasChosenId: hasChosenId), &object)
        } catch LifeError.hasPendingChanges {
            throw StoreError.notPossible(
                reason:
                    "\(object.life.className) \(object.life.objectId) has a change that the remote has not taken yet, "
                    + "so this change cannot go to the remote alone.")
        }
    }
}
