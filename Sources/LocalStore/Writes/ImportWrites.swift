import GRDB
import ParseModel
import StoreService
import SyncModel

/// Writes the objects of an import with the checks, rights and effects of clients' writes.
struct ImportWrites {
    private let transaction: StoreTransaction
    private let writes: LocalWrites
    private let way: any WriteWay
    /// Whether a relation may lack its owner or its field, because the import may create them before it adds the members.
    private let isCheck: Bool
    /// Whether the principal may choose the ids of new objects.
    private let keepsIds: Bool

    private var db: Database { transaction.db }

    /// - Parameters:
    ///   - way: how this kind of store applies writes.
    ///   - repeatsIds: whether two of the objects have the same id. A check then stores the first one, so that the second one
    ///     counts as its change.
    init(
        _ transaction: StoreTransaction, _ way: any WriteWay.Type, keepsIds: Bool, isCheck: Bool, repeatsIds: Bool
    ) {
        self.transaction = transaction
        writes = LocalWrites(transaction, way, storesNew: !isCheck || repeatsIds)
        self.way = way.init(transaction)
        (self.isCheck, self.keepsIds) = (isCheck, keepsIds)
    }

    /// Imports objects in order, without a savepoint for each. Savepoints take 8% of the time of an import.
    /// - Parameter objects: each object with the prepared write that creates it.
    /// - Throws: the first refusal, too. The caller then undoes the transaction, and calls `performEach`.
    func performAll(
        _ objects: [PreparedImport]
    ) throws -> [Result<ImportOutcome, any Error>] {
        try objects.map { .success(try perform($0)) }
    }

    /// Imports objects in order, so that a refused object leaves the others.
    /// - Returns: one result for each object. The failures are refusals.
    func performEach(
        _ objects: [PreparedImport]
    ) throws -> [Result<ImportOutcome, any Error>] {
        try objects.map { prepared in
            do {
                return .success(try transaction.savepoint { try perform(prepared) })
            } catch {
                let refusal = StoreError.wrapping(error, operation: "import")
                guard db.isInsideTransaction, Self.isRefusal(refusal) else { throw refusal }
                return .failure(refusal)
            }
        }
    }

    private func perform(_ prepared: PreparedImport) throws -> ImportOutcome {
        let object = prepared.object
        if let join = RelationJoin(object.className) { return try add(object.fields, to: join) }
        let (objectId, outcome) = try writeNamed(object, prepared.create)
        guard let hash = object.passwordHash else { return outcome }
        return try setPassword(hash, of: objectId) && outcome == .unchanged ? .changed : outcome
    }

    /// Whether an error concerns one object. Other errors end the import.
    static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case is ParseError: true
        case let error as StoreError:
            switch error {
            case .damaged, .notFound, .notPossible, .stale, .gone: true
            default: false
            }
        default: false
        }
    }

    // MARK: Objects

    /// Writes an object. For a principal that may not choose ids, a new id and the id of an object that the principal
    /// may not read have the same error, which does not reveal whether the object exists.
    private func writeNamed(
        _ object: ImportedObject, _ create: PreparedWrite
    ) throws -> (objectId: String, outcome: ImportOutcome) {
        do {
            return try write(object, create)
        } catch let error as ParseError
            where error.code == .objectNotFound && !error.deniesWrite && !keepsIds && object.fields["objectId"] != nil
        {
            throw ParseError(
                .objectNotFound,
                "Object not found. New objects with chosen ids need the master key, --data, or --allow-custom-object-id."
            )
        }
    }

    private func write(
        _ object: ImportedObject, _ create: PreparedWrite
    ) throws -> (objectId: String, outcome: ImportOutcome) {
        let named = try object.fields["objectId"]?.string.map { try Named($0, of: object.className, in: db) }
        guard let named, let view = named.stored?.life.view else {
            // As for an object that the principal may not read, whose id must not be revealed.
            if object.fields["objectId"] != nil, !keepsIds { throw ParseError.objectNotFound }
            return (try writes.perform(create, isNew: named?.isNew == true).objectId, .made)
        }
        let objectId = named.objectId
        let fields = try changes(of: object, objectId, from: view)
        guard !fields.isEmpty else { return (objectId, .unchanged) }
        let update = WriteRequest.update(className: object.className, objectId: objectId, body: fields)
        _ = try writes.perform(
            PreparedWrite(update, fieldsMax: transaction.store.classFieldsMax, allowsAuthData: true))
        return (objectId, .changed)
    }

    /// Sets the hash of a user's password, and ends the user's sessions, as a new password does.
    /// - Returns: whether the user had another hash.
    private func setPassword(_ hash: String, of userId: String) throws -> Bool {
        let table = UserSecretTable(db: db)
        guard try table.secret(of: userId)?.hash != hash else { return false }
        try table.set(NewPassword(hash: hash), of: userId, now: transaction.now)
        try AccountWrites(transaction).end(SessionTable(db: db).sessions(of: userId))
        return true
    }

    /// The object in the store that an imported object names by its id.
    private struct Named {
        /// The present id of the object.
        let objectId: String
        let stored: LocalObject?
        /// Whether the store has no object with the id, which is no alias either.
        let isNew: Bool

        init(_ named: String, of className: String, in db: Database) throws {
            objectId = try Aliases(db: db).id(of: className, named)
            stored = try LocalObject(className, objectId, in: db)
            isNew = stored == nil && objectId == named
        }
    }

    /// The fields of an imported object that differ from those of the stored object with the same id.
    /// - Parameter view: the stored object, as clients see it.
    /// - Throws: the errors of an update of the stored object.
    private func changes(
        of imported: ImportedObject, _ objectId: String, from view: ObjectState
    ) throws -> JSONObject {
        let className = imported.className
        var fields = imported.fields
        fields.removeAll { ["objectId", "createdAt", "updatedAt"].contains($0) }
        let request = WriteRequest.update(className: className, objectId: objectId, body: fields)
        let access = try WriteAccess(
            of: request, transaction.rules(of: className), isEnforced: transaction.access.isEnforced)
        _ = try SeenStates(transaction: transaction).existing(className, objectId, WriteTerms(), access)
        let checked = try CheckedBody(fields, className: className, creates: false, allowsAuthData: true)
        let operations = try PresentNames(transaction: transaction)
            .resolve(try checked.operations(on: view.fields, className: className), of: className)
        let after = try operations.apply(to: view.fields, className: className)
        // Otherwise a writer could find out the value of a field that it may not read.
        let hidden = access.rules.hiddenFields(in: objectId) { view.fields }
        let changed = operations.fields.filter { field in
            hidden.contains(field) || !Self.isSame(after[field], view.fields[field])
        }
        let kept = Set(changed)
        fields.removeAll { name in !kept.contains(String(name.prefix { $0 != "." })) }
        return fields
    }

    /// Whether two values of a field are equal. The URLs of files do not count, because each gateway has its own.
    private static func isSame(_ a: JSONValue?, _ b: JSONValue?) -> Bool {
        guard a != b else { return true }
        guard let a, let b, !a.files.isEmpty else { return false }
        let withoutURL = { (file: FileReference) in FileReference(name: file.name, url: nil) }
        return a.replacingFiles(withoutURL) == b.replacingFiles(withoutURL)
    }

    // MARK: Relations

    /// Adds a member to a relation.
    /// - Parameter fields: `owningId` and `relatedId`, as in a join table of Parse Server.
    private func add(_ fields: JSONObject, to join: RelationJoin) throws -> ImportOutcome {
        guard let ownerId = fields["owningId"]?.string, let memberId = fields["relatedId"]?.string,
            !ownerId.isEmpty, !memberId.isEmpty
        else { throw ParseError(.invalidJSON, "A member of a relation needs owningId and relatedId.") }
        let (className, field) = (join.ownerClass, join.field)
        let type = try way.schema(of: className)?[field]?.type
        guard case .relation(let memberClass)? = type else {
            if isCheck, type == nil { return .changed }
            throw ParseError(.incorrectType, "\(className).\(field) is no relation here: import \(className) first.")
        }
        let present = Pointer(className: className, objectId: try Aliases(db: db).id(of: className, ownerId))
        let member = Pointer(className: memberClass, objectId: try Aliases(db: db).id(of: memberClass, memberId))
        if isCheck, try !ClassTable(db: db).holds(className, present.objectId) { return .changed }
        let isMember = try RelationMembers(db: db).showsMember(member, of: present, field)
        if isMember, transaction.principal.writesEverything { return .unchanged }
        let addition: JSONObject = ["__op": "AddRelation", "objects": [member.json]]
        var terms = WriteTerms()
        terms.keepsUpdatedAt = transaction.principal == .maintenance
        let update = WriteRequest.update(
            className: className, objectId: present.objectId, body: [field: .object(addition)], terms: terms)
        _ = try writes.perform(PreparedWrite(update, fieldsMax: transaction.store.classFieldsMax))
        return isMember ? .unchanged : .changed
    }
}
