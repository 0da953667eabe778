import GRDB
import ParseModel
import StoreService
import SyncModel

/// The state that a write was made on, compared with the present one.
extension StoreTransaction {
    var marks: StateMarks { StateMarks(isReplica: isReplica, principal: principal, db: db) }

    /// The object that a write is about, and its view.
    /// - Throws: `ParseError` 101 or `StoreError.gone` where there is none, `StoreError.stale` where it is in another state than
    ///   the write was made for.
    func existing(
        _ className: String, _ objectId: String, _ terms: WriteTerms
    ) throws -> (object: LocalObject, view: ObjectState) {
        guard let object = try LocalObject(className, resolve(className, objectId), in: db), let view = object.life.view
        else { throw terms.match == nil ? ParseError.objectNotFound : StoreError.gone }
        if case .tags(let tags)? = terms.match, try !tags.contains(marks.tag(className, stored(object, view))) {
            throw try staleError(object, view)
        }
        return (object, view)
    }

    func stored(_ object: LocalObject, _ view: ObjectState) -> StoredObject {
        StoredObject(
            objectId: object.life.objectId, json: Array(view.jsonText(objectId: object.life.objectId).utf8),
            state: object.life.state, isHidden: object.life.baseStanding == .hidden)
    }

    /// The error of a write whose terms do not allow the present state.
    func staleError(_ object: LocalObject, _ view: ObjectState) throws -> StoreError {
        .stale(try stored(object, view).shown(to: principal, of: object.life.className))
    }

    /// The `_sync` of a receipt; nil where the terms do not ask for it.
    func mark(of object: LocalObject, _ terms: WriteTerms) throws -> ObjectMark? {
        guard terms.wantsMark else { return nil }
        guard let view = object.life.view else { return ObjectMark(state: .deleted, tag: nil, fetched: nil) }
        return try marks.mark(object.life.className, stored(object, view))
    }

    // MARK: Changes that the writer has not seen

    /// The state that the writer has seen, where the object has changed since.
    private enum Seen {
        case present
        /// One of these; which one, their time does not tell.
        case past([ObjectState])
        /// Nothing is known of it any more.
        case forgotten

        var state: ObjectState? {
            if case .past(let states) = self { states.last } else { nil }
        }
    }

    private func seen(_ terms: WriteTerms, _ object: LocalObject, _ view: ObjectState) -> Seen {
        guard let base = terms.base else { return .present }
        let states = past.states(object.life.className, object.life.objectId, updatedAt: base)
        if !states.isEmpty { return .past(states) }
        if base == view.updatedAt { return .present }
        return object.life.base.flatMap { $0.updatedAt == base ? .past([$0]) : nil } ?? .forgotten
    }

    /// Carries out an update of a replica's object.
    /// - Parameter fields: those of the object after the update.
    /// - Returns: the fields that the class's policy has left as they are.
    func edit(
        _ object: inout LocalObject, _ view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        _ terms: WriteTerms
    ) throws -> [String] {
        let seen = seen(terms, object, view)
        let disputed = try disputed(seen, view, operations, making: fields, of: object)
        let stale =
            disputed.isEmpty ? nil : StaleWrite(seen: seen.state, fields: disputed, wanted: fields)
        let outcome = try receive(.edited(operations, stale: stale), &object)
        for case .fieldsIgnored(let fields) in outcome.effects { return fields }
        return []
    }

    /// - Throws: `StoreError.stale` where the update sets a field that has changed since: a standalone store has no later decision.
    func checkSeen(
        _ object: LocalObject, _ view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        _ terms: WriteTerms
    ) throws {
        let disputed = try disputed(seen(terms, object, view), view, operations, making: fields, of: object)
        guard disputed.isEmpty else { throw try staleError(object, view) }
    }

    /// The fields that others have changed since the state that the writer has seen, and that the write sets to another value;
    /// where nothing is known of that state, all that it sets to another value than the present one.
    private func disputed(
        _ seen: Seen, _ view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        of object: LocalObject
    ) throws -> [String] {
        if case .present = seen { return [] }
        let (present, after) = (
            try marks.content(object.life.className, view.fields), try marks.content(object.life.className, fields)
        )
        var before: [StableContent]?
        if case .past(let states) = seen {
            before = try states.map { try marks.content(object.life.className, $0.fields) }
        }
        return operations.fields.filter { field in
            guard operations[field]?.isIdempotent == true, after[field] != present[field] else { return false }
            return before?.contains { $0[field] != present[field] } ?? true
        }
    }

    // MARK: Deletions

    /// The state that a deletion was made on, where the object has changed since.
    /// - Returns: nil where the deletion meets no change.
    /// - Throws: `StoreError.stale` in a standalone store, which has no later decision, and for an object in conflict.
    func staleDeletion(of object: LocalObject, _ view: ObjectState, _ terms: WriteTerms) throws -> StaleWrite? {
        let seen = seen(terms, object, view)
        switch seen {
        case .present: return nil
        case .past(let past):
            let present = try marks.content(object.life.className, view.fields)
            if try past.allSatisfy({ try marks.content(object.life.className, $0.fields).isSame(as: present) }) {
                return nil
            }
        case .forgotten: break
        }
        guard isReplica, object.life.state != .conflict else { throw try staleError(object, view) }
        return StaleWrite(seen: seen.state)
    }
}
