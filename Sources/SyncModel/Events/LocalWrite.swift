import ParseModel

/// Writes of local clients.
enum LocalWrite {
    static func create(_ operations: FieldOperations, hasChosenId: Bool, _ transition: inout Transition) {
        let now = transition.context.now
        transition.life.append(
            PendingStep(
                kind: .create, by: transition.context.author, operations: operations, madeAt: now,
                idMayBeTaken: hasChosenId), transition.context)
    }

    /// Adds a change that is sent at most once. Clients do not see it until the remote has taken it.
    /// - Throws: `LifeError.hasPendingChanges` if the object has pending changes.
    static func beginOnce(
        _ kind: PendingStep.Kind, _ operations: FieldOperations, hasChosenId: Bool, _ transition: inout Transition
    ) throws {
        guard transition.life.steps.isEmpty else { throw LifeError.hasPendingChanges }
        let context = transition.context
        transition.life.appendSeparately(
            PendingStep(
                kind: kind, by: context.author, operations: operations, madeAt: context.now, idMayBeTaken: hasChosenId,
                isSentOnce: true), context)
    }

    /// Applies an edit. If the edit is stale (based on an earlier state of the object), the class's policy decides
    /// between the edit and the newer changes.
    static func edit(
        _ operations: FieldOperations, _ stale: StaleWrite?, _ transition: inout Transition
    ) throws {
        let context = transition.context
        guard let view = transition.life.view else { return }
        if transition.life.state == .conflict { try decideByEditing(&transition) }
        let phase: PendingStep.Phase = transition.life.state == .conflict ? .held : .pending
        func step(_ operations: FieldOperations, _ phase: PendingStep.Phase) -> PendingStep {
            PendingStep(kind: .update, by: context.author, operations: operations, phase: phase, madeAt: context.now)
        }
        guard let stale, !stale.fields.isEmpty else { return transition.life.append(step(operations, phase), context) }
        let wanted = ObjectState(createdAt: view.createdAt, updatedAt: context.now, fields: stale.wanted)
        switch context.options.policy {
        case .merge, .local:
            transition.record(
                .fields, fields: stale.fields, base: stale.seen, local: wanted, remote: view, resolution: .local)
            transition.life.append(step(operations, phase), context)
        case .remote:
            transition.record(
                .fields, fields: stale.fields, base: stale.seen, local: wanted, remote: view, resolution: .remote)
            transition.emit(.fieldsIgnored(stale.fields))
            var operations = operations
            for field in stale.fields { operations[field] = nil }
            if !operations.isEmpty { transition.life.append(step(operations, phase), context) }
        case .manual:
            if phase == .held {
                if transition.openKind == .fields {
                    transition.changeConflict(fields: stale.fields, remote: transition.life.base)
                }
            } else {
                // Earlier pending steps of the object join the conflict. The conflict's base is then the present state
                // of the object.
                transition.record(
                    .fields, fields: stale.fields, base: transition.life.steps.isEmpty ? stale.seen : view,
                    local: wanted,
                    remote: transition.life.base ?? view)
                transition.life.setPhase(.held)
            }
            if phase == .held || transition.life.base != nil {
                transition.life.append(step(operations, .held), context)
            } else {
                // A decision for the remote state drops this edit and keeps the create, so the two must stay separate
                // steps.
                transition.life.appendSeparately(step(operations, .held), context)
            }
        }
    }

    /// Applies a deletion. If the deletion is stale (based on an earlier state of the object), the class's policy
    /// decides between the deletion and the newer changes.
    /// - Throws: `LifeError.outcomeUnknown` if the deletion needs a user's decision while the outcome of a request is unknown.
    static func delete(_ stale: StaleWrite?, _ transition: inout Transition) throws {
        let context = transition.context
        if let stale {
            let view = transition.life.view
            switch context.options.policy {
            case .local:
                transition.record(.deletedLocally, base: stale.seen, local: nil, remote: view, resolution: .local)
            case .remote:
                return transition.record(
                    .deletedLocally, base: stale.seen, local: nil, remote: view, resolution: .remote)
            case .merge, .manual:
                // A step that is in flight, or whose outcome is unknown, may still end in a conflict. An object has at
                // most one open conflict, so the deletion must not open one.
                guard !transition.life.steps.contains(where: \.step.phase.isFrozen) else {
                    throw LifeError.outcomeUnknown
                }
                transition.record(.deletedLocally, base: stale.seen, local: nil, remote: view)
                transition.life.setPhase(.held)
                // A user may decide against the deletion, so pending changes stay separate from it.
                return transition.life.appendSeparately(
                    PendingStep(kind: .delete, by: context.author, phase: .held, madeAt: context.now), context)
            }
        }
        try decideByDeleting(&transition)
        guard transition.life.view != nil else { return }
        // The deletion is pending instead of held. A pending deletion hides the object even while a conflict about the
        // object's create is open.
        transition.life.append(PendingStep(kind: .delete, by: context.author, madeAt: context.now), context)
    }

    /// Withdraws a held deletion (one that waits for a user's decision), because a client edits the object. A conflict
    /// about the deletion is decided for the remote state.
    private static func decideByEditing(_ transition: inout Transition) throws {
        if transition.openKind == .deletedLocally {
            try Decision.resolve(.deletedLocally, keep: "remote", nil, &transition)
        }
        transition.life.dropFinalDeletions()
    }

    /// Decides an open conflict in favour of a deletion. A conflict about a create of unknown outcome stays open.
    private static func decideByDeleting(_ transition: inout Transition) throws {
        switch transition.openKind {
        case .deletedLocally: try Decision.resolve(.deletedLocally, keep: "local", nil, &transition)
        case .deletedRemotely:
            // The remote has already reported the object as deleted. The client's deletion is sent nevertheless, because only the
            // remote's answer proves that the object no longer exists.
            transition.close("remote")
            transition.life.steps = []
            // If the client withdraws its deletion, the object still counts as deleted on the remote.
            if transition.life.base != nil { transition.life.baseStanding = .gone }
            transition.life.replay()
        case .fields:
            // The edit in conflict no longer matters: the client's deletion replaces the edit, or is sent after the edit.
            transition.close("local")
            transition.life.dropFinalDeletions()
        case .wasThisApplied:
            // The remote may have executed the edit. The deletion follows in any case, so the edit is dropped, by any
            // author, and not sent again.
            let undecided = transition.life.undecidedUpdates
            transition.close("local")
            transition.life.steps.removeAll { undecided.contains($0.seq) }
            transition.life.dropFinalDeletions()
        case .ambiguousCreate, nil: break
        }
    }
}
