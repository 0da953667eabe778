import GRDB
import ParseModel
import StoreService
import SyncModel

/// Applies writes in a standalone store: changes the only copy of the object, and adds nothing to the outbox.
struct StandaloneWrites: WriteWay {
    private let transaction: StoreTransaction
    private var db: Database { transaction.db }
    private var seen: SeenStates { SeenStates(transaction: transaction) }

    init(_ transaction: StoreTransaction) { self.transaction = transaction }

    func accounts(for className: String) -> AccountWrites? {
        className == "_User" || className == "_Session" ? AccountWrites(transaction) : nil
    }

    /// The `createdAt` and `updatedAt` of a new object. As in Parse Server, a request with the maintenance key can set
    /// them, for imports.
    /// - Throws: `ParseError` 142 (validation failed) if `updatedAt` is before `createdAt`.
    func times(in body: JSONObject) throws(ParseError) -> (created: ParseDate, updated: ParseDate) {
        guard transaction.principal == .maintenance, let created = body["createdAt"].flatMap(ParseDate.init(_:)) else {
            return (transaction.now, transaction.now)
        }
        guard let updated = body["updatedAt"].flatMap(ParseDate.init(_:)) else { return (created, created) }
        guard updated >= created else {
            throw ParseError(.validationFailed, "updatedAt cannot occur before createdAt")
        }
        return (created, updated)
    }

    func acceptsChosenIds() -> Bool { true }

    func checkFields(of body: JSONObject, className: String) {}

    func schema(of className: String) throws -> ClassSchema? { try ClassSchema(stored: className, in: db) }

    /// As in Parse Server, adds the new fields of a write to the schema.
    func addFields(of write: SchemaCheck.Checked, className: String, creates: Bool) throws -> SchemaAdditions {
        guard let schema = write.schema else { return SchemaAdditions() }
        try schema.checkPlaces(in: write.operations)
        var additions = SchemaAdditions(
            defaults: creates ? schema.defaults(for: write.body) : [:], relations: schema.relations)
        let table = SchemaTable(db: db)
        for (field, type) in write.added {
            transaction.schemas.forget()
            try table.add(field, type.json, to: className)
            guard case .relation(let memberClass) = type else { continue }
            let value = RelationChange(memberClass: memberClass).fieldValue
            additions.relations[field] = value
            try table.show(relation: field, value, in: className)
            transaction.objects.removeAllAtCommit()
        }
        return additions
    }

    /// Removes the URL of a file. As in Parse Server, answers contain a URL that the server makes from the name of the file.
    func addressing(_ file: FileReference) -> FileReference { FileReference(name: file.name, url: nil) }

    func installation(
        of body: WriteBody, updating objectId: String?, named: String?, _ terms: WriteTerms
    ) throws -> String? {
        try Installations(transaction: transaction)
            .target(of: body, updating: objectId, named: named, header: terms.installationId)
    }

    func create(
        _ object: inout LocalObject, _ operations: FieldOperations, making view: ObjectState, hasChosenId: Bool
    ) throws {
        object.life.view = view
        try save(&object, changedBy: operations)
    }

    func update(
        _ object: inout LocalObject, from view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        shown: JSONObject, _ terms: WriteTerms, _ access: WriteAccess
    ) throws -> [String] {
        try seen.checkUpdate(of: object, view, operations, making: fields, terms, access)
        let updatedAt = terms.keepsUpdatedAt ? view.updatedAt : transaction.now
        object.life.view = ObjectState(createdAt: view.createdAt, updatedAt: updatedAt, fields: shown)
        try save(&object, changedBy: operations)
        return []
    }

    func delete(_ object: inout LocalObject, from view: ObjectState, _ terms: WriteTerms) throws {
        guard try seen.staleDeletion(of: object, view, terms) == nil else { throw try seen.staleError(object, view) }
        let accounts = AccountWrites(transaction)
        let sessions = try accounts.sessionsEnding(with: object.life.pointer)
        object.life.view = nil
        try save(&object, changedBy: nil)
        try accounts.didDelete(object.life.pointer, sessions: sessions)
    }

    func deleteDamaged(
        _ className: String, _ objectId: String, _ access: WriteAccess, orThrow error: any Error
    ) throws {
        guard var object = try LocalObject(damaged: className, objectId, in: db),
            try access.allowsWritingDamaged(transaction.acl(object.storedACL))
        else { throw access.notFound }
        try IndexTable(db: db).drop(of: className)
        try save(&object, changedBy: nil)
    }

    /// Saves an object and the members of its relations. For a role, records which users have gained or lost roles.
    /// - Parameter operations: the changes of the object's fields; nil for its deletion.
    private func save(_ object: inout LocalObject, changedBy operations: FieldOperations?) throws {
        let pointer = object.life.pointer
        let roles =
            pointer.className == "_Role"
            ? try RoleChange(pointer.objectId, operations, in: RightsChanges(transaction)) : nil
        if let operations { try RelationMembers(db: db).changeBase(of: pointer, by: operations) }
        try object.save(in: transaction)
        try roles?.finish()
    }
}
