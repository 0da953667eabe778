import ParseModel

/// Drops the pending changes of an author when the gateway removes the author's data.
enum Forgetting {
    /// Drops the author's pending changes to the object, even those in flight. The changes of other authors stay. If
    /// the create of a new object is dropped, the first remaining update creates the object.
    static func forget(_ author: AuthorKey, _ transition: inout Transition) {
        let dropped = transition.life.steps.map(\.step).filter { $0.author == author }
        guard !dropped.isEmpty else { return }
        closeConflict(of: author, &transition)
        transition.life.steps.removeAll { $0.step.author == author }
        if transition.life.base == nil {
            beginWithCreate(like: dropped.first { $0.kind == .create }, &transition)
        } else if dropped.contains(where: \.wasAttempted) {
            // The remote may have executed the dropped request, so the next sync reads the row.
            transition.life.baseIsProvisional = true
        }
    }

    /// Closes the open conflict in favour of the remote, unless the conflict also concerns a remaining change of
    /// another author.
    private static func closeConflict(of author: AuthorKey, _ transition: inout Transition) {
        guard let kind = transition.openKind, concerns(author, kind, transition.life.steps.map(\.step)) else { return }
        transition.close("remote")
        guard kind == .deletedRemotely else { return }
        transition.life.base = nil
        transition.emit(.mayReappear)
    }

    /// Whether the conflict concerns changes of this author alone.
    private static func concerns(_ author: AuthorKey, _ kind: ConflictKind, _ steps: [PendingStep]) -> Bool {
        switch kind {
        case .fields, .deletedRemotely: steps.allSatisfy { $0.phase != .held || $0.author == author }
        case .deletedLocally: steps.last { $0.kind == .delete }?.author == author
        case .ambiguousCreate, .wasThisApplied:
            steps.first { $0.phase == .held && $0.wasAttempted }?.author == author
        }
    }

    /// Turns the first remaining update into the create of the object, which the remote does not have. The new create
    /// keeps the ACL of the dropped create: without this ACL, everybody could read the values that its readers have
    /// written.
    /// - Parameter create: the dropped create; nil if the object had none.
    static func beginWithCreate(like create: PendingStep?, _ transition: inout Transition) {
        while let first = transition.life.steps.first?.step, first.kind != .create {
            var operations = creating(first, of: transition.life.className)
            guard first.kind == .update, !operations.isEmpty else {
                transition.life.steps.removeFirst()
                continue
            }
            if operations["ACL"] == nil, let acl = create?.operations["ACL"] { operations["ACL"] = acl }
            transition.life.steps[0].step.kind = .create
            transition.life.steps[0].step.operations = operations
            transition.life.steps[0].step.isDeferredUpdate = false
            transition.life.steps[0].step.idMayBeTaken = create?.idMayBeTaken ?? false
            transition.life.steps[0].step.isRecreate = create?.isRecreate ?? false
        }
    }

    /// Converts the operations of an update to those of a create. Leaves out operations that have no effect on a new
    /// object.
    private static func creating(_ update: PendingStep, of className: String) -> FieldOperations {
        var result = update.operations.onlyRelations
        let create = PendingStep(
            kind: .create, by: update.author, operations: update.operations, madeAt: update.madeAt)
        let fields = Replay.view(base: nil, steps: [create], className: className)?.fields ?? JSONObject()
        for (field, value) in fields where !value.isRelation && !value.isNull { result[field] = .set(value) }
        return result
    }
}
