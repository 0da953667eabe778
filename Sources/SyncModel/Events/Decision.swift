import ParseModel

/// Users' decisions about conflicts, rejections and pending changes.
enum Decision {
    // MARK: Conflicts

    /// Applies a user's decision about the open conflict, in the name of the author whose change is in question. A
    /// decision for the remote drops the pending changes of this author alone. If the remote state also disputes
    /// changes of other authors, a new conflict opens for the next author.
    /// - Parameters:
    ///   - keep: `local`, `remote` or `merge`; `applied` or `sendAgain` for a request of unknown outcome. With a correction, nil
    ///     counts as `applied` for such a request, makes a new object after a remote deletion, and otherwise counts as `remote`.
    ///   - correction: values that are set on top of the chosen state; nil for none.
    static func decide(keep: String?, _ correction: Correction?, _ transition: inout Transition) throws {
        guard let kind = transition.openKind else { throw LifeError.noConflict }
        guard kind == .ambiguousCreate else { return try resolve(kind, keep: keep, correction, &transition) }
        let choice = keep ?? kind.choiceWithCorrection ?? "applied"
        try AmbiguousCreate.answer(keep: choice, named: correction?.objectId, &transition)
        if let correction { try set(correction, keeping: keep, &transition) }
    }

    static func resolve(
        _ kind: ConflictKind, keep: String?, _ correction: Correction?, _ transition: inout Transition
    ) throws {
        let visible = transition.life.view
        let author = transition.context.author
        let question = transition.life.conflict
        let shown = question?.candidate?.state
        transition.close(keep ?? "object")
        switch (kind, keep ?? kind.choiceWithCorrection) {
        case (.fields, "local"), (.fields, "merge"), (.deletedLocally, "local"): break
        case (.wasThisApplied, "sendAgain"):
            let asked = transition.life.steps.firstIndex { $0.step.wasAttempted && $0.step.kind == .update }
            if let asked { transition.life.steps[asked].step.restoration = .none }
        case (.fields, "remote") where transition.life.base == nil:
            transition.life.dropSteps(of: author, after: shown)
        case (.fields, "remote"):
            transition.life.steps.removeAll { $0.step.author == author }
            if let question { askOthers(question, &transition) }
        case (.deletedLocally, "remote"), (.deletedLocally, "merge"): transition.life.dropDeletion()
        case (.wasThisApplied, "applied"):
            // The conflict concerns the first update that was sent. Pending changes made under an earlier id of the
            // object may stand before this update.
            let asked = transition.life.steps.firstIndex { $0.step.wasAttempted && $0.step.kind == .update } ?? 0
            // If the conflict shows no row, the base (the last known remote state) is older than the request. The
            // remote may have deleted the object since, and a create of the same object must contain the update.
            if shown == nil { transition.life.applyToBase(transition.life.steps[asked].step) }
            transition.life.dropProvenStep(at: asked, transition.context)
        case (.deletedRemotely, "local"), (.deletedRemotely, "merge"): Recreation.createAgain(as: visible, &transition)
        case (.deletedRemotely, "remote"):
            transition.life.steps.removeAll { $0.step.author == author }
            if let question, !transition.life.steps.isEmpty {
                askOthers(question, &transition)
            } else {
                transition.life.base = nil
                transition.emit(.mayReappear)
            }
        case (.deletedRemotely, nil):
            // The remote has deleted the object, so an empty object is created first. The correction then sets the new object's
            // values.
            let now = transition.context.now
            Recreation.createAgain(
                as: ObjectState(createdAt: visible?.createdAt ?? now, updatedAt: now, fields: [:]), &transition)
        default: throw kind.refusal(of: keep)
        }
        if let correction { try set(correction, keeping: keep, &transition) }
        transition.life.replay()
    }

    /// Opens a conflict about the changes of other authors that remain after a decision for the remote, if the remote
    /// state disputes these changes too.
    private static func askOthers(_ question: OpenConflict, _ transition: inout Transition) {
        let disputed = transition.life.steps.map(\.step).first { step in
            question.fields.isEmpty || question.fields.contains { step.operations[$0] != nil }
        }
        guard let disputed, !transition.life.steps.contains(where: \.step.phase.isFrozen) else { return }
        transition.life.setPhase(.held)
        transition.life.replay()
        transition.record(
            question.kind, by: disputed.author, fields: question.fields, base: question.base,
            local: transition.life.view, remote: question.candidate?.state)
    }

    /// Appends an update with the values of a correction, after a decision has been applied.
    private static func set(_ correction: Correction, keeping keep: String?, _ transition: inout Transition) throws {
        let operations = changes(by: correction, of: transition.life)
        guard !operations.isEmpty else { return }
        let exists = transition.life.base != nil || transition.life.steps.first?.step.kind == .create
        guard exists, !transition.life.endsInDelete else {
            throw ParseError(.invalidQuery, "keeping \(keep ?? "this") leaves no object to set values on")
        }
        transition.life.append(
            PendingStep(
                kind: .update, by: transition.context.author, operations: operations, madeAt: transition.context.now),
            transition.context)
    }

    /// The operations of a user's correction. Leaves out a value that equals the base, the last known remote state, if
    /// no pending step changes the field: the client has only copied the value from a read. Keeps all values if there
    /// is no base, or if the base was not pulled.
    private static func changes(by correction: Correction, of life: ObjectLife) -> FieldOperations {
        var operations = correction.operations
        guard let base = life.base, !life.baseIsProvisional else { return operations }
        let changed = Set(life.steps.flatMap(\.step.operations.fields))
        for field in operations.fields where !changed.contains(field) {
            let known = base.fields[field].map(FieldOperation.set) ?? .delete
            if operations[field] == known { operations[field] = nil }
        }
        return operations
    }

    // MARK: Rejections

    /// Makes a rejected step pending again. The next push sends it.
    /// - Parameter correction: values that replace refused operations; nil to send the same operations.
    static func retry(_ seq: Int64, _ correction: Correction?, _ transition: inout Transition) throws {
        guard let index = transition.life.index(of: seq), transition.life.steps[index].step.phase == .rejected else {
            throw LifeError.noSuchStep
        }
        if let correction {
            var step = transition.life.steps[index].step
            guard step.kind != .delete else {
                throw ParseError(.invalidQuery, "a deletion has no values to correct")
            }
            step.operations = corrected(step, by: correction, of: transition.life)
            if step.kind == .update, step.operations.isEmpty {
                throw ParseError(.invalidQuery, "the correction leaves nothing to send; give the change up instead")
            }
            // An earlier request for the create may have stored the refused values on the remote. If a row with these
            // values is found, the create becomes an update of the row with the corrected values, as for a row of
            // another client.
            if step.wasAttempted {
                step.idMayBeTaken = true
                step.isCorrected = true
            }
            transition.life.steps[index].step = step
        }
        transition.life.steps[index].step.phase = .pending
        transition.life.steps[index].step.editedAt = max(
            transition.life.steps[index].step.editedAt, transition.context.now)
        transition.life.steps[index].requestId = transition.context.requestId()
        transition.life.steps[index].code = nil
        transition.life.steps[index].error = nil
    }

    /// The operations of a rejected change after a user's correction. A corrected value replaces the operation on its
    /// field. A null drops the operation. Exception: in a create that may have been executed, a null deletes the field.
    private static func corrected(
        _ step: PendingStep, by correction: Correction, of life: ObjectLife
    ) -> FieldOperations {
        var result = step.operations
        let given = changes(by: correction, of: life)
        for field in given.fields {
            // A create that was never sent does not delete fields, because the new object has no fields. A create that was sent
            // may have stored the field on the remote, so the deletion stays.
            let isDropped =
                step.kind == .create
                ? given[field] == .delete && !step.wasAttempted : correction.nulls.contains(field)
            result[field] = isDropped ? nil : given[field]
        }
        return result
    }

    /// Drops a rejected change. The state that clients read no longer contains it.
    static func giveUp(_ seq: Int64, _ transition: inout Transition) throws {
        guard let index = transition.life.index(of: seq), transition.life.steps[index].step.phase == .rejected else {
            throw LifeError.noSuchStep
        }
        drop(index, &transition)
    }

    // MARK: Pending changes

    /// Undoes a change that was never sent.
    static func undo(_ seq: Int64, _ transition: inout Transition) throws {
        guard let index = transition.life.index(of: seq) else { throw LifeError.noSuchStep }
        let step = transition.life.steps[index].step
        guard step.phase == .pending, !step.wasAttempted else { throw LifeError.alreadySent }
        drop(index, &transition)
    }

    /// Drops a pending change. If it is a create, drops all pending changes of its author to the object. If another
    /// author has changed the new object, this author's change then creates the object. Otherwise a deletion may follow
    /// (`deletePossibleObject`).
    private static func drop(_ index: Int, _ transition: inout Transition) {
        let step = transition.life.steps[index].step
        guard step.kind == .create else {
            transition.life.steps.remove(at: index)
            return
        }
        transition.life.steps.removeAll { $0.step.author == step.author }
        Forgetting.beginWithCreate(like: step, &transition)
        if transition.life.steps.isEmpty { transition.life.deletePossibleObject(of: step, transition.context) }
    }
}
