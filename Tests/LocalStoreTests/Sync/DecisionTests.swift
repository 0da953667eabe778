import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@Suite("Undo, retry, and decisions about changes")
struct DecisionTests {
    private let store: LocalStore

    init() async throws {
        store = try LocalStore.make(.replica)
        try await store.pull([.make("known", ["n": 1, "name": "x"])])
    }

    private func onlyPending() throws -> PendingChange { try #require(try store.pendingChanges().first) }

    // MARK: Undo

    @Test func undoingAnUpdateRestoresTheRemoteState() async throws {
        let before = try store.json("known")
        try await store.update("known", ["n": 2])
        try await store.undoPending(onlyPending().id)
        #expect(try store.json("known") == before)
        #expect(try store.state("known") == .synced)
        #expect(try store.pendingChanges().isEmpty)
    }

    @Test func undoingADeletionRestoresTheObject() async throws {
        try await store.delete("known")
        try await store.undoPending(onlyPending().id)
        #expect(try store.fields("known") == ["n": 1, "name": "x"])
        #expect(try store.changes(since: 0, classes: nil, limit: 9).entries.map(\.kind) == [.create, .delete, .create])
    }

    @Test func undoingACreateDropsTheLaterChanges() async throws {
        let id = try await store.create(["tags": ["a"]])
        let own = Pointer(className: "Holiday", objectId: id).json
        try await store.update(id, ["in": own])
        try await store.sync.split(store.sync.outbox(limit: 1)[0], deferring: ["in"])
        try await store.undoPending(onlyPending().id)
        #expect(try store.object("Holiday", id) == nil)
        #expect(try store.pendingChanges().isEmpty)
    }

    @Test func oneOfTwoPendingChangesOfAnObjectCanBeUndoneAlone() async throws {
        try await store.update("known", ["tags": .op("Add", "b", "c")])
        try await store.update("known", ["tags": .op("Remove", "b"), "n": 5])
        try await store.undoPending(onlyPending().id)
        #expect(try store.fields("known") == ["n": 5, "name": "x", "tags": []])
        #expect(try store.steps(of: "known").count == 1)
    }

    @Test func aChangeThatWasSentCannotBeUndone() async throws {
        try await store.update("known", ["n": 2])
        let entry = try await store.sync.freeze("known")
        for settlement in [
            nil, Settlement.unknown(reason: "time-out"), .sendAgain, .rejected(code: 119, message: "no"),
        ] {
            if let settlement { try await store.sync.settle([(entry, settlement)]) }
            let error = await #expect(throws: StoreError.self) { try await store.undoPending(entry.id) }
            guard case .notPossible = error else {
                Issue.record("\(String(describing: error)) after \(String(describing: settlement))")
                continue
            }
        }
        #expect(try store.fields("known")?["n"] == 2)
    }

    @Test func undoAndRetryOfUnknownEntryNumbersAreErrors() async throws {
        let decisions = store.decisions
        let all: [(Int64, Principal) async throws -> Void] = [
            { try await decisions.undoPending($0, match: nil, as: $1) },
            { try await decisions.giveUpRejection($0, match: nil, as: $1) },
            decisions.confirmRemoval, decisions.keepRemoval,
        ]
        for act in all {
            let error = await #expect(throws: StoreError.self) { try await act(99, .master) }
            guard case .notFound = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        try await store.update("known", ["n": 2])
        let pending = try onlyPending().id
        // A pending change is not a rejection.
        await #expect(throws: StoreError.notFound(what: "rejection \(pending)")) {
            try await store.retryRejection(pending, fields: nil)
        }
        await #expect(throws: StoreError.self) { try await store.resolveConflict(1, keep: "local", fields: nil) }
    }

    // MARK: Rejections

    @Test func aRejectionKeepsItsReasonAndBlocksOnlyItsObject() async throws {
        let id = try await store.create(["n": 2])
        try await store.update("known", ["n": 5])
        try await store.push(id, .rejected(code: 119, message: "no class creation"))
        #expect(try store.state(id) == .rejected)
        #expect(try store.fields(id) == ["n": 2])
        let rejection = try #require(try store.rejections().first)
        #expect(rejection.code == 119)
        #expect(rejection.error == "no class creation")
        #expect(rejection.attempts == 1)
        #expect(try await store.figures().rejections == 1)
        #expect(try await store.figures().pending == 1)
        #expect(try await store.sync.outbox(limit: 10).map(\.objectId) == ["known"])
    }

    @Test func aRetriedRejectionIsSentAgain() async throws {
        try await store.update("known", ["n": 5])
        let entry = try await store.push("known", .rejected(code: 142, message: "no"))
        try await store.retryRejection(entry.id, fields: nil)
        #expect(try store.rejections().isEmpty)
        #expect(try store.state("known") == .updated)
        let waiting = try onlyPending()
        #expect(waiting.code == nil)
        #expect(waiting.error == nil)
        #expect(waiting.step.operations.json == ["n": 5])
        #expect(try await store.sync.outbox(limit: 10).map(\.id) == [entry.id])
    }

    @Test func aRejectionCanBeRetriedWithOtherValues() async throws {
        try await store.update("known", ["n": 5])
        let entry = try await store.push("known", .rejected(code: 142, message: "too large"))
        try await store.retryRejection(entry.id, fields: ["n": 4])
        #expect(try store.fields("known") == ["n": 4, "name": "x"])
        #expect(try store.steps(of: "known") == [#"update {"n":4}"#])
    }

    /// The same rule holds for creates and updates, except that a field can be deleted only if it exists.
    @Test(
        arguments: [
            (["n": 4], ["n": 4, "name": "y", "tag": "z"]), (["n": nil], ["name": "y", "tag": "z"]),
            (["more": 1, "tag": nil], ["n": 5, "name": "y", "more": 1]), ([:], ["n": 5, "name": "y", "tag": "z"]),
            (["n": .increment(2)], ["n": .increment(2), "name": "y", "tag": "z"]),
            (["n": ["__op": "Delete"]], ["n": ["__op": "Delete"], "name": "y", "tag": "z"]),
        ] as [(JSONObject, JSONObject)])
    func aCorrectionIsAppliedOverTheRefusedOperations(_ given: JSONObject, _ result: JSONObject) async throws {
        let body: JSONObject = ["n": 5, "name": "y", "tag": "z"]
        let made = try await store.create(body)
        try await store.update("known", body)
        for id in [made, "known"] {
            let entry = try await store.push(id, .rejected(code: 142, message: "no"))
            try await store.retryRejection(entry.id, fields: given)
            var expected = result
            if id == made { expected.removeAll { result[$0] == ["__op": "Delete"] } }
            let waiting = try #require(try store.pendingChanges().first { $0.objectId == id })
            #expect(waiting.step.operations.json == expected)
        }
    }

    /// A client that sends back the whole object, as it was read, has not changed all of its fields.
    @Test func unchangedFieldsOfACorrectionAreNotSent() async throws {
        try await store.update("known", ["n": 5])
        let entry = try await store.push("known", .rejected(code: 142, message: "too large"))
        var given = try #require(try store.json("known"))
        given["n"] = 4
        try await store.retryRejection(entry.id, fields: given)
        #expect(try store.steps(of: "known") == [#"update {"n":4}"#])
    }

    /// The remote may have stored the removed field, so the corrected create deletes it.
    @Test func aCorrectionOfACreateThatMayHaveArrivedDeletesRemovedFields() async throws {
        let id = try await store.create(["n": 5, "name": "y"])
        let entry = try await store.push(id, .rejected(code: 1, message: "failed", wasAttempted: true))
        try await store.retryRejection(entry.id, fields: ["name": nil])
        #expect(try store.steps(of: id) == [#"create {"n":5,"name":{"__op":"Delete"}}"#])
        #expect(try store.fields(id) == ["n": 5])
    }

    @Test func aCorrectionThatLeavesNoChangeIsRefused() async throws {
        try await store.update("known", ["n": 5])
        let entry = try await store.push("known", .rejected(code: 142, message: "no"))
        await #expect(throws: ParseError.self) { try await store.retryRejection(entry.id, fields: ["n": nil]) }
        #expect(try store.rejections().map(\.id) == [entry.id])
    }

    @Test func anEditOfARefusedChangeIsARetry() async throws {
        try await store.update("known", ["n": 5, "name": "y"])
        try await store.push("known", .rejected(code: 142, message: "too large"))
        try await store.update("known", ["n": 4])
        #expect(try store.rejections().isEmpty)
        #expect(try store.steps(of: "known") == [#"update {"n":4,"name":"y"}"#])
        #expect(try onlyPending().code == nil)
    }

    @Test func givingUpARefusedUpdateRestoresTheRemoteState() async throws {
        try await store.update("known", ["n": 5])
        let entry = try await store.push("known", .rejected(code: 142, message: "no"))
        try await store.giveUpRejection(entry.id)
        #expect(try store.fields("known") == ["n": 1, "name": "x"])
        #expect(try store.state("known") == .synced)
        #expect(try store.rejections().isEmpty)
    }

    @Test func givingUpACreateRemovesTheObject() async throws {
        let id = try await store.create(["n": 5])
        let entry = try await store.push(id, .rejected(code: 142, message: "no"))
        try await store.giveUpRejection(entry.id)
        #expect(try store.object("Holiday", id) == nil)
        #expect(try await store.figures().rejections == 0)
    }

    @Test func givingUpARefusedDeletionRestoresTheObject() async throws {
        try await store.delete("known")
        let entry = try await store.push("known", .rejected(code: 119, message: "no"))
        try await store.giveUpRejection(entry.id)
        #expect(try store.fields("known") == ["n": 1, "name": "x"])
    }

    // MARK: Conflicts

    /// A conflict about an increment whose outcome is unknown, where the remote's row does not tell whether it was
    /// applied.
    private func conflictAboutAnIncrement() async throws -> ListedConflict {
        try await store.update("known", ["n": .increment(1)])
        let entry = try await store.push("known", .unknown(reason: "time-out"))
        let row = RemoteRecord.make("known", ["n": 7, "name": "x"], updatedMs: 9000)
        try await store.sync.settle([(entry, .conflict(.wasThisApplied, remote: row))])
        return try #require(try store.conflicts(resolved: false).first)
    }

    @Test func aConflictContainsCommonAncestorLocalAndRemoteState() async throws {
        let conflict = try await conflictAboutAnIncrement()
        #expect(conflict.kind == .wasThisApplied)
        #expect(conflict.fields == ["n"])
        #expect(conflict.base?.contains(#""n":1"#) == true)
        #expect(conflict.local?.contains(#""n":2"#) == true)
        #expect(conflict.remote?.contains(#""n":7"#) == true)
        #expect(try store.state("known") == .conflict)
        #expect(try await store.sync.outbox(limit: 10).isEmpty)
        #expect(try store.pendingChanges().isEmpty)
    }

    @Test(arguments: [("applied", 7), ("sendAgain", 8)]) func aUserDecidesWhetherAnIncrementWasApplied(
        _ keep: String, _ n: Int
    ) async throws {
        let conflict = try await conflictAboutAnIncrement()
        try await store.update("known", ["name": "edited meanwhile"])
        try await store.resolveConflict(conflict.id, keep: keep, fields: nil)
        #expect(try store.fields("known") == ["n": .int(n), "name": "edited meanwhile"])
        #expect(try store.steps(of: "known").count == (keep == "applied" ? 1 : 2))
        #expect(try store.conflicts(resolved: false).isEmpty)
        #expect(try store.conflicts(resolved: true).first?.resolution == keep)
        #expect(try await store.sync.outbox(limit: 10).count == 1)
    }

    /// If the value is set, it does not matter whether the increment was applied.
    @Test func aDecisionAboutAnIncrementCanSetTheValue() async throws {
        let conflict = try await conflictAboutAnIncrement()
        try await store.resolveConflict(conflict.id, keep: nil, fields: ["n": 3, "name": "x"])
        #expect(try store.steps(of: "known") == [#"update {"n":3}"#])
        #expect(try store.conflicts(resolved: true).map(\.resolution) == ["object"])
    }

    @Test func aDecisionWithoutAChoiceIsRefused() async throws {
        let conflict = try await conflictAboutAnIncrement()
        await #expect(throws: ParseError.self) {
            try await store.resolveConflict(conflict.id, keep: nil, fields: nil)
        }
        #expect(try store.conflicts(resolved: false).map(\.id) == [conflict.id])
    }

    /// The object is deleted while the edit is on its way, so it no longer matters whether the edit was applied.
    @Test func noConflictAsksAboutAnEarlierChangeOfADeletedObject() async throws {
        try await store.update("known", ["n": .increment(1)])
        let entry = try await store.push("known", .unknown(reason: "time-out"))
        try await store.delete("known")
        let row = RemoteRecord.make("known", ["n": 7, "name": "x"], updatedMs: 9000)
        try await store.sync.settle([(entry, .conflict(.wasThisApplied, remote: row))])
        #expect(try store.fields("known") == nil)
        #expect(try store.steps(of: "known").map { $0.prefix(6) } == ["delete"])
        #expect(try store.conflicts(resolved: false).isEmpty)
    }

    /// The object was also edited under the remote's id, before the two were known to be the same object.
    @Test func aDecisionMarksOnlyTheChangeInQuestionAsApplied() async throws {
        let local = try await store.create(["n": 0])
        try await store.push(local, .unknown(reason: "time-out"))
        let row = RemoteRecord.make("twin", ["n": 1], updatedMs: 9000)
        try await store.pull([row])
        try await store.update("twin", ["n": .increment(1)])
        try await store.sync.settle([
            (try #require(try await store.sync.unknownOutcomes().first), .conflict(.ambiguousCreate, remote: row))
        ])
        try await store.update(local, ["log": .op("Add", "not sent")])
        let entry = try await store.push("twin", .unknown(reason: "time-out"))
        let later = RemoteRecord.make("twin", ["n": 2], updatedMs: 9500)
        try await store.sync.settle([(entry, .conflict(.wasThisApplied, remote: later))])
        for kind in [ConflictKind.ambiguousCreate, .wasThisApplied] {
            let open = try #require(try store.conflicts(resolved: false).first { $0.kind == kind })
            try await store.resolveConflict(open.id, keep: "applied", fields: nil)
        }
        #expect(try store.steps(of: "twin") == [#"update {"log":{"__op":"Add","objects":["not sent"]}}"#])
        #expect(try store.fields("twin") == ["n": 2, "log": ["not sent"]])
    }

    @Test func aDecisionThatDoesNotFitTheConflictIsRefused() async throws {
        let conflict = try await conflictAboutAnIncrement()
        let view = try store.json("known")
        await #expect(throws: ParseError.self) {
            try await store.resolveConflict(conflict.id, keep: "local", fields: nil)
        }
        #expect(try store.conflicts(resolved: false).count == 1)
        #expect(try store.state("known") == .conflict)
        #expect(try store.json("known") == view)
    }

    @Test func aDeletionOfAnObjectWithARequestOfUnknownOutcomeIsNotLost() async throws {
        let conflict = try await conflictAboutAnIncrement()
        try await store.delete("known")
        #expect(try store.object("Holiday", "known") == nil)
        #expect(try store.steps(of: "known") == ["delete {}"])
        #expect(try store.conflicts(resolved: true).map(\.id) == [conflict.id])
        #expect(try await store.sync.outbox(limit: 10).count == 1)
    }

    // MARK: Removals

    @Test func confirmingAHeldBackRemovalRemovesTheObjects() async throws {
        try await store.pull([.make("other", ["n": 2])])
        try await store.sync.holdRemoval(of: ["known", "other"], in: "Holiday", total: 2)
        let removal = try #require(try store.removals().first)
        #expect(removal.objectIds == ["known", "other"])
        #expect(try store.ids().count == 2)
        try await store.confirmRemoval(removal.id)
        #expect(try store.ids().isEmpty)
        #expect(try store.removals().isEmpty)
        #expect(try await store.sync.baseCount(of: "Holiday") == 0)
    }

    @Test func rejectingAHeldBackRemovalCreatesTheObjectsAgain() async throws {
        try await store.update("known", ["n": 5])
        try await store.sync.holdRemoval(of: ["known", "unheard of"], in: "Holiday", total: 2)
        try await store.keepRemoval(try #require(try store.removals().first).id)
        #expect(try store.steps(of: "known") == [#"create {"n":5,"name":"x"}"#])
        #expect(try store.fields("known") == ["n": 5, "name": "x"])
        #expect(try store.state("known") == .created)
        #expect(try await store.sync.baseCount(of: "Holiday") == 0)
    }

    @Test func aNewerHeldBackRemovalReplacesTheEarlierOneOfItsClass() async throws {
        try await store.pull(["a", "b", "c"].map { .make($0, ["n": 1]) })
        try await store.sync.holdRemoval(of: ["a", "b", "c"], in: "Holiday", total: 3)
        try await store.sync.holdRemoval(of: ["a"], in: "Holiday", total: 4)
        #expect(try store.removals().map(\.objectIds) == [["a"]])
        #expect(try await store.sync.heldRemovalCount(in: "Holiday") == 1)
        #expect(try await store.sync.heldRemoval(of: ["a", "b"], in: "Holiday") == ["a"])
        #expect(try await store.sync.heldRemoval(of: ["a"], in: "Country").isEmpty)
        try await store.sync.dropHeldRemoval(in: "Holiday")
        #expect(try store.removals().isEmpty)
        try await store.sync.dropHeldRemoval(in: "Holiday")
    }
}

extension LocalStore {
    fileprivate func confirmAny(_ id: Int64) async throws { try await confirmRemoval(id) }
}
