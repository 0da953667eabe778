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
    private var names: PresentNames { PresentNames(db: db, now: now, rules: transaction.store.valueRules) }

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
            of: write.request, transaction.rules(of: write.request.className), isReplica: isReplica)
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
        try refuseMarks(in: body, of: className)
        try schemas.checkFieldCount(body, className: className, present: [:])
        let checked = try write.body(body, className: className, creates: true)
        let body = checked.body
        var operations = try names.resolve(try checked.operations(on: JSONObject(), className: className))
        try ClassTable(db: db).ensure(className)
        let additions = try schemas.check(operations, of: body, className: className, creates: true) {
            try access.checkAddingFields(to: nil)
        }
        for (field, value) in additions.defaults { operations[field] = .set(value) }
        let fields = try operations.apply(to: JSONObject(), className: className)
        try values.check(operations, making: fields, of: className)
        var object = LocalObject(className: className, objectId: objectId)
        if isReplica {
            try transaction.receive(.created(operations, hasChosenId: chosenId != nil), &object)
        } else {
            object.life.view = ObjectState(
                createdAt: now, updatedAt: now, fields: fields.showing(additions.relations))
            try RelationMembers(db: db, isReplica: false).changeBase(of: object.life.pointer, by: operations)
            try object.save(in: transaction)
        }
        var echoed = body.echoed(from: fields)
        for (field, value) in additions.defaults { echoed[field] = value }
        return WriteReceipt(
            objectId: objectId, createdAt: now, updatedAt: now, echoed: access.shown(echoed, of: object.life),
            mark: try seen.mark(of: object, terms, access))
    }

    /// The id that a client has chosen for a new object; nil if it has chosen none. As in Parse Server, chosen ids are
    /// checked before the fields.
    private func chosenId(in body: JSONObject, className: String) throws -> String? {
        guard transaction.store.allowsChosenIds, try !isReplica || Meta.value(of: "accepts_chosen_ids", in: db) != "0"
        else {
            // Refuses chosen ids, except empty ones, as Parse Server does.
            for name in ["objectId", "id"] where body[name]?.isTruthy == true {
                throw ParseError(.invalidFieldName, "\(name) is an invalid field name.")
            }
            return nil
        }
        guard let chosen = body["objectId"] else { return nil }
        guard let objectId = chosen.string, !objectId.isEmpty else {
            throw ParseError(.missingObjectId, "objectId must not be empty, null or undefined")
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

    private func update(
        _ className: String, _ objectId: String, _ body: JSONObject, _ terms: WriteTerms, _ write: PreparedWrite,
        _ access: WriteAccess
    ) throws -> WriteReceipt {
        var (object, view) = try seen.existing(className, objectId, terms, access)
        try refuseMarks(in: body, of: className)
        try schemas.checkFieldCount(body, className: className, present: view.fields)
        let checked = try write.body(body, className: className, creates: false)
        let body = checked.body
        if className == "_Installation" { try body.checkInstallation(view.fields) }
        let operations = try names.resolve(try checked.operations(on: view.fields, className: className))
        let fields = try operations.apply(to: view.fields, className: className)
        let additions = try schemas.check(operations, of: body, className: className, creates: false) {
            try access.checkAddingFields(to: view)
        }
        try values.check(operations, making: fields, of: className)
        var left: [String] = []
        if isReplica {
            left = try seen.edit(&object, view, operations, making: fields, terms)
        } else {
            try seen.check(object, view, operations, making: fields, terms)
            object.life.view = ObjectState(
                createdAt: view.createdAt, updatedAt: now, fields: fields.showing(additions.relations))
            try RelationMembers(db: db, isReplica: false).changeBase(of: object.life.pointer, by: operations)
            try object.save(in: transaction)
        }
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
        } catch StoreError.damaged(_, let id) where !isReplica && terms.isForAnyState {
            return try deleteDamaged(className, id, wantsMark: terms.wantsMark, access)
        }
        let stale = try seen.staleDeletion(of: object, view, terms)
        if isReplica {
            do {
                try transaction.receive(.deleted(stale: stale), &object)
            } catch LifeError.outcomeUnknown {
                throw try seen.staleError(object, view)
            }
        } else {
            object.life.view = nil
            try object.save(in: transaction)
        }
        return WriteReceipt(
            objectId: object.life.objectId, createdAt: view.createdAt, updatedAt: now, echoed: JSONObject(),
            mark: try seen.mark(of: object, terms, access))
    }

    /// Deletes a damaged object of a standalone store without reading its fields.
    private func deleteDamaged(
        _ className: String, _ objectId: String, wantsMark: Bool, _ access: WriteAccess
    ) throws -> WriteReceipt {
        guard var object = try LocalObject(damaged: className, objectId, in: db),
            try access.allowsWritingDamaged(transaction.acl(object.storedACL))
        else { throw access.notFound }
        try IndexTable(db: db).drop(of: className)
        try object.save(in: transaction)
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
