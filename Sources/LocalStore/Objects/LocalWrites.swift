import GRDB
import ParseModel
import StoreService
import SyncModel

/// Performs the creates, updates and deletions of local clients.
struct LocalWrites {
    private let transaction: StoreTransaction
    private let schemas: SchemaCheck

    private var db: Database { transaction.db }
    private var now: ParseDate { transaction.now }
    private var isReplica: Bool { transaction.isReplica }
    private var seen: SeenStates { SeenStates(transaction: transaction) }
    private var values: ValueCheck { ValueCheck(transaction: transaction) }
    private var accounts: AccountWrites { AccountWrites(transaction) }
    private var names: PresentNames { PresentNames(transaction: transaction) }

    init(_ transaction: StoreTransaction) {
        self.transaction = transaction
        schemas = SchemaCheck(transaction)
    }

    /// Performs writes in order.
    /// - Parameter atomically: whether the first failure fails all writes. Otherwise each write succeeds or fails alone.
    func perform(_ writes: [PreparedWrite], atomically: Bool) throws -> [Result<WriteReceipt, any Error>] {
        // A single write needs no savepoint: if it throws, the writer undoes the whole call.
        if writes.count == 1 { return [.success(try perform(writes[0]))] }
        var results: [Result<WriteReceipt, any Error>] = []
        for write in writes {
            do {
                results.append(.success(try transaction.savepoint { try perform(write) }))
            } catch {
                guard !atomically, db.isInsideTransaction else { throw error }
                results.append(.failure(StoreError.wrapping(error, operation: "write")))
            }
        }
        return results
    }

    func perform(_ write: PreparedWrite) throws -> WriteReceipt {
        let access = try WriteAccess(
            of: write.request, transaction.rules(of: write.request.className), isEnforced: transaction.access.isEnforced
        )
        return switch write.request {
        case .create(let className, let body, let terms): try create(className, body, terms, write, access)
        case .update(let className, let objectId, let body, let terms):
            try update(className, objectId, body, terms, write, access)
        case .delete(let className, let objectId, let terms): try delete(className, objectId, terms, access)
        }
    }

    private func create(
        _ className: String, _ body: JSONObject, _ terms: WriteTerms, _ write: PreparedWrite, _ access: WriteAccess
    ) throws -> WriteReceipt {
        try ClassName.validate(className)
        let chosenId = try chosenId(in: body, className: className)
        let objectId = chosenId ?? transaction.environment.objectId()
        let times = try times(in: body)
        try refuseMarks(in: body, of: className)
        try schemas.checkFieldCount(body, className: className, present: [:])
        let checked = try write.body(body, className: className, creates: true)
        if let installation = try installation(of: checked.body, className, updating: nil, named: nil, terms) {
            return try updateInstallation(installation, body, terms, write)
        }
        let body = checked.body
        var operations = try names.resolve(
            try checked.operations(on: JSONObject(), className: className), of: className)
        try ClassTable(db: db).ensure(className)
        let additions = try schemas.check(operations, of: body, className: className, creates: true) {
            try access.checkAddingFields(to: nil)
        }
        for (field, value) in additions.defaults { operations[field] = .set(value) }
        operations = addressing(operations)
        let isAccount = accounts.concern(className)
        let pointer = Pointer(className: className, objectId: objectId)
        if isAccount { try accounts.complete(&operations, creating: pointer, terms.account) }
        let fields = try operations.apply(to: JSONObject(), className: className)
        try values.check(operations, making: fields, of: className)
        if className == "_Role", transaction.access.isEnforced { try RoleRules(db: db).checkCreate(fields) }
        var object = LocalObject(className: className, objectId: objectId)
        if isReplica {
            try transaction.receive(.created(operations, hasChosenId: chosenId != nil), &object)
        } else {
            object.life.view = ObjectState(
                createdAt: times.created, updatedAt: times.updated, fields: fields.showing(additions.relations))
            try saveChanging(&object, by: operations)
        }
        if isAccount { try accounts.finish(pointer, fields, operations, terms.account) }
        var echoed = body.echoed(from: fields)
        for (field, value) in additions.defaults { echoed[field] = value }
        return WriteReceipt(
            objectId: objectId, createdAt: times.created, updatedAt: times.updated,
            echoed: access.shown(echoed, of: object.life),
            mark: try seen.mark(of: object, terms, access))
    }

    /// The times of a new object. As in Parse Server, the maintenance key may give them, for imports.
    /// - Throws: `ParseError` 142 (validation failed) if the object would be older than its last update.
    private func times(in body: JSONObject) throws(ParseError) -> (created: ParseDate, updated: ParseDate) {
        guard transaction.principal == .maintenance, !isReplica,
            let created = body["createdAt"].flatMap(ParseDate.init(_:))
        else {
            return (now, now)
        }
        guard let updated = body["updatedAt"].flatMap(ParseDate.init(_:)) else { return (created, created) }
        guard updated >= created else {
            throw ParseError(.validationFailed, "updatedAt cannot occur before createdAt")
        }
        return (created, updated)
    }

    /// The id that a client has chosen for a new object; nil if it has chosen none. As in Parse Server, chosen ids are
    /// checked before the fields.
    private func chosenId(in body: JSONObject, className: String) throws -> String? {
        guard transaction.store.allowsChosenIds, try !isReplica || Meta.value(of: "accepts_chosen_ids", in: db) != "0"
        else {
            try ChosenId.refuse(in: body)
            return nil
        }
        guard let chosen = body["objectId"] else { return nil }
        guard let objectId = chosen.string, !objectId.isEmpty else {
            throw ParseError(.missingObjectId, "objectId must not be empty, null or undefined")
        }
        // In ACLs and permissions, such an id would stand for a role, for everybody or for a kind of user.
        guard className != "_User" || !AccessEntity.isReserved(objectId) else {
            throw ParseError(.operationForbidden, "Invalid object ID.")
        }
        // `/users/me` and `/sessions/me` would never reach an object with this id.
        guard objectId != "me" || !["_User", "_Session"].contains(className) else {
            throw ParseError(.operationForbidden, "Invalid object ID.")
        }
        guard objectId.utf8.count <= 256, objectId.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x2F && $0 != 0x7F }) else {
            throw ParseError(.invalidFieldName, "objectId is not usable in a path")
        }
        // An alias of another object also counts as a duplicate.
        guard try LocalObject(className, objectId, in: db) == nil,
            try Aliases(db: db).id(of: className, objectId) == objectId
        else {
            throw ParseError(
                .duplicateValue, "A duplicate value for a field with unique values was provided")
        }
        return objectId
    }

    /// The installation that a write concerns; nil for a new one, and for objects of other classes.
    private func installation(
        of body: WriteBody, _ className: String, updating objectId: String?, named: String?, _ terms: WriteTerms
    ) throws -> String? {
        guard className == "_Installation" else { return nil }
        guard !isReplica else {
            if objectId == nil { try InstallationMatching(body, header: nil).checkNew() }
            return nil
        }
        return try Installations(transaction: transaction)
            .target(of: body, updating: objectId, named: named, header: terms.installationId)
    }

    /// Performs the create of an installation whose device has one.
    private func updateInstallation(
        _ objectId: String, _ body: JSONObject, _ terms: WriteTerms, _ write: PreparedWrite
    ) throws -> WriteReceipt {
        let request = WriteRequest.update(className: "_Installation", objectId: objectId, body: body)
        let access = try WriteAccess(
            of: request, transaction.rules(of: request.className), isEnforced: transaction.access.isEnforced)
        var receipt = try update(
            "_Installation", objectId, body, WriteTerms(wantsMark: terms.wantsMark), write, access, isMatched: true)
        receipt.hasUpdatedExisting = true
        return receipt
    }

    /// - Parameter isMatched: whether the write was a create that concerns this installation.
    private func update(
        _ className: String, _ objectId: String, _ body: JSONObject, _ terms: WriteTerms, _ write: PreparedWrite,
        _ access: WriteAccess, isMatched: Bool = false
    ) throws -> WriteReceipt {
        var (object, view) = try seen.existing(className, objectId, terms, access)
        try refuseMarks(in: body, of: className)
        try schemas.checkFieldCount(body, className: className, present: view.fields)
        let checked = try write.body(body, className: className, creates: false)
        let named = body["objectId"]?.string
        let body = checked.body
        if className == "_Installation", !isMatched { try body.checkInstallation(view.fields) }
        if !isMatched,
            let other = try installation(of: body, className, updating: object.life.objectId, named: named, terms),
            other != object.life.objectId
        {
            (object, view) = try seen.existing(className, other, WriteTerms(), access)
        }
        var operations = try access.hidingTypes(of: object.life, view, writing: body) {
            try names.resolve(try checked.operations(on: view.fields, className: className), of: className)
        }
        operations = addressing(operations)
        let isAccount = accounts.concern(className)
        accounts.keepOwnRights(&operations, updating: object.life.pointer)
        if isAccount { try accounts.complete(&operations, updating: object.life.pointer, view.fields, terms.account) }
        let fields = try access.hidingTypes(of: object.life, view, writing: body) {
            try operations.apply(to: view.fields, className: className)
        }
        let additions = try schemas.check(operations, of: body, className: className, creates: false) {
            try access.checkAddingFields(to: (object.life.objectId, view))
        }
        try values.check(operations, making: fields, of: className)
        if className == "_Role" {
            try RoleRules.checkKept(body)
            if transaction.access.isEnforced { try RoleRules.checkUpdate(from: view.fields, to: fields) }
        }
        var left: [String] = []
        if isReplica {
            left = try seen.edit(&object, view, operations, making: fields, terms)
        } else {
            try seen.check(object, view, operations, making: fields, terms, access)
            object.life.view = ObjectState(
                createdAt: view.createdAt, updatedAt: now, fields: fields.showing(additions.relations))
            try saveChanging(&object, by: operations)
        }
        if isAccount { try accounts.finish(object.life.pointer, fields, operations, terms.account) }
        var echoed = body.echoed(from: fields)
        for field in left { echoed[field] = nil }
        return WriteReceipt(
            objectId: object.life.objectId, createdAt: view.createdAt, updatedAt: object.life.view?.updatedAt ?? now,
            echoed: access.shown(echoed, of: object.life), mark: try seen.mark(of: object, terms, access))
    }

    /// The operations with the addresses of files that the client may set. As in Parse Server, a file at the top level of a field has none:
    /// the gateway gives its own in answers. In a replica it may have one, because it is the remote's.
    private func addressing(_ operations: FieldOperations) -> FieldOperations {
        operations.replacingFieldFiles { [isReplica] file in
            isReplica ? file.withoutForeignScheme : FileReference(name: file.name, url: nil)
        }
    }

    private func delete(
        _ className: String, _ objectId: String, _ terms: WriteTerms, _ access: WriteAccess
    ) throws -> WriteReceipt {
        var object: LocalObject
        let view: ObjectState
        do {
            (object, view) = try seen.existing(className, objectId, terms, access)
        } catch StoreError.damaged(_, let id) where !isReplica && terms.isForAnyState {
            return try deleteDamaged(className, id, wantsMark: terms.wantsMark, access)
        }
        let stale = try seen.staleDeletion(of: object, view, terms)
        let sessions = try isReplica ? [] : accounts.sessionsEnding(with: object.life.pointer)
        if isReplica {
            do {
                try transaction.receive(.deleted(stale: stale), &object)
            } catch LifeError.outcomeUnknown {
                throw try seen.staleError(object, view)
            }
        } else {
            object.life.view = nil
            try saveChanging(&object, by: nil)
            try accounts.didDelete(object.life.pointer, sessions: sessions)
        }
        return WriteReceipt(
            objectId: object.life.objectId, createdAt: view.createdAt, updatedAt: now, echoed: JSONObject(),
            mark: try seen.mark(of: object, terms, access))
    }

    /// Saves an object of a standalone store, with the members of its relations.
    /// - Parameter operations: the changes of its fields; nil for its deletion.
    private func saveChanging(_ object: inout LocalObject, by operations: FieldOperations?) throws {
        let pointer = object.life.pointer
        let roles = pointer.className == "_Role" ? try RoleChange(pointer.objectId, operations, in: transaction) : nil
        if let operations { try RelationMembers(db: db, isReplica: false).changeBase(of: pointer, by: operations) }
        try object.save(in: transaction)
        try roles?.finish()
    }

    /// Deletes a damaged object of a standalone store without reading its fields.
    private func deleteDamaged(
        _ className: String, _ objectId: String, wantsMark: Bool, _ access: WriteAccess
    ) throws -> WriteReceipt {
        guard var object = try LocalObject(damaged: className, objectId, in: db),
            try access.allowsWritingDamaged(transaction.acl(object.storedACL))
        else { throw access.notFound }
        try IndexTable(db: db).drop(of: className)
        try saveChanging(&object, by: nil)
        return WriteReceipt(
            objectId: objectId, createdAt: now, updatedAt: now, echoed: JSONObject(),
            mark: wantsMark ? ObjectMark(state: .deleted, tag: nil, fetched: nil) : nil)
    }

    /// - Throws: `ParseError` 105 (invalid field name) if the body contains the class's `opField`.
    private func refuseMarks(in body: JSONObject, of className: String) throws {
        guard isReplica, let field = try ClassTable(db: db).options(of: className).opField, body[field] != nil else {
            return
        }
        throw ParseError(.invalidFieldName, "\(field) holds the ids of operations, and cannot be written here.")
    }
}

extension JSONObject {
    fileprivate func showing(_ relations: JSONObject) -> JSONObject {
        var object = self
        for (field, value) in relations where object[field] == nil { object[field] = value }
        return object
    }
}
