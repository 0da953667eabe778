import ParseModel

/// The life of a pending step, as a table: which event may lead from which state to which.
///
/// `receive` decides by the rules of each event. This table is their summary and their check: tests enumerate short lives
/// against it, and the simulation audits every event by it.
package enum StepTable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Waits to be sent; local work merges into it.
        case pending
        /// A request is under way; frozen.
        case inFlight
        /// A request was sent and got no clear answer; frozen until a read proves its outcome.
        case unknown
        /// The remote refused it for good; waits for a decision.
        case rejected
        /// Part of an open conflict; waits for a decision.
        case held
        /// The step is no longer there: acknowledged, proven, dropped or merged into another one.
        case done
    }

    /// The kinds of events that the table tells apart.
    package enum Event: String, Sendable, Hashable, CaseIterable {
        case localWrite, chosen, split
        case acknowledged, proven, deletionDone, moot, madeByOthers, notExecuted, sendAgain, unknown, rejected,
            questioned
        case renamed, fileRefused
        case row, absence, candidateTaken
        case decision, retry, giveUp, undo, restore, purge
    }

    /// The states that a step in `state` may have after `event`.
    /// - Parameter isSubject: whether the event is about this step, and not about another one of the object.
    package static func next(of state: State, after event: Event, isSubject: Bool) -> Set<State> {
        let row = isSubject ? subject[event] ?? others[event] : others[event]
        return row?[state] ?? [state]
    }

    /// One entry of the table: a step in `before` may be in `after` then.
    package struct Transition: Sendable, Hashable {
        package let event: Event
        package let isSubject: Bool
        package let before: State
        package let after: State
    }

    /// All entries of the table that change something.
    package static var transitions: Set<Transition> {
        var entries: Set<Transition> = []
        for (rows, isSubject) in [(subject, true), (others, false)] {
            for (event, row) in rows {
                for (before, states) in row {
                    for after in states where after != before {
                        entries.insert(
                            Transition(event: event, isSubject: isSubject, before: before, after: after))
                    }
                }
            }
        }
        return entries
    }

    /// The transitions of an object's saved steps.
    package static func transitions(
        from old: ObjectLife, to new: ObjectLife, by event: LifeEvent
    ) -> [Transition] {
        let kind = Event(event)
        let subject = event.subject(in: old)
        return old.steps.compactMap { step in
            guard let seq = step.seq else { return nil }
            let after = new.steps.first { $0.seq == seq }.map { State($0.step.phase) } ?? .done
            return Transition(
                event: kind, isSubject: seq == subject && Self.subject[kind] != nil, before: State(step.step.phase),
                after: after)
        }
    }

    /// The step that an event is about.
    private static let subject: [Event: [State: Set<State>]] = [
        .chosen: [.pending: [.pending, .inFlight]],
        .acknowledged: [.inFlight: [.done], .unknown: [.done]],
        // No row proves the members of relations: that part is pending again. A create that was never sent can be proven too,
        // by an object that another replica has created again.
        .proven: [.inFlight: [.done, .pending], .unknown: [.done, .pending], .pending: [.done, .pending]],
        .deletionDone: [.inFlight: [.done], .unknown: [.done], .pending: [.done]],
        .moot: [.inFlight: [.done], .unknown: [.done]],
        .madeByOthers: [.pending: [.pending, .held, .done]],
        .notExecuted: [.inFlight: [.pending], .unknown: [.pending], .pending: [.pending]],
        .sendAgain: [.inFlight: [.pending], .unknown: [.pending]],
        .unknown: [.inFlight: [.unknown], .unknown: [.unknown]],
        // Later work may correct the refused step, which is pending then. The push rejects a step that the remote cannot
        // take without sending it.
        .rejected: [
            .inFlight: [.rejected, .pending, .held, .done], .unknown: [.rejected, .pending, .held, .done],
            .pending: [.rejected, .pending, .held, .done],
        ],
        // A deletion that follows makes the question moot.
        .questioned: [.inFlight: [.held, .done], .unknown: [.held, .done], .pending: [.held, .done]],
        .retry: [.rejected: [.pending]],
        .giveUp: [.rejected: [.done]],
        .undo: [.pending: [.done]],
    ]

    /// Other steps of the object, and all its steps where an event is about the object.
    private static let others: [Event: [State: Set<State>]] = [
        // An edit joins a pending or refused step, which is pending then; a deletion makes updates needless. A write of an object
        // in conflict may decide the conflict, and one on an earlier state may open one.
        .localWrite: [
            .pending: [.pending, .held, .done], .rejected: [.rejected, .pending, .held, .done],
            .held: [.held, .pending, .done],
        ],
        // Later steps move behind the new one, under new numbers.
        .split: [.pending: [.pending, .done], .held: [.held, .done], .rejected: [.rejected, .done]],
        // The two ids of an object may each have work. A deletion under one goes where an edit under the other is later.
        .acknowledged: [.pending: [.pending, .done]],
        .proven: [.pending: [.pending, .done]],
        .deletionDone: [
            .pending: [.done], .inFlight: [.done], .unknown: [.done], .rejected: [.done], .held: [.done],
        ],
        .madeByOthers: [
            .pending: [.pending, .held, .done], .rejected: [.rejected, .pending, .held, .done],
            .held: [.held, .pending, .done],
        ],
        // Later steps join the refused one again.
        .rejected: [.pending: [.pending, .done], .held: [.held, .done], .rejected: [.rejected, .done]],
        .questioned: [
            .pending: [.pending, .held, .done], .rejected: [.rejected, .held, .done], .held: [.held, .done],
        ],
        .fileRefused: [
            .pending: [.pending, .rejected, .held, .done], .held: [.held, .done], .rejected: [.rejected, .done],
        ],
        // A frozen step stays: its outcome is judged against the base that it was made on.
        .row: [
            .pending: [.pending, .held, .done], .rejected: [.rejected, .pending, .held, .done],
            .held: [.held, .pending, .done],
        ],
        .absence: [
            .pending: [.pending, .held, .done], .rejected: [.rejected, .held, .done], .held: [.held, .pending, .done],
        ],
        .candidateTaken: [.held: [.held, .unknown, .pending]],
        .decision: [
            .held: [.pending, .unknown, .done, .held], .pending: [.pending, .held, .done],
            .rejected: [.rejected, .pending, .held, .done], .inFlight: [.inFlight, .done], .unknown: [.unknown, .done],
        ],
        // Without their create, later steps go with it.
        .giveUp: dropped, .undo: dropped,
        // An object that was deleted here meanwhile stays as it is.
        .restore: dropped.merging([.held: [.held, .pending, .done]]) { $1 },
        .purge: [.pending: [.done], .inFlight: [.done], .unknown: [.done], .rejected: [.done], .held: [.done]],
    ]

    private static let dropped: [State: Set<State>] = [
        .pending: [.pending, .done], .inFlight: [.inFlight, .done], .unknown: [.unknown, .done],
        .rejected: [.rejected, .done], .held: [.held, .done],
    ]

    /// The transitions of an event that the table does not have, and the laws that the new state breaks.
    package static func violations(from old: ObjectLife, to new: ObjectLife, by event: LifeEvent) -> [String] {
        let wrong = transitions(from: old, to: new, by: event).filter { entry in
            !next(of: entry.before, after: entry.event, isSubject: entry.isSubject).contains(entry.after)
        }
        let lines = wrong.map { "\($0.event.rawValue) leads a step from \($0.before.rawValue) to \($0.after.rawValue)" }
        return lines + invariantViolations(of: new)
    }

    /// The laws of every object that `life` breaks.
    package static func invariantViolations(of life: ObjectLife) -> [String] {
        var lines: [String] = []
        var replayed = life
        replayed.replay()
        if replayed.view != life.view { lines.append("the view is not the pending steps replayed over the base") }
        if life.base == nil, life.steps.first?.step.kind == .update {
            lines.append("an update stands before the create")
        }
        if life.steps.count(where: { $0.step.phase == .inFlight }) > 1 { lines.append("two requests are under way") }
        if (life.state == .conflict) != (life.conflict != nil) {
            lines.append("held steps and an open conflict go together")
        }
        return lines
    }
}

extension LifeEvent {
    /// The number of the step that the event is about; nil where it is about the object.
    fileprivate func subject(in life: ObjectLife) -> Int64? {
        switch self {
        case .chosen(let entry, _), .settled(let entry, _): entry.id
        case .retried(let seq, _), .givenUp(let seq), .undone(let seq): seq
        default: nil
        }
    }
}

extension StepTable.State {
    init(_ phase: PendingStep.Phase) {
        self =
            switch phase {
            case .pending: .pending
            case .inFlight: .inFlight
            case .unknown: .unknown
            case .held: .held
            case .rejected: .rejected
            }
    }
}

extension StepTable.Event {
    package init(_ event: LifeEvent) {
        self =
            switch event {
            case .created, .edited, .deleted: .localWrite
            case .chosen: .chosen
            case .settled(_, let settlement): Self(settlement)
            case .split: .split
            case .fileRefused: .fileRefused
            case .fileAdopted, .pointerAdopted, .secondCopy: .renamed
            case .row: .row
            case .absent: .absence
            case .candidateTaken: .candidateTaken
            case .decided: .decision
            case .retried: .retry
            case .givenUp: .giveUp
            case .undone: .undo
            case .createdAgain, .setAgain: .restore
            case .purged: .purge
            }
    }

    private init(_ settlement: Settlement) {
        self =
            switch settlement {
            case .acknowledged: .acknowledged
            case .proven: .proven
            case .deletionDone: .deletionDone
            case .notExecuted: .notExecuted
            case .sendAgain: .sendAgain
            case .moot: .moot
            case .madeByOthers: .madeByOthers
            case .unknown: .unknown
            case .rejected: .rejected
            case .conflict: .questioned
            }
    }
}
