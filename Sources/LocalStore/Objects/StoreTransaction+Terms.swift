import GRDB
import ParseModel
import SyncModel

/// The state that a write was made on, compared with the present one.
extension StoreTransaction {
    var marks: StateMarks { StateMarks(isReplica: isReplica, db: db) }

    /// The object that a write is about, and its view.
    /// - Throws: `ParseError` 101 or `StoreError.gone` where there is none, `StoreError.stale` where it is in another state than
    ///   the write was made for.
    func existing(
        _ className: String, _ objectId: String, _ terms: WriteTerms
    ) throws -> (object: LocalObject, view: ObjectState) {
        guard let object = try LocalObject(className, resolve(className, objectId), in: db), let view = object.view
        else { throw terms.match == nil ? ParseError.objectNotFound : StoreError.gone }
        if case .tags(let tags)? = terms.match, try !tags.contains(marks.tag(className, stored(object, view))) {
            throw StoreError.stale(stored(object, view))
        }
        return (object, view)
    }

    func stored(_ object: LocalObject, _ view: ObjectState) -> StoredObject {
        StoredObject(
            objectId: object.objectId, json: Array(view.jsonText(objectId: object.objectId).utf8), state: object.state,
            isHidden: object.baseStanding == .hidden)
    }

    /// The `_sync` of a receipt; nil where the terms do not ask for it.
    func mark(of object: LocalObject, _ terms: WriteTerms) throws -> ObjectMark? {
        guard terms.wantsMark else { return nil }
        guard let view = object.view else { return ObjectMark(state: .deleted, tag: nil, fetched: nil) }
        return try marks.mark(object.className, stored(object, view))
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
        let states = past.states(object.className, object.objectId, updatedAt: base)
        if !states.isEmpty { return .past(states) }
        if base == view.updatedAt { return .present }
        return object.base.flatMap { $0.updatedAt == base ? .past([$0]) : nil } ?? .forgotten
    }

    /// Carries out an update of a replica's object. Fields that others have changed since the state that the writer names are
    /// settled by the class's policy, as those of a pulled row are, and recorded.
    /// - Parameter fields: those of the object after the update.
    /// - Returns: the fields that were left as they are.
    func update(
        _ object: inout LocalObject, _ view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        _ terms: WriteTerms
    ) throws -> [String] {
        var operations = operations
        let seen = seen(terms, object, view)
        let disputed = try disputed(seen, view, operations, making: fields, of: object)
        if object.state == .conflict { try decideByEditing(&object) }
        let phase: PendingStep.Phase = object.state == .conflict ? .held : .pending
        guard !disputed.isEmpty else {
            try object.append(
                PendingStep(kind: .update, operations: operations, phase: phase, madeAt: now), in: self)
            return []
        }
        let wanted = ObjectState(createdAt: view.createdAt, updatedAt: now, fields: fields)
        func record(base: ObjectState?, remote: ObjectState, _ resolution: String?) throws {
            try recordConflict(
                .fields, of: object, fields: disputed, base: base, local: wanted, remote: remote, resolution: resolution
            )
        }
        switch try classOptions(of: object.className).policy {
        case .merge, .local:
            try record(base: seen.state, remote: view, RebaseAction.Side.local.rawValue)
            try object.append(
                PendingStep(kind: .update, operations: operations, phase: phase, madeAt: now), in: self)
            return []
        case .remote:
            try record(base: seen.state, remote: view, RebaseAction.Side.remote.rawValue)
            for field in disputed { operations[field] = nil }
            guard !operations.isEmpty else { return disputed }
            try object.append(
                PendingStep(kind: .update, operations: operations, phase: phase, madeAt: now), in: self)
            return disputed
        case .manual:
            if phase == .held {
                if try openConflictKind(of: object) == .fields {
                    try updateConflict(of: object, fields: disputed, remote: object.base)
                }
            } else {
                // Changes that wait here already are a part of the decision, and have to be shown.
                try record(base: object.steps.isEmpty ? seen.state : view, remote: object.base ?? view, nil)
                try object.setPhase(.held, in: self)
            }
            let step = PendingStep(kind: .update, operations: operations, phase: .held, madeAt: now)
            if phase == .held || object.base != nil {
                try object.append(step, in: self)
            } else {
                // The decision may be for the object as it was made here: the create stays as it is.
                try object.appendSeparately(step, in: self)
            }
            return []
        }
    }

    /// - Throws: `StoreError.stale` where the update sets a field that has changed since: a standalone store has no later decision.
    func checkSeen(
        _ object: LocalObject, _ view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        _ terms: WriteTerms
    ) throws {
        let disputed = try disputed(seen(terms, object, view), view, operations, making: fields, of: object)
        guard disputed.isEmpty else { throw StoreError.stale(stored(object, view)) }
    }

    /// The fields that others have changed since the state that the writer has seen, and that the write sets to another value;
    /// where nothing is known of that state, all that it sets to another value than the present one.
    private func disputed(
        _ seen: Seen, _ view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        of object: LocalObject
    ) throws -> [String] {
        if case .present = seen { return [] }
        let (present, after) = (
            try marks.content(object.className, view.fields), try marks.content(object.className, fields)
        )
        var before: [StableContent]?
        if case .past(let states) = seen { before = try states.map { try marks.content(object.className, $0.fields) } }
        return operations.fields.filter { field in
            guard operations[field]?.isIdempotent == true, after[field] != present[field] else { return false }
            return before?.contains { $0[field] != present[field] } ?? true
        }
    }

    // MARK: Deletions

    /// The fate of a deletion that its writer made on another state than the present one.
    enum DeletionVerdict {
        case goesOn
        /// It waits for a person, or was decided against; the object is as it has to be.
        case done
    }

    /// Settles a deletion of an object that has changed since the state that the writer names, by the class's policy as that of
    /// a row that was edited remotely.
    /// - Throws: `StoreError.stale` where there is no policy, a person has something else to decide about the object, or a
    ///   person would have to decide while the outcome of a request on it is not known.
    func settleDeletion(_ object: inout LocalObject, _ view: ObjectState, _ terms: WriteTerms) throws -> DeletionVerdict
    {
        let seen = seen(terms, object, view)
        switch seen {
        case .present: return .goesOn
        case .past(let past):
            let present = try marks.content(object.className, view.fields)
            if try past.allSatisfy({ try marks.content(object.className, $0.fields).isSame(as: present) }) {
                return .goesOn
            }
        case .forgotten: break
        }
        guard isReplica, object.state != .conflict else { throw StoreError.stale(stored(object, view)) }
        func record(_ resolution: RebaseAction.Side?) throws {
            try recordConflict(
                .deletedLocally, of: object, fields: [], base: seen.state, local: nil, remote: view,
                resolution: resolution?.rawValue)
        }
        switch try classOptions(of: object.className).policy {
        case .local:
            try record(.local)
            return .goesOn
        case .remote: try record(.remote)
        case .merge, .manual:
            // The outcome of that request may become a question of its own.
            guard !object.steps.contains(where: \.step.phase.isFrozen) else {
                throw StoreError.stale(stored(object, view))
            }
            try record(nil)
            try object.setPhase(.held, in: self)
            // Changes that wait here already are not condensed away before the deletion is decided.
            try object.appendSeparately(PendingStep(kind: .delete, phase: .held, madeAt: now), in: self)
        }
        return .done
    }
}
