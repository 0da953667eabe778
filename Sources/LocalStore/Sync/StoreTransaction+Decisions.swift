import GRDB
import ParseModel
import SyncModel

/// Conflicts, rejections and pending changes that a person decides about.
extension StoreTransaction {
    // MARK: Conflicts

    /// - Parameters:
    ///   - remoteId: the remote object's id, where it is another one.
    ///   - candidates: ids of other objects of the remote that the object may be.
    ///   - resolution: how a policy has decided at once; nil opens the conflict.
    func recordConflict(
        _ kind: ConflictKind, of object: LocalObject, fields: [String], base: ObjectState?, local: ObjectState?,
        remote: ObjectState?, remoteId: String? = nil, candidates: [String] = [], resolution: String? = nil
    ) throws {
        let text = { (state: ObjectState?, id: String) in state.map { $0.jsonText(objectId: id) } }
        let id = object.objectId
        try execute(
            """
            INSERT INTO conflicts (class, object_id, kind, fields, base, local, remote, found_at, resolution, resolved_at,
                candidates)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                object.className, object.objectId, kind.rawValue,
                JSONValue.array(fields.map(JSONValue.string)).jsonText, text(base, id), text(local, id),
                text(remote, remoteId ?? id), now.milliseconds, resolution, resolution == nil ? nil : now.milliseconds,
                candidates.isEmpty ? nil : JSONValue.array(candidates.map(JSONValue.string)).jsonText,
            ])
        if db.lastInsertedRowID % Self.conflictsPerPruning == 0 { try pruneConflicts() }
    }

    /// How many resolved conflicts are kept, and how often the older ones are dropped.
    private static let resolvedConflictsMax = 10_000
    private static let conflictsPerPruning: Int64 = 500

    private func pruneConflicts() throws {
        try execute(
            """
            DELETE FROM conflicts WHERE resolution IS NOT NULL AND id <= (
                SELECT id FROM conflicts WHERE resolution IS NOT NULL
                ORDER BY id DESC LIMIT 1 OFFSET \(Self.resolvedConflictsMax))
            """)
    }

    /// The open conflict goes on, about a newer state of the remote.
    /// - Parameter fields: what the remote has changed since, of what was changed here.
    func updateConflict(of object: LocalObject, fields: [String], remote: ObjectState?) throws {
        let added = JSONValue.array(fields.map(JSONValue.string)).jsonText
        try execute(
            """
            UPDATE conflicts SET remote = ?, fields = (
                SELECT json_group_array(DISTINCT value) FROM (
                    SELECT value FROM json_each(fields) UNION ALL SELECT value FROM json_each(?)))
            WHERE class = ? AND object_id = ? AND resolution IS NULL
            """,
            [
                remote.map { $0.jsonText(objectId: object.objectId) }, added, object.className, object.objectId,
            ])
    }

    func openConflictKind(of object: LocalObject) throws -> ConflictKind? {
        try String.fetchOne(
            db,
            sql: """
                SELECT kind FROM conflicts WHERE class = ? AND object_id = ? AND resolution IS NULL ORDER BY id DESC
                """, arguments: [object.className, object.objectId]
        ).flatMap(ConflictKind.init(rawValue:))
    }

    /// The conflict is about a request of ours whose outcome cannot be proven: no news from the remote settle that.
    func isHeldByOwnRequest(_ object: LocalObject) throws -> Bool {
        guard object.state == .conflict else { return false }
        let kind = try openConflictKind(of: object)
        return kind == .wasThisApplied || kind == .ambiguousCreate
    }

    /// - Parameter showsCopy: whether an object that a question has hidden is shown again.
    func closeConflicts(of object: inout LocalObject, resolution: String, showsCopy: Bool = true) throws {
        guard object.state == .conflict else { return }
        let candidate = showsCopy ? try openCandidate(of: object) : nil
        try execute(
            """
            UPDATE conflicts SET resolution = ?, resolved_at = ? WHERE class = ? AND object_id = ? AND resolution IS NULL
            """, [resolution, now.milliseconds, object.className, object.objectId])
        for index in object.steps.indices where object.steps[index].step.phase == .held {
            object.steps[index].step.phase = .pending
            try object.saveStep(at: index, in: self)
        }
        if let candidate, candidate.objectId != object.objectId { try showSecondCopy(of: candidate) }
    }

    /// A conflict shows an object again that was deleted here. Whoever edits it then has decided to keep it.
    func decideByEditing(_ object: inout LocalObject) throws {
        if try openConflictKind(of: object) == .deletedLocally {
            try decide(&object, .deletedLocally, keep: "remote", fields: nil)
        }
        while object.steps.last?.step.kind == .delete { try object.dropLastStep(in: self) }
    }

    /// Whoever deletes an object that is in conflict has decided for the deletion.
    func decideByDeleting(_ object: inout LocalObject) throws {
        switch try openConflictKind(of: object) {
        case .deletedLocally: try decide(&object, .deletedLocally, keep: "local", fields: nil)
        case .deletedRemotely:
            // The deletion goes out all the same: only the answer to it says for certain that nothing is left there.
            try closeConflicts(of: &object, resolution: "remote")
            try object.dropAllSteps(in: self)
            object.replay()
        // Whether an edit was applied does not matter to what is deleted: nothing of it goes out before the deletion.
        case .fields, .wasThisApplied:
            try closeConflicts(of: &object, resolution: "local")
            while object.steps.last?.step.kind == .delete { try object.dropLastStep(in: self) }
        case .ambiguousCreate, nil: break
        }
    }

    /// - Parameters:
    ///   - keep: `local`, `remote` or `merge`; for a change that cannot be proven `applied` or `sendAgain`. Nil where the
    ///     fields are the answer: they are set over the remote's state.
    ///   - fields: what is set on top of what was decided.
    ///   - rebase: for what others have made of the object since.
    func resolveConflict(_ id: Int64, keep: String?, fields: JSONObject?, rebase: Rebase) throws {
        guard keep != nil || fields != nil else {
            throw ParseError(.invalidQuery, "a conflict is decided by what to keep, by an object, or by both")
        }
        let row = try Row.fetchOne(
            db, sql: "SELECT class, object_id, kind FROM conflicts WHERE id = ? AND resolution IS NULL", arguments: [id]
        )
        guard let row, let kind = ConflictKind(rawValue: row[2]), var object = try LocalObject(row[0], row[1], in: db)
        else { throw StoreError.notFound(what: "open conflict \(id)") }
        if kind == .ambiguousCreate {
            try answer(&object, keep: keep ?? kind.answerBesideAnObject, fields: fields, rebase)
            if let fields { try set(fields, over: &object, keeping: keep) }
            object.replay()
        } else {
            try decide(&object, kind, keep: keep, fields: fields)
        }
        try object.save(in: self)
    }

    private func decide(
        _ object: inout LocalObject, _ kind: ConflictKind, keep: String?, fields: JSONObject?
    ) throws {
        let visible = object.view
        let shown = try openCandidate(of: object)?.state
        try closeConflicts(of: &object, resolution: keep ?? "object")
        switch (kind, keep ?? kind.answerBesideAnObject) {
        case (.fields, "local"), (.fields, "merge"), (.deletedLocally, "local"): break
        case (.wasThisApplied, "sendAgain"): break
        case (.fields, "remote") where object.base == nil: try object.dropSteps(after: shown, in: self)
        case (.fields, "remote"): try object.dropAllSteps(in: self)
        case (.deletedLocally, "remote"), (.deletedLocally, "merge"): try object.dropDeletion(in: self)
        case (.wasThisApplied, "applied"):
            // Work that was done under another id of the object may stand before it, and was not sent.
            let asked = object.steps.firstIndex { $0.step.wasAttempted && $0.step.kind == .update }
            try object.dropProvenStep(at: asked ?? 0, in: self)
        case (.deletedRemotely, "local"), (.deletedRemotely, "merge"):
            try recreate(&object, as: visible)
        case (.deletedRemotely, "remote"):
            try object.dropAllSteps(in: self)
            object.base = nil
            try expectReturn(in: object.className)
        case (.deletedRemotely, nil):
            // The remote has nothing left of it that the values could be set over.
            try recreate(&object, as: ObjectState(createdAt: visible?.createdAt ?? now, updatedAt: now, fields: [:]))
        default: throw kind.refusal(of: keep)
        }
        if let fields { try set(fields, over: &object, keeping: keep) }
        object.replay()
    }

    /// Sets values on top of what was decided.
    private func set(_ fields: JSONObject, over object: inout LocalObject, keeping keep: String?) throws {
        let operations = try operations(correcting: object, with: fields)
        guard !operations.isEmpty else { return }
        let isMade = object.base != nil || object.steps.first?.step.kind == .create
        guard isMade, object.steps.last?.step.kind != .delete else {
            throw ParseError(.invalidQuery, "keeping \(keep ?? "this") leaves no object whose values could be set")
        }
        try object.append(PendingStep(kind: .update, operations: operations, madeAt: now), in: self)
    }

    /// Makes the object anew on the remote, with all its fields.
    func recreate(_ object: inout LocalObject, as state: ObjectState?) throws {
        let members = try additionOfMembers(of: object)
        try object.dropAllSteps(in: self)
        object.base = nil
        object.baseIsProvisional = false
        try expectReturn(in: object.className)
        guard let state else { return }
        var operations = try FieldOperations(body: state.fields, className: object.className)
        for (field, change) in members.relationChanges { operations[field] = .relation(change) }
        try object.append(
            PendingStep(
                kind: .create, operations: operations, madeAt: state.createdAt, editedAt: now, mayBeTaken: true,
                isMadeAgain: true), in: self)
    }

    // MARK: Policies

    /// Carries out what a class's policy has decided, and records it.
    func settleByPolicy(
        _ object: inout LocalObject, _ kind: ConflictKind, _ fields: [String], by side: RebaseAction.Side, _ news: News
    ) throws {
        try closeConflicts(of: &object, resolution: "superseded")
        try recordConflict(
            kind, of: object, fields: fields, base: news.base, local: news.local, remote: news.remote,
            resolution: side.rawValue)
        switch (kind, side) {
        case (.deletedRemotely, .local): try recreate(&object, as: news.local)
        case (.deletedRemotely, .remote), (.deletedLocally, .remote):
            try object.dropAllSteps(in: self)
            object.base = news.remote
        case (.fields, .remote): try dropOperations(on: fields, of: &object)
        case (_, .local), (_, .remote): break
        }
    }

    /// A step without operations is no work any more, unless it makes the object.
    /// - Parameter seq: a step that stays as it is.
    func dropOperations(on fields: [String], of object: inout LocalObject, keeping seq: Int64? = nil) throws {
        for index in object.steps.indices.reversed() where seq == nil || object.steps[index].seq != seq {
            for field in fields { object.steps[index].step.operations[field] = nil }
            if object.steps[index].step.kind == .update, object.steps[index].step.operations.isEmpty {
                try object.dropStep(at: index, in: self)
            } else {
                try object.saveStep(at: index, in: self)
            }
        }
    }

    /// What somebody sets in place of something, given as they may have read it: with its id and its dates, and with fields
    /// that nobody has changed.
    private func operations(correcting object: LocalObject, with fields: JSONObject) throws -> FieldOperations {
        var fields = fields
        fields.removeAll { ["objectId", "createdAt", "updatedAt", "_sync"].contains($0) }
        var operations = try resolve(FieldOperations(body: fields, className: object.className))
        guard let base = object.base, !object.baseIsProvisional else { return operations }
        let changed = Set(object.steps.flatMap(\.step.operations.fields))
        for field in operations.fields where !changed.contains(field) {
            let known = base.fields[field].map(FieldOperation.set) ?? .delete
            if operations[field] == known { operations[field] = nil }
        }
        return operations
    }

    // MARK: Rejections

    /// - Parameter fields: what is put over the refused operations, as `corrected` does; nil sends the same again.
    func retryRejection(_ seq: Int64, fields: JSONObject?) throws {
        var (object, index) = try find(seq, "rejection", phase: .rejected)
        if let fields {
            let step = object.steps[index].step
            guard step.kind != .delete else {
                throw ParseError(.invalidQuery, "a deletion has no values that could be corrected")
            }
            object.steps[index].step.operations = try corrected(step, of: object, with: fields)
            if step.kind == .update, object.steps[index].step.operations.isEmpty {
                throw ParseError(.invalidQuery, "that leaves nothing to send: give the change up instead")
            }
            // The values that were refused may stand there by now: then these go on top of them.
            if step.wasAttempted {
                object.steps[index].step.mayBeTaken = true
                object.steps[index].step.isCorrected = true
            }
        }
        object.steps[index].step.phase = .pending
        object.steps[index].step.editedAt = now
        object.steps[index].requestId = environment.requestId()
        object.steps[index].code = nil
        object.steps[index].error = nil
        try object.saveStep(at: index, in: self)
        object.replay()
        try object.save(in: self)
    }

    /// A refused change with others of its operations; a null takes a field out of it.
    private func corrected(
        _ step: PendingStep, of object: LocalObject, with fields: JSONObject
    ) throws -> FieldOperations {
        var result = step.operations
        let given = try operations(correcting: object, with: fields)
        for field in given.fields {
            // A new object has nothing to delete, unless it is there already.
            let isDropped =
                step.kind == .create ? given[field] == .delete && !step.wasAttempted : fields[field]?.isNull == true
            result[field] = isDropped ? nil : given[field]
        }
        return result
    }

    /// The change is given up, and the view returns to what is left without it.
    func giveUpRejection(_ seq: Int64) throws {
        var (object, index) = try find(seq, "rejection", phase: .rejected)
        try drop(index, of: &object)
    }

    // MARK: Pending changes

    /// Takes back a change that was never sent.
    func undoPending(_ seq: Int64) throws {
        var (object, index) = try find(seq, "pending change", phase: nil)
        guard object.steps[index].step.phase == .pending, !object.steps[index].step.wasAttempted else {
            throw StoreError.notPossible(
                reason: "the change has been sent already, or is part of a conflict or rejection")
        }
        try drop(index, of: &object)
    }

    /// Without its create an object has nothing to hang later steps on: they go with it.
    private func drop(_ index: Int, of object: inout LocalObject) throws {
        let step = object.steps[index].step
        if step.kind == .create {
            try object.dropAllSteps(in: self)
            try object.deleteWhatMayHaveBeenMade(by: step, in: self)
        } else {
            try object.dropStep(at: index, in: self)
        }
        object.replay()
        try object.save(in: self)
    }

    private func find(
        _ seq: Int64, _ what: String, phase: PendingStep.Phase?
    ) throws -> (object: LocalObject, index: Int) {
        let row = try Row.fetchOne(db, sql: "SELECT class, id FROM outbox WHERE seq = ?", arguments: [seq])
        guard let row, let object = try LocalObject(row[0], row[1], in: db),
            let index = object.steps.firstIndex(where: { $0.seq == seq }),
            phase == nil || object.steps[index].step.phase == phase
        else { throw StoreError.notFound(what: "\(what) \(seq)") }
        return (object, index)
    }
}

extension ConflictKind {
    /// The answer is none that a conflict of this kind has.
    func refusal(of keep: String?) -> ParseError {
        ParseError(
            .invalidQuery, "a conflict of kind \(rawValue) cannot be decided by keeping \(keep ?? "an object")")
    }

    /// What is decided by giving an object and nothing else, so that its values are set over the remote's state; nil where
    /// the remote has no object.
    fileprivate var answerBesideAnObject: String? {
        switch self {
        case .fields, .deletedLocally: "remote"
        case .wasThisApplied, .ambiguousCreate: "applied"
        case .deletedRemotely: nil
        }
    }
}
