import GatewayAPI
import ParseModel
import RemoteService
import StoreService
import SyncModel
import Testing

/// Tests the lines about the life of an object.
@Suite("Lines about an object's life") struct LifeLinesTests {
    private static let object = Pointer(className: "Note", objectId: "a")

    private static func date(_ seconds: Int64) -> ParseDate { ParseDate(milliseconds: seconds * 1000) }

    private static func row(
        isShown: Bool = true, standing: BaseStanding? = .shown, wasAcknowledged: Bool = false,
        isWithheld: Bool = false, readers: [String]? = nil
    ) -> ObjectHistory.Row {
        ObjectHistory.Row(
            createdAt: date(10), updatedAt: date(20), isShown: isShown, standing: standing,
            wasAcknowledged: wasAcknowledged, isWithheld: isWithheld, readers: readers)
    }

    private static func step(
        _ kind: PendingStep.Kind = .update, _ phase: PendingStep.Phase = .pending, code: Int? = nil,
        error: String? = nil, attemptedAt: ParseDate? = nil, by author: SyncAuthor = .gateway
    ) -> ObjectHistory.Step {
        ObjectHistory.Step(
            change: WaitingChange(
                id: 7, author: author, object: object, kind: kind, phase: phase, madeAt: date(30),
                attempts: attemptedAt == nil ? 0 : 2, code: code, error: error),
            fields: kind == .update ? ["name", "date"] : [], attemptedAt: attemptedAt)
    }

    private static let pull = ObjectHistory.Pull(
        name: "all", isWholeClass: true, hasObject: true, completeSince: date(40), refusal: nil)
    private static let syncing = ObjectHistory.Syncing(policy: .merge, pulls: [pull], stoppedBecause: nil)

    private func lines(
        _ history: ObjectHistory, _ syncs: LifeLines.Syncs = .running, readersOfClass: [String]? = nil
    ) -> [LifeLines.Line] { LifeLines(history, syncs, readersOfClass: readersOfClass).lines }

    private func texts(_ history: ObjectHistory, _ syncs: LifeLines.Syncs = .running) -> [String] {
        lines(history, syncs).map(\.text)
    }

    @Test func lifeOfAPulledObjectIsToldInTheOrderOfTime() {
        let history = ObjectHistory(
            object: Self.object, row: Self.row(),
            changes: [.init(kind: .create, at: Self.date(25)), .init(kind: .update, at: Self.date(35))],
            syncing: Self.syncing)
        #expect(
            lines(history).map { [$0.at.map { String($0.milliseconds / 1000) } ?? "", $0.kind.rawValue] }
                == [
                    ["10", "created"], ["25", "pulled"], ["35", "changed"], ["", "state"], ["", "pull"],
                    ["", "unknown"],
                ])
        #expect(texts(history)[1] == "Pulled from the remote for the first time.")
        #expect(texts(history)[3] == "It equals the remote's object as it was last pulled.")
        #expect(
            texts(history)[4]
                == "It belongs to the pull all, whose last complete run began at 1970-01-01T00:00:40.000Z (time of the remote)."
        )
        #expect(texts(history)[5].hasPrefix("Unknown for changes that the remote has: who made them"))
    }

    @Test func waitingChangeTellsItsAuthorItsAttemptsAndItsReason() {
        let step = Self.step(code: 107, error: "busy", attemptedAt: Self.date(50), by: .user("ada"))
        let history = ObjectHistory(object: Self.object, row: Self.row(), changes: [], steps: [step])
        let texts = texts(history)
        #expect(texts.contains("The update of date, name by the user ada was stored here."))
        #expect(
            texts.contains(
                "The update of date, name was sent for the first time (time of the remote). Attempts: 2. The last answer was: busy."
            ))
        let waits = "The update of date, name waits. The remote refuses it for the time being: busy (code 107)."
        #expect(texts.contains { $0.hasPrefix(waits) })
    }

    @Test(arguments: [
        (LifeLines.Syncs.running, "The next sync sends it, unless its author has to log in first."),
        (.paused, "Syncing is paused. POST /sync/resume resumes it."), (.stopped, "The gateway does not run."),
        (
            .offline(message: "no route"),
            "The remote does not answer: no route. It is sent when the remote answers again."
        ),
        (.failing(message: "wrong key"), "Syncs fail: wrong key."),
    ])
    func unsentChangeTellsWhenItIsSent(_ syncs: LifeLines.Syncs, _ reason: String) {
        let history = ObjectHistory(object: Self.object, steps: [Self.step(.create)])
        #expect(texts(history, syncs).contains("The create waits. \(reason)"))
        #expect(lines(history, syncs).first?.text == "Created here by a client of this gateway.")
    }

    @Test func refusedChangeTellsTheAnswerAndTheDecisions() {
        let history = ObjectHistory(
            object: Self.object, row: Self.row(), changes: [],
            steps: [Self.step(.delete, .rejected, code: 119, error: "no")])
        let line = lines(history).first { $0.kind == .refused }
        #expect(line?.text.hasPrefix("The deletion was refused: no (code 119). The file does not keep when.") == true)
        #expect(line?.text.contains("DELETE /sync/rejections/7") == true)
    }

    @Test func conflictsTellWhoDecidedThem() {
        func conflict(_ resolution: String?, _ resolvedAt: ParseDate?) -> ObjectHistory.Conflict {
            ObjectHistory.Conflict(
                kind: .fields, fields: ["name"], foundAt: Self.date(60), resolution: resolution, resolvedAt: resolvedAt)
        }
        func texts(_ conflict: ObjectHistory.Conflict) -> [String] {
            self.texts(
                ObjectHistory(
                    object: Self.object, row: Self.row(), changes: [], conflicts: [conflict], syncing: Self.syncing))
        }
        #expect(
            texts(conflict(nil, nil)).contains(
                "Conflict: both sides changed name. It waits for a decision: GET /sync/conflicts."))
        #expect(
            texts(conflict("local", Self.date(60))).contains(
                "Conflict: both sides changed name. The policy of the class (now merge) decided for: local."))
        let decided = texts(conflict("remote", Self.date(90)))
        #expect(decided.contains("Conflict: both sides changed name."))
        #expect(decided.contains("The conflict was decided: remote."))
    }

    @Test func missingObjectTellsWhyItIsNotKept() {
        let part = ObjectHistory.Pull(
            name: "few", isWholeClass: false, hasObject: false, completeSince: nil, refusal: "Permission denied")
        let history = ObjectHistory(
            object: Self.object, skippedBecause: "too large",
            syncing: ObjectHistory.Syncing(policy: .merge, pulls: [part], stoppedBecause: "full"))
        let texts = texts(history)
        #expect(texts.contains { $0.contains("fetch only a part") && $0.contains("not been pulled completely") })
        #expect(texts.contains("The remote refuses the pull few of the class: Permission denied."))
        #expect(texts.contains("The pulls of the class have stopped: full."))
        #expect(texts.contains("The last pulls have skipped it: too large."))
        #expect(
            self.texts(ObjectHistory(object: Self.object))
                == ["The file has no object with this id. The class is not under sync."])
        #expect(self.texts(ObjectHistory(object: Self.object), .none) == ["The file has no object with this id."])
    }

    @Test func hiddenObjectTellsWhyItIsNotShown() {
        func texts(_ row: ObjectHistory.Row, removal: ObjectHistory.Removal? = nil) -> [String] {
            self.texts(
                ObjectHistory(object: Self.object, row: row, changes: [], removal: removal, syncing: Self.syncing))
        }
        let withheld = Self.row(isShown: false, isWithheld: true)
        #expect(texts(withheld).contains { $0.contains("the remote refuses to list the class") })
        let removal = ObjectHistory.Removal(reason: "tooMany", foundAt: Self.date(70))
        #expect(texts(withheld, removal: removal).contains { $0.contains("its removal waits for a decision") })
        #expect(texts(withheld, removal: removal).contains { $0.contains("GET /sync/removals lists it") })
        #expect(texts(Self.row(standing: .hidden)).contains { $0.contains("does not show it to this gateway") })
        #expect(texts(Self.row(standing: .gone)).contains("The remote has deleted it."))
    }

    @Test func rightsThatHideAnObjectAreTold() {
        let history = ObjectHistory(object: Self.object, row: Self.row(readers: ["ada", "role:editors"]), changes: [])
        let hidden = lines(history, .none, readersOfClass: ["ben"]).filter { $0.kind == .notShown }.map(\.text)
        #expect(
            hidden == [
                "By its ACL, only ada, role:editors may read it. For others it does not exist (code 101).",
                "By the permissions of the class, only ben may read it.",
            ])
        let open = ObjectHistory(object: Self.object, row: Self.row(readers: ["*", "ada"]), changes: [])
        #expect(lines(open, .none).allSatisfy { $0.kind != .notShown })
    }

    @Test func earlierIdsAndMissingFactsAreTold() {
        let history = ObjectHistory(
            object: Self.object, earlierIds: ["local"], row: Self.row(wasAcknowledged: true), changes: nil)
        #expect(texts(history).contains("Its id here was local until the remote gave it the id a. Both ids find it."))
        #expect(texts(history).contains("Earlier changes are shown only with the master key."))
        let trimmed = ObjectHistory(object: Self.object, row: Self.row(), changes: [], lacksEarlierChanges: true)
        #expect(texts(trimmed).contains { $0.hasPrefix("Earlier changes are unknown: ") })
    }
}
