import GRDB
import ParseModel
import StoreService
import SyncModel

/// Compares the earlier state on which a client's write was based with the object's present state.
struct SeenStates {
    let transaction: StoreTransaction

    private func content(of object: LocalObject) -> StableContent {
        StableContent(className: object.life.className, in: transaction)
    }

    /// The object of a write, and its state as clients see it.
    /// - Throws: `ParseError` 101 (object not found) or `StoreError.gone` if the object is missing or the principal may
    ///   not read it. `ParseError` with `deniesWrite` if the principal may read but not write it. `StoreError.stale` if
    ///   `terms` does not allow the object's present state.
    func existing(
        _ className: String, _ objectId: String, _ terms: WriteTerms, _ access: WriteAccess
    ) throws -> (object: LocalObject, view: ObjectState) {
        guard
            let object = try LocalObject(
                className, Aliases(db: transaction.db).id(of: className, objectId), in: transaction.db),
            let view = object.life.view, let rights = object.life.rightsState
        else { throw missing(terms, access) }
        guard access.allowsWriting(rights) else {
            guard access.allowsReading(object.life.objectId, rights) else { throw missing(terms, access) }
            throw access.refusal(of: object.life.objectId, rights)
        }
        // For an object that the principal may not read, the result of a write with conditions would reveal the
        // object's state.
        guard terms.isForAnyState || access.allowsReading(object.life.objectId, rights) else {
            throw missing(terms, access)
        }
        if case .tags(let tags)? = terms.match, !tags.contains(object.contentMark.tag) {
            throw try staleError(object, view)
        }
        return (object, view)
    }

    private func missing(_ terms: WriteTerms, _ access: WriteAccess) -> any Error {
        terms.match == nil ? access.notFound : StoreError.gone
    }

    /// The error for a write whose conditions exclude the object's present state. The error contains this state.
    func staleError(_ object: LocalObject, _ view: ObjectState) throws -> StoreError {
        .stale(try stored(object, view).shown(by: transaction.rules(of: object.life.className)))
    }

    func stored(_ object: LocalObject, _ view: ObjectState) -> StoredObject {
        StoredObject(
            objectId: object.life.objectId, json: Array(view.jsonText(objectId: object.life.objectId).utf8),
            state: object.life.state, isHidden: object.life.baseStanding == .hidden, contentMark: object.contentMark)
    }

    /// The `_sync` field for the answer to a write; nil if `terms.wantsMark` is false. It contains no tag if the writer
    /// may not read the object.
    func mark(of object: LocalObject, _ terms: WriteTerms, _ access: WriteAccess) throws -> ObjectMark? {
        guard terms.wantsMark else { return nil }
        guard object.life.view != nil, let rights = object.life.rightsState else {
            return ObjectMark(state: .deleted, tag: nil, fetched: nil)
        }
        guard access.allowsReading(object.life.objectId, rights) else {
            return ObjectMark(state: object.life.state, tag: nil, fetched: nil)
        }
        return ObjectMark(
            state: object.life.state, isHidden: object.life.baseStanding == .hidden, tag: object.contentMark.tag,
            fetched: try KeptFields.fetched(of: object.life.className, object.life.objectId, in: transaction.db))
    }

    // MARK: Changes that the writer has not seen

    /// The state of the object that the writer had seen.
    private enum Seen {
        /// The present state. Also used for a write that names no state.
        case present
        /// One or more earlier states with the same `updatedAt`. The write was based on one of them.
        case past([ObjectState])
        /// An earlier state that is no longer stored.
        case forgotten

        var state: ObjectState? {
            if case .past(let states) = self { states.last } else { nil }
        }
    }

    private func seen(_ terms: WriteTerms, _ object: LocalObject, _ view: ObjectState) -> Seen {
        guard let base = terms.base else { return .present }
        let states = transaction.past.states(object.life.className, object.life.objectId, updatedAt: base)
        if !states.isEmpty { return .past(states) }
        if base == view.updatedAt { return .present }
        return object.life.base.flatMap { $0.updatedAt == base ? .past([$0]) : nil } ?? .forgotten
    }

    /// Describes a stale update, which sets fields that have changed since the state on which it was based; nil if it
    /// sets no such field.
    /// - Parameter fields: the object's fields after the update.
    func staleUpdate(
        of object: LocalObject, _ view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        _ terms: WriteTerms
    ) throws -> StaleWrite? {
        let seen = seen(terms, object, view)
        let disputed = try disputed(seen, view, operations, making: fields, of: object)
        return disputed.isEmpty ? nil : StaleWrite(seen: seen.state, fields: disputed, wanted: fields)
    }

    /// Checks in a standalone store that an update is not stale. Such a store records no conflicts, so it refuses stale
    /// updates.
    ///
    /// A field that the writer may not read counts as changed. Otherwise a writer could find out its value by guessing.
    /// - Throws: `StoreError.stale` if the update sets a field that has changed since the state on which the update was based.
    func checkUpdate(
        of object: LocalObject, _ view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        _ terms: WriteTerms, _ access: WriteAccess
    ) throws {
        let seen = seen(terms, object, view)
        if case .present = seen { return }
        let hidden = access.rules.hiddenFields(in: object.life.objectId) { view.fields }
        guard !operations.fields.contains(where: hidden.contains),
            try disputed(seen, view, operations, making: fields, of: object).isEmpty
        else { throw try staleError(object, view) }
    }

    /// The fields that the write sets to a new value, and that have changed since the state on which the write was
    /// based. If that state is no longer stored, all fields count as changed.
    private func disputed(
        _ seen: Seen, _ view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        of object: LocalObject
    ) throws -> [String] {
        if case .present = seen { return [] }
        let content = content(of: object)
        return try operations.fields.filter { field in
            guard operations[field]?.isIdempotent == true, try !content.isSame(field, in: fields, and: view.fields)
            else { return false }
            guard case .past(let states) = seen else { return true }
            return try states.contains { try !content.isSame(field, in: $0.fields, and: view.fields) }
        }
    }

    // MARK: Deletions

    /// Describes a stale deletion, which was based on an earlier state of the object; nil if the object has not changed
    /// since.
    func staleDeletion(of object: LocalObject, _ view: ObjectState, _ terms: WriteTerms) throws -> StaleWrite? {
        let seen = seen(terms, object, view)
        switch seen {
        case .present: return nil
        case .past(let past):
            let content = content(of: object)
            if try past.allSatisfy({ try content.isSame($0.fields, view.fields) }) { return nil }
        case .forgotten: break
        }
        return StaleWrite(seen: seen.state)
    }
}
