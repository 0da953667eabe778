import ParseModel

/// Conflicts about the outcome of this gateway's requests. If no read can prove an outcome, a conflict opens and a user decides.
enum OutcomeConflict {
    /// Opens a conflict about the outcome of a sent step.
    /// - Parameters:
    ///   - index: the index of the step.
    ///   - others: for a create, the ids of further remote objects that may be its result.
    static func open(
        _ kind: ConflictKind, about index: Int, remote: RemoteRecord?, others: [String] = [],
        _ transition: inout Transition
    ) {
        let base = transition.life.base
        let step = transition.life.steps[index].step
        // The local side of the conflict is the state that the request was to produce.
        let local = Replay.view(base: base, steps: [step], className: transition.life.className)
        transition.life.steps[index].step.phase = .held
        // The remote may have the object, so later local changes must stay separate from the create.
        if kind == .ambiguousCreate { transition.life.steps[index].step.wasAttempted = true }
        // A deletion stays pending, because a held deletion would show the deleted object again.
        transition.life.setPhase(.held, except: .delete)
        let row = remote.map(transition.context.restricted)
        transition.record(
            kind, by: step.author, fields: step.operations.fields, base: base, local: local, remote: row?.state,
            remoteId: row?.objectId, candidates: others)
        guard let row else { return }
        guard row.objectId == transition.life.objectId else {
            return transition.emit(.copyHidden(objectId: row.objectId))
        }
        let update = Transition.RemoteUpdate(remote: row.state, base: base, local: transition.life.view)
        Pulled.settleDuringOutcomeConflict(row, update, &transition)
        transition.life.base = row.state
        transition.emit(.rowChanged(row))
    }
}
