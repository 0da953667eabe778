import ParseModel
import SyncModel
import SyncModelSupport
import Testing

/// Tests that the table of the transitions of pending changes (steps) has an entry for every transition that happens,
/// and no other entry.
@Suite("Table of the transitions of pending steps")
struct StepTableTests {
    /// Table entries that five events on one object do not reach. They need a second object, such as a pulled object
    /// with the remote's id, or more events. The simulation reaches them.
    private static let beyondShortLives: Set<String> = [
        "decision false unknown done", "decision false inFlight done",
        "absence false held pending",
        "acknowledged true unknown done",
        "candidateTaken false held pending",
        "candidateTaken false held unknown",
        "decision false held unknown",
        "decision false pending done",
        "decision false pending held",
        "decision false rejected done",
        "decision false rejected held",
        "decision false rejected pending",
        "deletionDone false held done",
        "deletionDone false inFlight done",
        "deletionDone false rejected done",
        "deletionDone false unknown done",
        "deletionDone true pending done",
        "forgetting false held pending",
        "fileRefused false held done",
        "fileRefused false pending done",
        "fileRefused false pending held",
        "fileRefused false pending rejected",
        "fileRefused false rejected done",
        "giveUp false held done",
        "giveUp false inFlight done",
        "giveUp false pending done",
        "giveUp false rejected done",
        "giveUp false unknown done",
        "recreatedElsewhere false held done",
        "recreatedElsewhere false held pending",
        "recreatedElsewhere false pending done",
        "recreatedElsewhere false pending held",
        "recreatedElsewhere false rejected done",
        "recreatedElsewhere false rejected held",
        "recreatedElsewhere false rejected pending",
        "recreatedElsewhere true pending done",
        "notExecuted true unknown pending",
        "proven false pending done",
        "proven true inFlight done",
        "proven true inFlight pending",
        "proven true pending done",
        "proven true unknown pending",
        "outcomeConflict false held done",
        "outcomeConflict false rejected done",
        "outcomeConflict false rejected held",
        "outcomeConflict true pending done",
        "outcomeConflict true pending held",
        "rejected false held done",
        "rejected false rejected done",
        "rejected true inFlight held",
        "rejected true pending held",
        "rejected true unknown held",
        "restore false held pending",
        "row false held done",
        "row false held pending",
        "row false held unknown",
        "row false rejected pending",
        "sendAgain true inFlight pending",
        "split false held done",
        "split false rejected done",
        "undo false held done",
        "undo false inFlight done",
        "undo false pending done",
        "undo false rejected done",
        "undo false unknown done",
        "unknown true pending unknown",
    ]

    @Test func shortEventSequencesReachEveryEntryOfTheStepTable() {
        var seen: Set<StepTable.Transition> = []
        var broken: [String] = []
        for policy in ConflictPolicy.allCases {
            for beginning in ShortLife.Beginning.allCases {
                let lives = ShortLives(policy: policy, beginning: beginning, happeningsMax: 5)
                seen.formUnion(lives.transitions)
                broken += lives.broken
                for life in ShortLives(policy: policy, beginning: beginning, happeningsMax: 4).lives.keys {
                    for event in Self.rareEvents(of: life) {
                        var later = life
                        broken += later.meets(event) ?? []
                        seen.formUnion(later.transitions)
                    }
                }
            }
        }
        #expect(broken == [])
        let never = StepTable.transitions.subtracting(seen).map { entry in
            "\(entry.event) \(entry.isSubject) \(entry.before) \(entry.after)"
        }
        #expect(Set(never) == Self.beyondShortLives)
    }

    /// Events that short sequences do not produce.
    private static func rareEvents(of life: ShortLife) -> [LifeEvent] {
        let row = RemoteRecord.make(["a": 7, "b": 0])
        var events: [LifeEvent] = [
            .purged, .authorForgotten(.gateway), .createdAgain, .setAgain(latest: row, ancestor: row), .candidateTaken,
            .absenceConfirmed,
            .fileRefused(name: "f", code: 130, message: "no"),
            .edited(.make(["a": 8]), stale: StaleWrite(seen: nil, fields: ["a"], wanted: ["a": 8])),
            .deleted(stale: StaleWrite(seen: nil)),
        ]
        guard let first = life.life.steps.first else { return events }
        var settlements: [Settlement] = [.rejected(code: 111, message: "no")]
        switch first.step.kind {
        case .create:
            settlements += [.conflict(.ambiguousCreate, remote: nil), .conflict(.ambiguousCreate, remote: row)]
        case .update: settlements += [.conflict(.wasThisApplied, remote: nil), .moot(nil), .moot(row)]
        case .delete: settlements += [.deletionDone]
        }
        if life.entry.isFollowedByDelete { settlements += [.deletionDone] }
        events += [.split(life.entry, deferring: ["a"])]
        switch first.step.phase {
        case .inFlight, .unknown: events += settlements.map { .settled(life.entry, $0) }
        case .pending where first.isUnsentRecreate: events += [.settled(life.entry, .recreatedElsewhere(row))]
        case .pending: events += [.settled(life.entry, settlements[0])]
        case .held, .rejected: break
        }
        return events
    }
}
