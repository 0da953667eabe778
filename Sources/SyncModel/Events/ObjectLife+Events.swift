import ParseModel

/// `receive` applies each event, such as a local write or a pulled row, to the object.
extension ObjectLife {
    /// Applies an event. If an error is thrown, the object is unchanged.
    /// - Returns: the effects that the store must perform, and the event's contribution to the counts of a pull.
    /// - Throws: `LifeError`, or `ParseError` if a user's input is invalid.
    package mutating func receive(_ event: LifeEvent, _ context: LifeContext) throws -> LifeOutcome {
        var transition = Transition(life: self, context: context)
        // The rules need the whole object, so an object that is withheld (not shown to clients) is shown while they
        // run.
        if isWithheld { transition.life.show() }
        switch event.keepingCreationTime(base?.createdAt) {
        case .created(let operations, let hasChosenId):
            LocalWrite.create(operations, hasChosenId: hasChosenId, &transition)
        case .edited(let operations, let stale): try LocalWrite.edit(operations, stale, &transition)
        case .deleted(let stale): try LocalWrite.delete(stale, &transition)
        case .begunOnce(let kind, let operations, let hasChosenId):
            try LocalWrite.beginOnce(kind, operations, hasChosenId: hasChosenId, &transition)
        case .chosen(let entry, let serverTime): Request.choose(entry, at: serverTime, &transition)
        case .settled(let entry, let settlement): Request.settle(entry, settlement, &transition)
        case .split(let entry, let fields): Request.split(entry, deferring: fields, &transition)
        case .fileRefused(let name, let code, let message): Request.refuseFile(name, code, message, &transition)
        case .fileAdopted(let name, let file): transition.life.replaceFiles { $0.name == name ? file : $0 }
        case .pointerAdopted(let old, let new):
            transition.life.replacePointers(context.options.idFields) { $0 == old ? new : $0 }
        case .row(let record): Pulled.apply(record, &transition)
        case .absent: Pulled.apply(nil, &transition)
        case .secondCopy(let isShown): transition.life.setSecondCopy(isShown: isShown)
        case .candidateTaken: AmbiguousCreate.reopen(&transition)
        case .decided(let keep, let correction):
            try Decision.decide(keep: keep, correction, &transition)
            if keep == "sendAgain" { transition.life.allowSendingAgain() }
        case .retried(let seq, let correction): try Decision.retry(seq, correction, &transition)
        case .givenUp(let seq): try Decision.giveUp(seq, &transition)
        case .undone(let seq): try Decision.undo(seq, &transition)
        case .absenceConfirmed: Pulled.noteGone(&transition)
        case .createdAgain: Recreation.createAgain(&transition)
        case .setAgain(let latest, let ancestor): Recreation.setAgain(latest, since: ancestor, &transition)
        case .authorForgotten(let author): Forgetting.forget(author, &transition)
        case .purged:
            transition.close("remote")
            transition.life.steps = []
        }
        transition.life.isWithheld = isWithheld && !event.endsWithholding(of: transition.life)
        transition.life.replay()
        if baseStanding == .gone, !event.readsTheRemote { Pulled.applyDelayedDeletion(&transition) }
        // A user's decision acts as the author of the change, but the gateway reads the remote for all authors.
        let reader: AuthorKey = if case .decided = event { .gateway } else { context.author }
        transition.life.setProvisionalAuthor(reader, since: self)
        self = transition.life
        return transition.outcome
    }

    /// The id of another object that the event concerns, such as the id that the remote gave to a created object.
    /// `LifeContext.other` must be the local object with this id.
    /// - Returns: nil if the event concerns no other object.
    package func otherId(in event: LifeEvent) -> String? {
        let id: String? =
            switch event {
            case .settled(_, .acknowledged(let acknowledgement)): acknowledgement.objectId
            case .settled(_, .proven(let record)), .settled(_, .recreatedElsewhere(let record)): record.objectId
            case .decided(_, let correction) where conflict?.kind == .ambiguousCreate:
                AmbiguousCreate.chosenId(correction?.objectId, of: self)
            default: nil
            }
        return id == objectId ? nil : id
    }

    /// Hides the object's base (the last known remote state) from clients.
    package mutating func withhold() {
        guard base != nil else { return }
        isWithheld = true
        replay()
    }

    /// Shows a withheld object again.
    package mutating func show() {
        isWithheld = false
        replay()
    }

    /// Makes changes that were sent at most once ordinary changes, because a user has decided to send them again.
    fileprivate mutating func allowSendingAgain() {
        for index in steps.indices { steps[index].step.isSentOnce = false }
    }

    fileprivate mutating func replaceFiles(_ replacement: (FileReference) -> FileReference) {
        for index in steps.indices {
            steps[index].step.operations = steps[index].step.operations.replacingFiles(replacement)
        }
    }

    /// Hides or shows an object that may be a second copy of a locally created object. Otherwise lists would contain
    /// the object twice, and edits of the two copies would not merge. An object with pending steps stays visible.
    fileprivate mutating func setSecondCopy(isShown: Bool) {
        guard isShown || (steps.isEmpty && base != nil) else { return }
        isSecondCopy = !isShown
    }
}

extension LifeEvent {
    /// Whether clients see the withheld (hidden) object again after the event. True if the remote has shown its row, if
    /// the remote has deleted the object although a local change waits, and if a user keeps the local state.
    fileprivate func endsWithholding(of life: ObjectLife) -> Bool {
        switch self {
        case .row, .createdAgain, .setAgain, .purged: true
        case .absent: life.conflict != nil
        default: life.base == nil
        }
    }
}
