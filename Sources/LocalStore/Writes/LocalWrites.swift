import GRDB
import ParseModel
import StoreService
import SyncModel

/// Performs the creates, updates and deletions of local clients.
struct LocalWrites {
    private let transaction: StoreTransaction
    private let way: any WriteWay
    private let schemas: SchemaCheck
    /// Whether new objects are stored. Otherwise they are only checked, except for those that other objects depend on.
    private let storesNew: Bool

    private var db: Database { transaction.db }
    private var now: ParseDate { transaction.now }
    private let seen: SeenStates
    private let values: ValueCheck
    private let names: PresentNames

    /// - Parameter way: how this kind of store applies writes.
    init(_ transaction: StoreTransaction, _ way: any WriteWay.Type, storesNew: Bool = true) {
        self.transaction = transaction
        self.storesNew = storesNew
        seen = SeenStates(transaction: transaction)
        values = ValueCheck(transaction: transaction)
        names = PresentNames(transaction: transaction)
        let way = way.init(transaction)
        self.way = way
        schemas = SchemaCheck(transaction, read: way.schema)
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

    /// - Parameter isNew: whether the id that a create chooses is known to be neither that of an object nor an alias.
    func perform(_ write: PreparedWrite, isNew: Bool = false) throws -> WriteReceipt {
        let access = try WriteAccess(
            of: write.request, transaction.rules(of: write.request.className), isEnforced: transaction.access.isEnforced
        )
        return switch write.request {
        case .create(let className, let body, let terms):
            try create(className, body, terms, write, access, isNew: isNew)
        case .update(let className, let objectId, let body, let terms):
            try update(className, objectId, body, terms, write, access)
        case .delete(let className, let objectId, let terms): try delete(className, objectId, terms, access)
        }
    }

    private func create(
        _ className: String, _ body: JSONObject, _ terms: WriteTerms, _ write: PreparedWrite, _ access: WriteAccess,
        isNew: Bool
    ) throws -> WriteReceipt {
        try ClassName.validate(className)
        let chosenId = try chosenId(in: body, className: className, terms, isNew: isNew)
        let objectId = chosenId ?? transaction.environment.objectId()
        let times = try way.times(in: body)
        try way.checkFields(of: body, className: className)
        try schemas.checkFieldCount(body, className: className, present: [:])
        let checked = try write.body(body, className: className, creates: true)
        if className == "_Installation",
            let installation = try way.installation(of: checked.body, updating: nil, named: nil, terms)
        {
            return try updateInstallation(installation, body, terms, write)
        }
        let body = checked.body
        var operations = try names.resolve(
            try checked.operations(on: JSONObject(), className: className), of: className)
        try ClassTable(db: db).ensure(className)
        let typed = try schemas.check(operations, of: body, className: className, creates: true) {
            try access.checkAddingFields(to: nil)
        }
        let additions = try way.addFields(of: typed, className: className, creates: true)
        for (field, value) in additions.defaults { operations[field] = .set(value) }
        let defaultACL = operations["ACL"] == nil ? access.rules.rights.defaultACL(for: transaction.principal) : nil
        if let defaultACL { operations["ACL"] = .set(defaultACL) }
        operations = operations.replacingFieldFiles(way.addressing)
        let accounts = way.accounts(for: className)
        let pointer = Pointer(className: className, objectId: objectId)
        try accounts?.complete(&operations, creating: pointer, terms.account)
        let fields = try operations.apply(to: JSONObject(), className: className)
        try values.check(operations, making: fields, of: className)
        if className == "_Role", transaction.access.isEnforced { try RoleRules(db: db).checkCreate(fields) }
        var object = LocalObject(className: className, objectId: objectId)
        let view = ObjectState(
            createdAt: times.created, updatedAt: times.updated,
            fields: fields.showing(additions.relations, likeImport: write.request, body.relations))
        if storesNew || className.hasPrefix("_") || !operations.relationChanges.isEmpty {
            try way.create(
                &object, operations, making: view, hasChosenId: try chosenId != nil && way.acceptsChosenIds())
        }
        try accounts?.finish(pointer, fields, operations, terms.account)
        var echoed = body.echoed(from: fields)
        for (field, value) in additions.defaults { echoed[field] = value }
        var shown = access.shown(echoed, of: object.life)
        // The creator sees the ACL even without the right to read the object.
        if defaultACL != nil { shown["ACL"] = fields["ACL"] }
        return WriteReceipt(
            objectId: objectId, createdAt: times.created, updatedAt: times.updated, echoed: shown,
            mark: try seen.mark(of: object, terms, access))
    }

    /// The id that a client has chosen for a new object; nil if it has chosen none. As in Parse Server, chosen ids are
    /// checked before the fields.
    private func chosenId(
        in body: JSONObject, className: String, _ terms: WriteTerms, isNew: Bool
    ) throws -> String? {
        guard try terms.keepsId || (transaction.store.allowsChosenIds && way.acceptsChosenIds()) else {
            try ChosenId.refuse(in: body)
            return nil
        }
        guard let chosen = body["objectId"] else { return nil }
        guard let objectId = chosen.string, !objectId.isEmpty else {
            throw ParseError(.missingObjectId, "objectId must not be empty, null or undefined")
        }
        // In ACLs and permissions, such an id stands for a role, for everybody or for a kind of user.
        guard className != "_User" || !AccessEntity.isReserved(objectId) else {
            throw ParseError(.operationForbidden, "Invalid object ID.")
        }
        // Clients could not reach an object with this id, because `/users/me` and `/sessions/me` have another meaning.
        guard objectId != "me" || !["_User", "_Session"].contains(className) else {
            throw ParseError(.operationForbidden, "Invalid object ID.")
        }
        guard objectId.utf8.count <= 256, objectId.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x2F && $0 != 0x7F }) else {
            throw ParseError(.invalidFieldName, "objectId is not usable in a path")
        }
        // An alias, an earlier id of another object, also counts as a duplicate.
        guard
            try isNew
                || (LocalObject(className, objectId, in: db) == nil
                    && Aliases(db: db).id(of: className, objectId) == objectId)
        else {
            throw ParseError(
                .duplicateValue, "A duplicate value for a field with unique values was provided")
        }
        return objectId
    }

    /// Performs a create of an installation as an update, because the device already has an installation.
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

    /// - Parameter isMatched: whether the write was a create of an installation that already exists.
    private func update(
        _ className: String, _ objectId: String, _ body: JSONObject, _ terms: WriteTerms, _ write: PreparedWrite,
        _ access: WriteAccess, isMatched: Bool = false
    ) throws -> WriteReceipt {
        var (object, view) = try seen.existing(className, objectId, terms, access)
        try way.checkFields(of: body, className: className)
        try schemas.checkFieldCount(body, className: className, present: view.fields)
        let checked = try write.body(body, className: className, creates: false)
        let named = body["objectId"]?.string
        let body = checked.body
        if className == "_Installation", !isMatched { try body.checkInstallation(view.fields) }
        if className == "_Installation", !isMatched,
            let other = try way.installation(of: body, updating: object.life.objectId, named: named, terms),
            other != object.life.objectId
        {
            (object, view) = try seen.existing(className, other, WriteTerms(), access)
        }
        var operations = try access.hidingTypes(of: object.life, view, writing: body) {
            try names.resolve(try checked.operations(on: view.fields, className: className), of: className)
        }
        operations = operations.replacingFieldFiles(way.addressing)
        let accounts = way.accounts(for: className)
        AccountWrites(transaction).keepOwnRights(&operations, updating: object.life.pointer)
        try accounts?.complete(&operations, updating: object.life.pointer, view.fields, terms.account)
        let fields = try access.hidingTypes(of: object.life, view, writing: body) {
            try operations.apply(to: view.fields, className: className)
        }
        let typed = try schemas.check(operations, of: body, className: className, creates: false) {
            try access.checkAddingFields(to: (object.life.objectId, view))
        }
        let additions = try way.addFields(of: typed, className: className, creates: false)
        try values.check(operations, making: fields, of: className)
        if className == "_Role" {
            try RoleRules.checkKept(body)
            if transaction.access.isEnforced { try RoleRules.checkUpdate(from: view.fields, to: fields) }
        }
        let left = try way.update(
            &object, from: view, operations, making: fields, shown: fields.showing(additions.relations), terms, access)
        try accounts?.finish(object.life.pointer, fields, operations, terms.account)
        var echoed = body.echoed(from: fields)
        for field in left { echoed[field] = nil }
        return WriteReceipt(
            objectId: object.life.objectId, createdAt: view.createdAt, updatedAt: object.life.view?.updatedAt ?? now,
            echoed: access.shown(echoed, of: object.life), mark: try seen.mark(of: object, terms, access))
    }

    private func delete(
        _ className: String, _ objectId: String, _ terms: WriteTerms, _ access: WriteAccess
    ) throws -> WriteReceipt {
        var object: LocalObject
        let view: ObjectState
        do {
            (object, view) = try seen.existing(className, objectId, terms, access)
        } catch let error as StoreError {
            guard case .damaged(_, let id) = error, terms.isForAnyState else { throw error }
            try way.deleteDamaged(className, id, access, orThrow: error)
            return WriteReceipt(
                objectId: id, createdAt: now, updatedAt: now, echoed: JSONObject(),
                mark: terms.wantsMark ? ObjectMark(state: .deleted, tag: nil, fetched: nil) : nil)
        }
        try way.delete(&object, from: view, terms)
        return WriteReceipt(
            objectId: object.life.objectId, createdAt: view.createdAt, updatedAt: now, echoed: JSONObject(),
            mark: try seen.mark(of: object, terms, access))
    }
}

extension JSONObject {
    /// The fields of a new object with the relation fields of its class. An imported object keeps the order of its
    /// fields, so that an import of an export gives the same text.
    fileprivate func showing(
        _ relations: JSONObject, likeImport request: WriteRequest, _ given: [String: String]
    ) -> JSONObject {
        let shown = showing(relations)
        guard case .create(_, let body, let terms) = request, terms.keepsId, !given.isEmpty else { return shown }
        let rest = shown.filter { body[$0.key] == nil }.map { ($0.key, $0.value) }
        return JSONObject(body.keys.compactMap { name in shown[name].map { (name, $0) } } + rest)
    }

    fileprivate func showing(_ relations: JSONObject) -> JSONObject {
        var object = self
        for (field, value) in relations where object[field] == nil { object[field] = value }
        return object
    }
}
