import ParseModel
import StoreService
import SyncModel

/// Applies writes in a replica: an event changes the object and adds the change to the outbox. A sync sends it to the
/// remote.
struct ReplicaWrites: WriteWay {
    private let transaction: StoreTransaction
    private var seen: SeenStates { SeenStates(transaction: transaction) }

    init(_ transaction: StoreTransaction) { self.transaction = transaction }

    func accounts(for className: String) -> AccountWrites? { nil }

    func times(in body: JSONObject) -> (created: ParseDate, updated: ParseDate) { (transaction.now, transaction.now) }

    func acceptsChosenIds() throws -> Bool { try Meta.value(of: "accepts_chosen_ids", in: transaction.db) != "0" }

    func checkFields(of body: JSONObject, className: String) throws {
        guard let field = try ClassTable(db: transaction.db).options(of: className).opField, body[field] != nil else {
            return
        }
        throw ParseError(.invalidFieldName, "\(field) holds the ids of operations, and cannot be written here.")
    }

    func schema(of className: String) throws -> ClassSchema? {
        try ClassSchema(inReplica: className, in: transaction.db)
    }

    /// Adds nothing: the remote adds new fields and defaults.
    func addFields(of write: SchemaCheck.Checked, className: String, creates: Bool) -> SchemaAdditions {
        SchemaAdditions()
    }

    /// Keeps the URL of a file, which may be the remote's. Removes a URL with another scheme than `http` or `https`.
    func addressing(_ file: FileReference) -> FileReference { file.withoutForeignScheme }

    /// Returns nil, because the remote finds the installation of a device.
    func installation(
        of body: WriteBody, updating objectId: String?, named: String?, _ terms: WriteTerms
    ) throws -> String? {
        if objectId == nil { try InstallationMatching(body, header: nil).checkNew() }
        return nil
    }

    func create(
        _ object: inout LocalObject, _ operations: FieldOperations, making view: ObjectState, hasChosenId: Bool
    ) throws {
        try transaction.receive(.created(operations, hasChosenId: hasChosenId), &object)
    }

    func update(
        _ object: inout LocalObject, from view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        shown: JSONObject, _ terms: WriteTerms, _ access: WriteAccess
    ) throws -> [String] {
        let stale = try seen.staleUpdate(of: object, view, operations, making: fields, terms)
        let outcome = try transaction.receive(.edited(operations, stale: stale), &object)
        for case .fieldsIgnored(let fields) in outcome.effects { return fields }
        return []
    }

    func delete(_ object: inout LocalObject, from view: ObjectState, _ terms: WriteTerms) throws {
        let stale = try seen.staleDeletion(of: object, view, terms)
        guard stale == nil || object.life.state != .conflict else { throw try seen.staleError(object, view) }
        do {
            try transaction.receive(.deleted(stale: stale), &object)
        } catch LifeError.outcomeUnknown {
            throw try seen.staleError(object, view)
        }
    }

    func deleteDamaged(
        _ className: String, _ objectId: String, _ access: WriteAccess, orThrow error: any Error
    ) throws {
        throw error
    }
}
