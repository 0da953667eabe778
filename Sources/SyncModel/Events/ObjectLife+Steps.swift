import ParseModel

/// The list of pending steps.
extension ObjectLife {
    /// Adds a step. The step merges into the last step if possible. A step is never dated before the step that it follows, even if
    /// the clock is set back: the view's `updatedAt` could otherwise return to the value of an earlier state.
    mutating func append(_ next: PendingStep, _ context: LifeContext) {
        var next = next
        if let last = steps.last?.step.editedAt { next.editedAt = max(next.editedAt, last) }
        if next.kind == .delete {
            // A deletion makes the updates directly before it redundant, except frozen updates and updates of other authors.
            // `joined` handles a create before the deletion.
            while let last = steps.last?.step, last.kind == .update, last.author == next.author,
                !last.phase.isFrozen
            {
                steps.removeLast()
            }
        }
        guard let last = steps.last else { return appendSeparately(next, context) }
        let joined = last.step.joined(with: next)
        switch joined.count {
        case 0:
            steps.removeLast()
            deletePossibleObject(of: last.step, context)
        case 1:
            let index = steps.count - 1
            // Only requests of the step's present kind count as attempts. No request of the new kind was sent.
            if joined[0].kind != last.step.kind { steps[index].attempts = 0 }
            steps[index].step = joined[0]
            if joined[0].phase != .rejected {
                steps[index].code = nil
                steps[index].error = nil
            }
        default: appendSeparately(next, context)
        }
    }

    /// Appends a step that does not merge into the last step.
    mutating func appendSeparately(_ next: PendingStep, _ context: LifeContext) {
        steps.append(Step(step: next, requestId: context.requestId()))
    }

    /// Appends a deletion for a dropped create whose request may still arrive and create the object. If the object with this id
    /// may be another client's, no deletion is appended.
    mutating func deletePossibleObject(of create: PendingStep, _ context: LifeContext) {
        guard !create.idMayBeTaken, context.isUnanswered else { return }
        appendSeparately(
            PendingStep(kind: .delete, by: create.author, madeAt: context.now, wasAttempted: true), context)
    }

    /// Removes the steps after `index` and adds them again, so that they merge into the step at `index` if possible.
    mutating func rejoinSteps(after index: Int, _ context: LifeContext) {
        let later = steps[(index + 1)...].map(\.step)
        steps.removeSubrange((index + 1)...)
        for step in later { append(step, context) }
        // If a later step was held, a conflict is open. All steps that are not frozen are then held, also the step at `index`.
        if later.contains(where: { $0.phase == .held }) { setPhase(.held) }
    }

    /// Removes a step that was executed, according to a remote row or a user's decision. A row does not show the members of
    /// relations, so changes of members stay pending and are sent again, unless the object's steps end in a deletion.
    mutating func dropProvenStep(at index: Int, _ context: LifeContext) {
        let relations = steps[index].step.operations.onlyRelations
        guard !relations.isEmpty, !endsInDelete else {
            steps.remove(at: index)
            return
        }
        // The step keeps fewer operations, so it needs a new operation id, which is made of the step's number. The store gives a
        // number to each step without one. The later steps get new numbers too, to stay behind this step.
        for later in steps.indices[index...] { steps[later].seq = nil }
        steps[index].step.kind = .update
        steps[index].step.operations = relations
        steps[index].step.phase = .pending
        steps[index].step.wasAttempted = false
        steps[index].requestId = context.requestId()
        steps[index].attempts = 0
        steps[index].attemptedAt = nil
        steps[index].markedIn = nil
        steps[index].error = nil
    }

    /// Makes the result of an executed step the base, although no row has shown this result. The base keeps its `updatedAt`, so
    /// every later row counts as newer.
    mutating func applyToBase(_ step: PendingStep) {
        guard let known = base else { return }
        base = Replay.view(base: known, steps: [step], className: className)
        base?.updatedAt = known.updatedAt
    }

    /// Removes the deletions from the steps. The other changes stay.
    mutating func dropDeletion() { steps.removeAll { $0.step.kind == .delete } }

    mutating func dropFinalDeletions() {
        while endsInDelete { steps.removeLast() }
    }

    /// The numbers of the updates whose outcome is unknown and which wait for a user's decision.
    var undecidedUpdates: [Int64?] {
        steps.filter { $0.step.kind == .update && $0.step.phase == .held && $0.step.wasAttempted }.map(\.seq)
    }

    /// Drops the latest steps of an author on a new object until the remaining ones produce the fields of `kept`. The create always
    /// stays, and so do the steps before a step of another author.
    /// - Parameter kept: the object's state before a stale write; nil if unknown.
    mutating func dropSteps(of author: AuthorKey, after kept: ObjectState?) {
        while steps.count > 1, steps.last?.step.author == author {
            let present = Replay.view(base: base, steps: steps.map(\.step), className: className)
            if present?.fields == kept?.fields { return }
            steps.removeLast()
        }
    }

    /// Drops the operations on the given fields. An update without operations is removed; a create stays.
    /// - Parameter kept: the number of a step that does not change; nil if all steps may change.
    mutating func dropOperations(on fields: [String], except kept: Int64? = nil) {
        for index in steps.indices.reversed() where kept == nil || steps[index].seq != kept {
            for field in fields { steps[index].step.operations[field] = nil }
            if steps[index].step.kind == .update, steps[index].step.operations.isEmpty { steps.remove(at: index) }
        }
    }

    /// Sets the phase of every step that is not frozen.
    /// - Parameter kept: the kind of steps that keep their phase; nil for none.
    mutating func setPhase(_ phase: PendingStep.Phase, except kept: PendingStep.Kind? = nil) {
        for index in steps.indices where !steps[index].step.phase.isFrozen && steps[index].step.kind != kept {
            steps[index].step.phase = phase
        }
    }

    /// - Parameter idFields: the fields in which texts name objects, too.
    mutating func replacePointers(_ idFields: IdFields, _ replacement: (Pointer) -> Pointer) {
        for index in steps.indices {
            steps[index].step.operations = idFields.replacingIds(
                in: steps[index].step.operations.replacingPointers(replacement), replacement)
        }
    }

    func index(of seq: Int64) -> Int? { steps.firstIndex { $0.seq == seq } }

    /// Judges whether this object's pending create produced a row with the object's id; nil if the first step is not a create.
    package func verdict(on row: RemoteRecord, _ context: LifeContext) -> SentCreate.Verdict? {
        sentCreate(context)?.verdict(on: row)
    }

    /// The pending create with the facts that tell which client created a row; nil if the first step is not a create.
    func sentCreate(_ context: LifeContext) -> SentCreate? {
        guard let first = steps.first, first.step.kind == .create else { return nil }
        let id = first.mark(of: context.replicaId)
        let mark = first.markedIn.flatMap { field in id.map { SentCreate.Mark(field: field, id: $0) } }
        return SentCreate(className: className, step: first.step, attemptedAt: first.attemptedAt, mark: mark)
    }
}

extension ObjectLife.Step {
    /// The operation id that the latest request left on the remote; nil if it left none.
    func mark(of replicaId: String?) -> String? {
        guard markedIn != nil, let seq else { return nil }
        return replicaId.map { OutboxEntry.mark(replicaId: $0, seq: seq) }
    }
}
