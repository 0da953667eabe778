import ParseModel

/// Conflicts about requests of this gateway. They open where the remote cannot prove the outcome, and a person answers them.
enum Question {
    /// - Parameters:
    ///   - index: of the step that was sent.
    ///   - others: ids of further objects that a create may have made.
    static func open(
        _ kind: ConflictKind, about index: Int, remote: RemoteRecord?, others: [String] = [],
        _ transition: inout Transition
    ) {
        let base = transition.life.base
        let step = transition.life.steps[index].step
        // The comparison is with the state that the request would have produced.
        let local = Replay.view(base: base, steps: [step], className: transition.life.className)
        transition.life.steps[index].step.phase = .held
        // The remote may have the object: later work does not merge into its create.
        if kind == .ambiguousCreate { transition.life.steps[index].step.wasAttempted = true }
        // An object that was deleted here stays deleted: a held deletion would show it again.
        transition.life.setPhase(.held, except: .delete)
        let row = remote.map(transition.context.restricted)
        transition.record(
            kind, fields: step.operations.fields, base: base, local: local, remote: row?.state, remoteId: row?.objectId,
            candidates: others)
        guard let row else { return }
        guard row.objectId == transition.life.objectId else {
            return transition.demand(.copyHidden(objectId: row.objectId))
        }
        let news = Transition.News(remote: row.state, base: base, local: transition.life.view)
        Pulled.settleBesideQuestion(row, news, &transition)
        transition.life.base = row.state
        transition.demand(.rowIsNews(row))
    }
}
