import ParseModel

/// The states that a pending step may have after each kind of event, as a table.
///
/// `ObjectLife.receive` does not use the table: it follows the rules of each event. Tests and the simulation check its
/// results against the table.
package enum StepTable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Waits to be sent; local work merges into it.
        case pending
        /// A request is in flight. Local changes and pulled rows do not change the step.
        case inFlight
        /// A request ended without a clear answer. Local work and pulled rows do not change the step until a later read
        /// has shown the outcome.
        case unknown
        /// Waits for a user's decision: the remote refused the step, cannot store its values, or failed on it again and
        /// again.
        case rejected
        /// Part of an open conflict; waits for a user's decision.
        case held
        /// The step no longer exists: acknowledged, proven, dropped or merged into another step.
        case done
    }

    /// The kinds of events that the table distinguishes.
    package enum Event: String, Sendable, Hashable, CaseIterable {
        case localWrite, chosen, split
        case acknowledged, proven, deletionDone, moot, recreatedElsewhere, notExecuted, sendAgain, dropped, unknown,
            rejected, outcomeConflict
        case renamed, fileRefused
        case row, absence, candidateTaken
        case decision, retry, giveUp, undo, restore, purge, forgetting
    }

    /// The states that a step in `state` may have after `event`. Without an entry in the table, the step stays in
    /// `state`.
    /// - Parameter isSubject: whether the event concerns this step; false for an event about another step or the whole object.
    package static func next(of state: State, after event: Event, isSubject: Bool) -> Set<State> {
        let row = isSubject ? subject[event] ?? others[event] : others[event]
        return row?[state] ?? [state]
    }

    /// One entry of the table: after the event, a step in state `before` may be in state `after`.
    package struct Transition: Sendable, Hashable {
        package let event: Event
        package let isSubject: Bool
        package let before: State
        package let after: State
    }

    /// All entries of the table in which `after` differs from `before`.
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

    /// The transitions of an object's saved steps by one event.
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

    /// The possible next states of the one step that an event concerns (the event's subject), by event and present state.
    private static let subject: [Event: [State: Set<State>]] = [
        .chosen: [.pending: [.pending, .inFlight]],
        .acknowledged: [.inFlight: [.done], .unknown: [.done]],
        // A row does not show the members of relations, so it cannot prove changes of members: a step with such changes
        // becomes pending again. A proof may also settle a step that is already pending again.
        .proven: [.inFlight: [.done, .pending], .unknown: [.done, .pending], .pending: [.done, .pending]],
        .deletionDone: [.inFlight: [.done], .unknown: [.done], .pending: [.done]],
        .moot: [.inFlight: [.done], .unknown: [.done]],
        .recreatedElsewhere: [.pending: [.pending, .held, .done]],
        .notExecuted: [.inFlight: [.pending], .unknown: [.pending], .pending: [.pending]],
        .sendAgain: [.inFlight: [.pending], .unknown: [.pending]],
        .dropped: [.inFlight: [.done], .unknown: [.done]],
        // A later step of a restored backup gets its turn.
        .unknown: [.inFlight: [.unknown], .unknown: [.unknown], .pending: [.unknown]],
        // Later local changes may merge into the refused step, which is then pending. A step with a value that the
        // remote cannot store is rejected while it is pending, without a request.
        .rejected: [
            .inFlight: [.rejected, .pending, .held, .done], .unknown: [.rejected, .pending, .held, .done],
            .pending: [.rejected, .pending, .held, .done],
        ],
        // If a deletion follows the step, the outcome no longer matters, and the step is dropped.
        .outcomeConflict: [.inFlight: [.held, .done], .unknown: [.held, .done], .pending: [.held, .done]],
        .retry: [.rejected: [.pending]],
        .giveUp: [.rejected: [.done]],
        .undo: [.pending: [.done]],
    ]

    /// For the steps that an event does not concern: the possible next states, by event and present state. An event about the
    /// whole object concerns no single step, so this table then holds for all steps.
    private static let others: [Event: [State: Set<State>]] = [
        // An edit merges into a pending or rejected step, which is then pending. A deletion drops updates. A write to
        // an object in conflict may decide the conflict, and a stale write (based on an earlier state) may open one.
        .localWrite: [
            .pending: [.pending, .held, .done], .rejected: [.rejected, .pending, .held, .done],
            .held: [.held, .pending, .done],
        ],
        // A step after the split create gets a new number, behind the new update. The table is checked by number, so
        // the step with the old number counts as done.
        .split: [.pending: [.pending, .done], .held: [.held, .done], .rejected: [.rejected, .done]],
        // After the remote has given an object its id, the object may have steps under two ids. A deletion under one id
        // is dropped if an edit under the other id follows. Clients do not see a deletion that is sent at most once, so an
        // edit may follow it and get into a conflict with it.
        .acknowledged: [.pending: [.pending, .held, .done]],
        .proven: [.pending: [.pending, .done]],
        .deletionDone: [
            .pending: [.held, .done], .inFlight: [.done], .unknown: [.done], .rejected: [.done], .held: [.done],
        ],
        .recreatedElsewhere: [
            .pending: [.pending, .held, .done], .rejected: [.rejected, .pending, .held, .done],
            .held: [.held, .pending, .done],
        ],
        // Later steps may merge into the step that was refused.
        .rejected: [.pending: [.pending, .done], .held: [.held, .done], .rejected: [.rejected, .done]],
        .outcomeConflict: [
            .pending: [.pending, .held, .done], .rejected: [.rejected, .held, .done], .held: [.held, .done],
        ],
        .fileRefused: [
            .pending: [.pending, .rejected, .held, .done], .held: [.held, .done], .rejected: [.rejected, .done],
        ],
        // `inFlight` and `unknown` are missing, because a pulled row does not change the step of a request without a
        // known outcome. The outcome is judged against the base (the remote state before the request), which
        // `RebaseRules.decide` keeps until then. If the remote shows a deleted object again, the outcome of a held
        // update can become unknown again.
        .row: [
            .pending: [.pending, .held, .done], .rejected: [.rejected, .pending, .held, .done],
            .held: [.held, .pending, .unknown, .done],
        ],
        .absence: [
            .pending: [.pending, .held, .done], .rejected: [.rejected, .held, .done], .held: [.held, .pending, .done],
        ],
        .candidateTaken: [.held: [.held, .unknown, .pending]],
        .decision: [
            .held: [.pending, .unknown, .done, .held], .pending: [.pending, .held, .done],
            .rejected: [.rejected, .pending, .held, .done], .inFlight: [.inFlight, .done], .unknown: [.unknown, .done],
        ],
        // If a create is dropped, the later steps of its author are dropped too.
        .giveUp: dropped, .undo: dropped,
        // `restore` replaces all steps by at most one new step, which sends the local state to the remote again. If a
        // client has deleted the object, its steps stay.
        .restore: dropped.merging([.held: [.held, .pending, .done]]) { $1 },
        .purge: [.pending: [.done], .inFlight: [.done], .unknown: [.done], .rejected: [.done], .held: [.done]],
        // The steps of other authors stay. A conflict about them may close.
        .forgetting: dropped.merging([.held: [.held, .pending, .done]]) { $1 },
    ]

    private static let dropped: [State: Set<State>] = [
        .pending: [.pending, .done], .inFlight: [.inFlight, .done], .unknown: [.unknown, .done],
        .rejected: [.rejected, .done], .held: [.held, .done],
    ]

    /// Describes each transition that the table does not allow, and each invariant that the new state violates.
    package static func violations(from old: ObjectLife, to new: ObjectLife, by event: LifeEvent) -> [String] {
        let wrong = transitions(from: old, to: new, by: event).filter { entry in
            !next(of: entry.before, after: entry.event, isSubject: entry.isSubject).contains(entry.after)
        }
        let lines = wrong.map { "\($0.event.rawValue) leads a step from \($0.before.rawValue) to \($0.after.rawValue)" }
        return lines + invariantViolations(of: new)
    }

    /// Describes each invariant that `life` violates.
    package static func invariantViolations(of life: ObjectLife) -> [String] {
        var lines: [String] = []
        var replayed = life
        replayed.replay()
        if replayed.view != life.view { lines.append("the view differs from the pending steps replayed over the base") }
        if life.base == nil, life.steps.first?.step.kind == .update {
            lines.append("an update precedes the create")
        }
        if life.steps.count(where: { $0.step.phase == .inFlight }) > 1 { lines.append("two requests are in flight") }
        if life.steps.contains(where: { $0.step.isSentOnce && $0.step.wasAttempted && $0.step.phase == .pending }) {
            lines.append("a change that was sent once would be sent again")
        }
        if (life.state == .conflict) != (life.conflict != nil) {
            lines.append("an open conflict has no held step, or a held step no open conflict")
        }
        return lines
    }
}

extension LifeEvent {
    /// The number of the step that the event concerns; nil if it concerns the whole object.
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
            case .created, .edited, .deleted, .begunOnce: .localWrite
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
            case .absenceConfirmed, .createdAgain, .setAgain: .restore
            case .purged: .purge
            case .authorForgotten: .forgetting
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
            case .dropped: .dropped
            case .moot: .moot
            case .recreatedElsewhere: .recreatedElsewhere
            case .unknown: .unknown
            case .rejected: .rejected
            case .conflict: .outcomeConflict
            }
    }
}
