import ParseModel

/// Functions that change an object's list of pending steps, its local changes that the remote has not acknowledged.
extension ObjectLife {
    /// Adds a step. The step merges into the last step if possible. If the clock was set back, the step takes the time
    /// of the step before it: otherwise the `updatedAt` that clients read could return to the value of an earlier
    /// state.
    mutating func append(_ next: PendingStep, _ context: LifeContext) {
        var next = next
        if let last = steps.last?.step.editedAt { next.editedAt = max(next.editedAt, last) }
        if next.kind == .delete {
            // A deletion makes the same author's updates directly before it redundant, except frozen ones (in flight,
            // or of unknown outcome). `joined` handles a create before the deletion.
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
            // The merged step is of another kind, for example a deletion in place of an update. No request of this kind
            // was sent, so the attempts start at zero.
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

    /// Appends a deletion after a create was dropped whose request may still arrive and create the object. Appends none
    /// if the object with this id may belong to another client.
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
        // A held step (one that waits for a user's decision) shows that a conflict is open. All steps that are not in
        // flight or of unknown outcome are then held, including the step at `index`.
        if later.contains(where: { $0.phase == .held }) { setPhase(.held) }
    }

    /// Removes a step that was executed, according to a remote row or a user's decision. A row does not show the
    /// members of relations. Changes of members therefore stay pending and are sent again, unless the object's last
    /// step is a deletion, or the step is sent at most once.
    mutating func dropProvenStep(at index: Int, _ context: LifeContext) {
        let relations = steps[index].step.operations.onlyRelations
        guard !relations.isEmpty, !endsInDelete, !steps[index].step.isSentOnce else {
            steps.remove(at: index)
            return
        }
        // The step keeps fewer operations, so it needs a new operation id. The id contains the step's number. The store
        // numbers each step without a number, so the later steps get new numbers too, and stay behind this step.
        for later in steps.indices[index...] { steps[later].seq = nil }
        steps[index].step.kind = .update
        steps[index].step.operations = relations
        steps[index].step.phase = .pending
        steps[index].step.wasAttempted = false
        steps[index].step.restoration = .none
        steps[index].requestId = context.requestId()
        steps[index].attempts = 0
        steps[index].attemptedAt = nil
        steps[index].markedIn = nil
        steps[index].error = nil
    }

    /// Records that a step of a restored backup was not sent after the backup. If it is the first one of its object, no
    /// later step was sent either, because the remote has not changed the object.
    mutating func confirmUnsent(at index: Int) {
        guard steps[index].step.restoration == .first else {
            steps[index].step.restoration = .none
            return
        }
        steps[index].step.wasAttempted = false
        steps[index].attempts = 0
        steps[index].attemptedAt = nil
        for step in steps.indices { steps[step].step.restoration = .none }
    }

    /// Applies an executed step to the base (the last known remote state), although no row has shown the result. The
    /// base keeps its `updatedAt`, so that every later row counts as newer.
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

    /// The numbers of the updates that were sent, whose outcome is unknown, and that wait for a user's decision.
    var undecidedUpdates: [Int64?] {
        steps.filter { $0.step.kind == .update && $0.step.phase == .held && $0.step.wasAttempted }.map(\.seq)
    }

    /// Drops an author's latest steps on a new object until the remaining steps produce the fields of `kept`. Keeps the
    /// create, and every step before a step of another author.
    /// - Parameter kept: the object's state before a stale write; nil if unknown.
    mutating func dropSteps(of author: AuthorKey, after kept: ObjectState?) {
        while steps.count > 1, steps.last?.step.author == author {
            let present = Replay.view(base: base, steps: steps.map(\.step), className: className)
            if present?.fields == kept?.fields { return }
            steps.removeLast()
        }
    }

    /// Drops the pending operations on the given fields. An update without operations is removed. A create stays.
    /// - Parameter kept: the number of a step that does not change; nil if all steps may change.
    mutating func dropOperations(on fields: [String], except kept: Int64? = nil) {
        for index in steps.indices.reversed() where kept == nil || steps[index].seq != kept {
            for field in fields { steps[index].step.operations[field] = nil }
            if steps[index].step.kind == .update, steps[index].step.operations.isEmpty { steps.remove(at: index) }
        }
    }

    /// Sets the phase of every step except frozen ones, which are in flight or of unknown outcome.
    /// - Parameter kept: the kind of steps that keep their phase; nil for none.
    mutating func setPhase(_ phase: PendingStep.Phase, except kept: PendingStep.Kind? = nil) {
        for index in steps.indices where !steps[index].step.phase.isFrozen && steps[index].step.kind != kept {
            steps[index].step.phase = phase
        }
    }

    /// Replaces the pointers in the object's pending steps.
    /// - Parameter idFields: the fields in which texts name objects, too.
    mutating func replacePointers(_ idFields: IdFields, _ replacement: (Pointer) -> Pointer) {
        for index in steps.indices {
            steps[index].step.operations = idFields.replacingIds(
                in: steps[index].step.operations.replacingPointers(replacement), replacement)
        }
    }

    func index(of seq: Int64) -> Int? { steps.firstIndex { $0.seq == seq } }

    /// The origin of a row with this object's id: this object's pending create, or another client. Nil if the first
    /// step is not a create.
    package func verdict(on row: RemoteRecord, _ context: LifeContext) -> SentCreate.Verdict? {
        sentCreate(context)?.verdict(on: row)
    }

    /// The pending create, with the facts that show whether this create or another client has made a row. Nil if the
    /// first step is not a create.
    func sentCreate(_ context: LifeContext) -> SentCreate? {
        guard let first = steps.first, first.step.kind == .create else { return nil }
        let id = first.mark(of: context.replicaId)
        let mark = first.markedIn.flatMap { field in id.map { SentCreate.Mark(field: field, id: $0) } }
        return SentCreate(className: className, step: first.step, attemptedAt: first.attemptedAt, mark: mark)
    }
}

extension ObjectLife.Step {
    /// The operation id (the id of the change) that the step's latest request left in the remote row; nil if it left
    /// none.
    func mark(of replicaId: String?) -> String? {
        guard markedIn != nil, let seq else { return nil }
        return replicaId.map { OutboxEntry.mark(replicaId: $0, seq: seq) }
    }
}
