import ParseModel

/// Applies the result of a read from the remote: the object's row, or the fact that the remote does not have the object.
enum Pulled {
    /// Applies the result of a read.
    /// - Parameter record: the current row, reduced to the fields that are kept locally; nil if the remote has no such object.
    static func apply(_ record: RemoteRecord?, _ transition: inout Transition) {
        if record != nil {
            Recreation.closeOutcomeConflict(&transition)
            doubtSentUpdate(&transition)
        }
        let update = Transition.RemoteUpdate(
            remote: record?.state, base: transition.life.base, local: transition.life.view)
        if let record {
            settleDuringOutcomeConflict(record, update, &transition)
            if transition.life.isSecondCopy { transition.emit(.candidateChanged(record)) }
        }
        let verdict = record.flatMap { transition.life.sentCreate(transition.context)?.verdict(on: $0) }
        switch action(for: record, transition) {
        case .keep:
            // While a conflict about the outcome of a request is open, the local row of an object that the remote has
            // deleted stays. `applyDelayedDeletion` removes it after the conflict.
            if record == nil, transition.life.hasOutcomeConflict, transition.life.base != nil {
                transition.life.baseStanding = .gone
            }
            return
        case .remove:
            recordRemoval(update, &transition)
            transition.close("remote")
            transition.life.steps = []
            transition.life.base = nil
            transition.outcome.tally.removed = 1
        case .replay:
            if !transition.life.hasOutcomeConflict {
                // No field is in dispute any more, so an open conflict closes.
                transition.close("superseded")
            } else if update.remote != nil {
                let former = transition.life.conflict?.candidate
                // The conflict shows the newest remote state: a user who decides to send the change again would
                // overwrite this state.
                transition.changeConflict(fields: [], remote: update.remote)
                // The conflict about the create now shows the object's own row. Clients see the object again that the
                // conflict showed before as the possible result.
                transition.showCopy(former)
            }
            advance(to: update, verdict, &transition)
        case .settle(let kind, let fields, let side):
            settleByPolicy(kind, fields, by: side, update, &transition)
            transition.outcome.tally.settled = 1
            if update.remote == nil, side == .remote {
                transition.outcome.tally.removed = 1
            } else {
                advance(to: update, verdict, &transition)
            }
        case .openConflict(.ambiguousCreate, _):
            OutcomeConflict.open(.ambiguousCreate, about: 0, remote: record, &transition)
            transition.outcome.tally.conflicts = 1
        case .openConflict(let kind, let fields): openConflict(kind, fields, update, verdict, &transition)
        }
        if let record, transition.life.baseIsProvisional || update.base?.updatedAt != record.updatedAt {
            transition.emit(.rowChanged(record))
        }
        transition.life.baseIsProvisional = false
    }

    /// Applies a remote deletion that was delayed (`BaseStanding.gone`). Does nothing while a conflict about the
    /// outcome of a request is open, or while a local deletion is pending.
    static func applyDelayedDeletion(_ transition: inout Transition) {
        guard transition.life.base != nil, !transition.life.hasOutcomeConflict, !transition.life.endsInDelete else {
            return
        }
        apply(nil, &transition)
        transition.life.replay()
    }

    /// Notes that the remote does not have an object whose local deletion is still to be sent, because a user has
    /// decided about the removal of the object. The object then no longer counts as known to exist.
    static func noteGone(_ transition: inout Transition) {
        guard transition.life.base != nil, transition.life.endsInDelete, !transition.life.isUnshown else { return }
        transition.life.baseStanding = .gone
    }

    /// Makes the outcome of a sent update unknown again. The remote had reported the object as deleted, and shows it
    /// again. The deletion has proven nothing about the update: another client may have created the object again from a
    /// state that contains the update. The base (the last known remote state) stays, so that the update can be judged
    /// by the row.
    private static func doubtSentUpdate(_ transition: inout Transition) {
        // Only an object's first step was sent. An idempotent update may be sent twice, so its outcome need not be
        // known.
        guard transition.openKind == .deletedRemotely, let step = transition.life.steps.first?.step,
            step.kind == .update, step.wasAttempted, !step.operations.isIdempotent
        else { return }
        transition.close("superseded")
        transition.life.steps[0].step.phase = .unknown
    }

    private static func action(for record: RemoteRecord?, _ transition: Transition) -> RebaseAction {
        if transition.life.steps.isEmpty { return record == nil ? .remove : .replay }
        if transition.life.hasOutcomeConflict { return record == nil ? .keep : .replay }
        return transition.context.rebase(transition.life, record, transition.context)
    }

    /// Records two removals that could hide a loss:
    /// - The remote has acknowledged the object, has never shown it and does not have it. Another client has deleted it, or the
    ///   remote has lost it.
    /// - A user has deleted the object here, and the remote no longer shows it to that user. Another client has deleted it, or the user
    ///   may no longer read and delete it.
    private static func recordRemoval(_ update: Transition.RemoteUpdate, _ transition: inout Transition) {
        guard let base = transition.life.base else { return }
        let (deletion, local) = (transition.life.steps.last, update.local)
        if deletion == nil, transition.life.isUnshown, local != nil {
            transition.record(.deletedRemotely, base: base, local: local, remote: nil, resolution: .remote)
        } else if let deletion, deletion.step.kind == .delete, deletion.attempts == 0 {
            transition.recordUnseenDeletion(deletion.step)
        }
    }

    /// Makes the row the base (the last known remote state), and settles a pending create (`adoptCreate`).
    private static func advance(
        to update: Transition.RemoteUpdate, _ verdict: SentCreate.Verdict?, _ transition: inout Transition
    ) {
        guard let remote = update.remote else { return }
        transition.life.base = remote
        adoptCreate(verdict, &transition)
        if update.base == remote {
            transition.outcome.tally.unchanged = 1
        } else {
            transition.outcome.tally.upserted = 1
        }
    }

    private static func openConflict(
        _ kind: ConflictKind, _ fields: [String], _ update: Transition.RemoteUpdate, _ verdict: SentCreate.Verdict?,
        _ transition: inout Transition
    ) {
        if let remote = update.remote {
            transition.life.base = remote
            adoptCreate(verdict, &transition)
        }
        if transition.openKind == kind { return transition.changeConflict(fields: fields, remote: update.remote) }
        transition.close("superseded")
        transition.life.setPhase(.held)
        let deletion = kind == .deletedLocally ? transition.life.steps.last { $0.step.kind == .delete } : nil
        transition.record(
            kind, by: deletion?.step.author ?? transition.stepAuthor, fields: fields, base: update.base,
            local: update.local,
            remote: update.remote)
        transition.outcome.tally.conflicts = 1
    }

    /// Settles a conflict for the side that the class's policy has chosen, and records the decision.
    private static func settleByPolicy(
        _ kind: ConflictKind, _ fields: [String], by side: Side, _ update: Transition.RemoteUpdate,
        _ transition: inout Transition
    ) {
        transition.close("superseded")
        transition.record(
            kind, by: transition.stepAuthor, fields: fields, base: update.base, local: update.local,
            remote: update.remote, resolution: side)
        switch (kind, side) {
        case (.deletedRemotely, .local): Recreation.createAgain(as: update.local, &transition)
        case (.deletedRemotely, .remote), (.deletedLocally, .remote):
            transition.life.steps = []
            transition.life.base = update.remote
        case (.fields, .remote): transition.life.dropOperations(on: fields)
        case (_, .local), (_, .remote): break
        }
    }

    /// Settles the field conflicts between a row and an object's pending steps while a conflict about the outcome of a
    /// request is open. An object has at most one open conflict, so the class's policy decides at once. If the policy
    /// asks a user, the local side wins.
    static func settleDuringOutcomeConflict(
        _ record: RemoteRecord, _ update: Transition.RemoteUpdate, _ transition: inout Transition
    ) {
        guard transition.life.hasOutcomeConflict,
            let asked = transition.life.steps.firstIndex(where: \.step.wasAttempted)
        else { return }
        var rest = transition.life
        rest.conflict = nil
        rest.steps.remove(at: asked)
        guard let disputedStep = rest.steps.first?.step else { return }
        let (fields, side): ([String], Side)
        switch transition.context.rebase(rest, record, transition.context) {
        case .settle(.fields, let disputed, let winner): (fields, side) = (disputed, winner)
        case .openConflict(.fields, let disputed): (fields, side) = (disputed, .local)
        default: return
        }
        transition.record(
            .fields, by: disputedStep.author, fields: fields, base: update.base, local: update.local,
            remote: update.remote, resolution: side)
        if side == .remote {
            transition.life.dropOperations(on: fields, except: transition.life.steps[asked].seq)
        }
    }

    /// Settles an object's pending create after a row has become the base (the last known remote state). If the create
    /// produced the row, the create is done. Otherwise the create becomes an update with the values that the row lacks,
    /// unless a conflict about the create's outcome is open.
    /// - Parameter verdict: the origin of the row; nil if the object has no pending create.
    static func adoptCreate(_ verdict: SentCreate.Verdict?, _ transition: inout Transition) {
        guard let base = transition.life.base, let create = transition.life.steps.first?.step, create.kind == .create
        else { return }
        if create.phase == .held, transition.openKind == .ambiguousCreate {
            guard verdict == .own else { return }
            // The row proves that the create was executed.
            transition.close("applied")
        }
        guard verdict != .own else { return transition.life.dropProvenStep(at: 0, transition.context) }
        let wanted = Replay.view(base: base, steps: [create], className: transition.life.className)
        let relations = create.operations.onlyRelations
        for field in create.operations.fields where relations[field] == nil {
            guard (wanted?.fields[field] ?? .null) == (base.fields[field] ?? .null) else { continue }
            transition.life.steps[0].step.operations[field] = nil
        }
        if transition.life.steps[0].step.operations.isEmpty {
            transition.life.steps.remove(at: 0)
        } else {
            transition.life.steps[0].step.kind = .update
            transition.life.steps[0].step.wasAttempted = false
        }
    }
}
