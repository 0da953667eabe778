import GRDB
import ParseModel
import StoreService
import SyncModel

/// Creates, updates and deletes of local clients.
extension StoreTransaction {
    func perform(_ write: PreparedWrite) throws -> WriteReceipt {
        try write.request.authorize(as: principal)
        return switch write.request {
        case .create(let className, let body, let terms): try create(className, body, terms, write)
        case .update(let className, let objectId, let body, let terms):
            try update(className, objectId, body, terms, write)
        case .delete(let className, let objectId, let terms): try delete(className, objectId, terms)
        }
    }

    private func create(
        _ className: String, _ body: JSONObject, _ terms: WriteTerms, _ write: PreparedWrite
    ) throws -> WriteReceipt {
        try ClassName.validate(className)
        let chosenId = try chosenId(in: body, className: className)
        let objectId = chosenId ?? environment.objectId()
        try refuseMarks(in: body, of: className)
        try checkFieldCount(body, className: className, present: [:])
        let checked = try write.body(body, className: className, creates: true)
        let body = checked.body
        var operations = try resolve(try checked.operations(on: JSONObject(), className: className))
        try ensureClass(className)
        let additions = try check(operations, of: body, className: className, creates: true)
        for (field, value) in additions.defaults { operations[field] = .set(value) }
        let fields = try operations.apply(to: JSONObject(), className: className)
        var object = LocalObject(className: className, objectId: objectId)
        if isReplica {
            try receive(.created(operations, hasChosenId: chosenId != nil), &object)
        } else {
            object.life.view = ObjectState(
                createdAt: now, updatedAt: now, fields: fields.showing(additions.relations))
            try changeBaseMembers(of: object.life.pointer, by: operations)
            try object.save(in: self)
        }
        var echoed = body.echoed(from: fields)
        for (field, value) in additions.defaults { echoed[field] = value }
        return WriteReceipt(
            objectId: objectId, createdAt: now, updatedAt: now, echoed: echoed, mark: try mark(of: object, terms))
    }

    /// The order of these checks is a stock Parse Server's: whether ids may be chosen comes before any look at the fields.
    private func chosenId(in body: JSONObject, className: String) throws -> String? {
        guard store.allowsChosenIds, try !isReplica || Meta.value(of: "accepts_chosen_ids", in: db) != "0" else {
            // A server that does not know chosen ids lets an empty one pass.
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
        // An alias goes on meaning the object that it was given for.
        guard try LocalObject(className, objectId, in: db) == nil, try resolve(className, objectId) == objectId else {
            throw ParseError(
                .duplicateValue, "A duplicate value for a field with unique values was provided")
        }
        return objectId
    }

    private func update(
        _ className: String, _ objectId: String, _ body: JSONObject, _ terms: WriteTerms, _ write: PreparedWrite
    ) throws -> WriteReceipt {
        var (object, view) = try existing(className, objectId, terms)
        try refuseMarks(in: body, of: className)
        try checkFieldCount(body, className: className, present: view.fields)
        let checked = try write.body(body, className: className, creates: false)
        let body = checked.body
        if className == "_Installation" { try body.checkInstallation(view.fields) }
        let operations = try resolve(try checked.operations(on: view.fields, className: className))
        let fields = try operations.apply(to: view.fields, className: className)
        let additions = try check(operations, of: body, className: className, creates: false)
        var left: [String] = []
        if isReplica {
            left = try edit(&object, view, operations, making: fields, terms)
        } else {
            try checkSeen(object, view, operations, making: fields, terms)
            object.life.view = ObjectState(
                createdAt: view.createdAt, updatedAt: now, fields: fields.showing(additions.relations))
            try changeBaseMembers(of: object.life.pointer, by: operations)
            try object.save(in: self)
        }
        var echoed = body.echoed(from: fields)
        for field in left { echoed[field] = nil }
        return WriteReceipt(
            objectId: object.life.objectId, createdAt: view.createdAt, updatedAt: object.life.view?.updatedAt ?? now,
            echoed: echoed, mark: try mark(of: object, terms))
    }

    private func delete(_ className: String, _ objectId: String, _ terms: WriteTerms) throws -> WriteReceipt {
        var object: LocalObject
        let view: ObjectState
        do {
            (object, view) = try existing(className, objectId, terms)
        } catch StoreError.damaged(_, let id) where !isReplica && terms.isForAnyState {
            return try deleteDamaged(className, id, wantsMark: terms.wantsMark)
        }
        let stale = try staleDeletion(of: object, view, terms)
        if isReplica {
            do {
                try receive(.deleted(stale: stale), &object)
            } catch LifeError.outcomeUnknown {
                throw try staleError(object, view)
            }
        } else {
            object.life.view = nil
            try object.save(in: self)
        }
        return WriteReceipt(
            objectId: object.life.objectId, createdAt: view.createdAt, updatedAt: now, echoed: JSONObject(),
            mark: try mark(of: object, terms))
    }
}

extension JSONObject {
    fileprivate func showing(_ relations: JSONObject) -> JSONObject {
        var object = self
        for (field, value) in relations where object[field] == nil { object[field] = value }
        return object
    }
}
