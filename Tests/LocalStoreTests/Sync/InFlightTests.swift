import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@Suite("Changes in flight")
struct InFlightTests {
    private let store: LocalStore

    init() async throws {
        store = try LocalStore.make(.replica)
        try await store.pull([.make("known", ["n": 1, "tags": ["a"], "name": "x"])])
    }

    @Test func anEditDuringAPushStaysPending() async throws {
        try await store.update("known", ["n": 2])
        let sent = try await store.sync.freeze("known")
        try await store.update("known", ["n": 3, "name": "y"])
        #expect(sent.step.operations.json == ["n": 2])
        #expect(try store.steps(of: "known") == [#"update {"n":2}"#, #"update {"n":3,"name":"y"}"#])
        #expect(try await store.sync.outbox(limit: 10).isEmpty)
        try await store.sync.settle([(sent, .applied("known", updatedMs: 3000))])
        #expect(try store.steps(of: "known") == [#"update {"n":3,"name":"y"}"#])
        #expect(try store.fields("known") == ["n": 3, "tags": ["a"], "name": "y"])
        #expect(try store.state("known") == .updated)
        let next = try #require(try await store.sync.outbox(limit: 10).first)
        #expect(next.base?.fields == ["n": 2, "tags": ["a"], "name": "x"])
        #expect(next.base?.updatedAt == ParseDate(milliseconds: 3000))
    }

    @Test func aDeletionDuringThePushOfACreateIsSentAfterIt() async throws {
        let id = try await store.create(["n": 1])
        let sent = try await store.sync.freeze(id)
        try await store.delete(id)
        #expect(try store.object("Holiday", id) == nil)
        #expect(try store.steps(of: id) == [#"create {"n":1}"#, "delete {}"])
        try await store.sync.settle([(sent, .applied(id, createdMs: 3000))])
        #expect(try store.steps(of: id) == ["delete {}"])
        #expect(try store.object("Holiday", id) == nil)
        try await store.push(id, .applied(id))
        #expect(try store.steps(of: id).isEmpty)
        #expect(try await store.sync.baseCount(of: "Holiday") == 1)
    }

    @Test func aChangeInFlightIsNotSentASecondTime() async throws {
        try await store.update("known", ["n": 2])
        let read = try await store.sync.outbox(limit: 10)
        #expect(try await store.sync.freeze(read, at: LocalStore.serverTime).count == 1)
        #expect(try await store.sync.freeze(read, at: LocalStore.serverTime).isEmpty)
    }

    @Test func anOutboxEntryThatChangedSinceItsReadIsNotSent() async throws {
        try await store.update("known", ["n": 2])
        let read = try await store.sync.outbox(limit: 10)
        let target = try await store.create(["n": 3])
        try await store.update("known", ["ptr": Pointer(className: "Holiday", objectId: target).json])
        #expect(try await store.sync.freeze(read, at: LocalStore.serverTime).isEmpty)
        // When the outbox is read again, the entry waits for the object that it points to.
        let anew = try #require(try await store.sync.outbox(limit: 10).first)
        #expect(anew.awaits == [Pointer(className: "Holiday", objectId: target)])
    }

    @Test func aRemovedOutboxEntryIsNotSent() async throws {
        try await store.update("known", ["n": 2])
        let read = try await store.sync.outbox(limit: 10)
        try await store.undoPending(read[0].id)
        #expect(try await store.sync.freeze(read, at: LocalStore.serverTime).isEmpty)
        // An outcome of the removed change changes nothing.
        try await store.sync.settle([(read[0], .applied("known"))])
        #expect(try store.fields("known") == ["n": 1, "tags": ["a"], "name": "x"])
    }

    @Test func anAcknowledgementStoresTheValuesThatTheRemoteReturned() async throws {
        let id = try await store.create(["n": 1])
        try await store.push(id, .applied(id, createdMs: 5000, echoed: ["n": 10, "level": "default"]))
        #expect(try store.fields(id) == ["n": 10, "level": "default"])
        #expect(try store.json(id)?["createdAt"] == "1970-01-01T00:00:05.000Z")
        #expect(try store.json(id)?["updatedAt"] == "1970-01-01T00:00:05.000Z")
        #expect(try store.state(id) == .synced)
        try await store.pull([.make(id, ["n": 11], createdMs: 5000, updatedMs: 5000)])
        #expect(try store.fields(id) == ["n": 11])
    }

    /// The row may be absent from a list because of its ACL, or because the list is old. So its absence is no sign of a
    /// deletion.
    @Test func anAcknowledgedCreateIsExpectedInTheRemotesListsOnlyAfterAPull() async throws {
        let acl: JSONValue = ["role:family": ["read": true, "write": true]]
        let hidden = try await store.create(["n": 1, "ACL": acl])
        let open = try await store.create(["n": 2, "ACL": ["*": ["read": true]]])
        for id in [hidden, open] { try await store.push(id, .applied(id, createdMs: 5000)) }
        #expect(try await store.sync.baseIds(of: "Holiday").hidden == [hidden, open])
        #expect(try await store.sync.baseIds(of: "Holiday").seen == ["known"])
        #expect(try await store.sync.baseCount(of: "Holiday") == 1)
        try await store.pull([.make(hidden, ["n": 1, "ACL": acl], createdMs: 5000, updatedMs: 5000)])
        #expect(try await store.sync.baseIds(of: "Holiday").hidden == [open])
        #expect(try await store.sync.baseCount(of: "Holiday") == 2)
    }

    @Test func aDeletionAfterARefusedEditRemovesTheRejection() async throws {
        try await store.update("known", ["n": 2])
        let sent = try await store.sync.freeze("known")
        try await store.delete("known")
        try await store.sync.settle([(sent, .rejected(code: 111, message: "no"))])
        #expect(try store.rejections().isEmpty)
        #expect(try await store.sync.outbox(limit: 10).map(\.step.kind) == [.delete])
    }

    @Test func anEditAfterARefusedEditCorrectsTheRefusedOne() async throws {
        try await store.update("known", ["n": "x"])
        let sent = try await store.sync.freeze("known")
        try await store.update("known", ["n": 3])
        try await store.sync.settle([(sent, .rejected(code: 111, message: "no"))])
        #expect(try store.rejections().isEmpty)
        let entry = try #require(try await store.sync.outbox(limit: 10).first)
        #expect(entry.step.operations["n"] == .set(3))
    }

    @Test func aProvenCreateDoesNotOverwriteEditsByOtherClients() async throws {
        let id = try await store.create(["n": 0])
        let sent = try await store.sync.freeze(id)
        try await store.sync.settle([(sent, .unknown(reason: "time-out"))])
        try await store.sync.settle([(sent, .sendAgain)])
        try await store.update(id, ["name": "mine"])
        // While the create was in flight, another client changed `n` on the remote.
        try await store.pull([.make(id, ["n": 5], createdMs: 5000, updatedMs: 6000)])
        #expect(try store.fields(id) == ["n": 5, "name": "mine"])
        let entry = try #require(try await store.sync.outbox(limit: 10).first)
        #expect(entry.step.kind == .update)
        #expect(entry.step.operations.fields == ["name"])
    }

    @Test func aChangeThatWasSurelyNotExecutedIsPendingAgain() async throws {
        try await store.update("known", ["n": .increment(1)])
        let entry = try await store.push("known", .notExecuted(wasAttempted: false, error: "connection refused"))
        #expect(entry.attempts == 1)
        let again = try #require(try await store.sync.outbox(limit: 10).first)
        #expect(again.id == entry.id)
        // A server that remembers request ids may have used up the first one.
        #expect(again.requestId != entry.requestId)
        #expect(again.attempts == 0)
        #expect(again.attemptedAt == nil)
        #expect(try store.pendingChanges().first?.error == "connection refused")
        // Later changes are merged into the pending change, as if it had not been sent.
        try await store.update("known", ["n": .increment(1)])
        #expect(try store.steps(of: "known").count == 1)
    }

    @Test func aRequestOfUnknownOutcomeIsNotMergedWithLaterChanges() async throws {
        try await store.update("known", ["n": .increment(1)])
        let entry = try await store.push("known", .unknown(reason: "time-out"))
        try await store.update("known", ["n": .increment(1)])
        #expect(try store.steps(of: "known").count == 2)
        #expect(try await store.sync.outbox(limit: 10).isEmpty)
        let unknown = try await store.sync.unknownOutcomes()
        #expect(unknown.map(\.id) == [entry.id])
        #expect(unknown[0].attemptedAt == LocalStore.serverTime)
        #expect(unknown[0].step.wasAttempted)

        try await store.sync.settle([(unknown[0], .sendAgain)])
        try await store.update("known", ["n": .increment(1)])
        // A change that the remote may have executed is never merged with later changes, even when it is pending
        // again.
        #expect(
            try store.steps(of: "known") == [
                #"update {"n":{"__op":"Increment","amount":1}}"#, #"update {"n":{"__op":"Increment","amount":2}}"#,
            ])
        #expect(try store.fields("known")?["n"] == 4)
    }

    @Test func aCreateThatMayHaveArrivedIsNotCancelledByADeletion() async throws {
        let id = try await store.create(["n": 1])
        let entry = try await store.push(id, .unknown(reason: "time-out"))
        try await store.sync.settle([(entry, .sendAgain)])
        try await store.delete(id)
        #expect(try store.steps(of: id) == [#"create {"n":1}"#, "delete {}"])
        #expect(try store.object("Holiday", id) == nil)
    }

    @Test func aRowThatProvesARequestBecomesTheKnownRemoteState() async throws {
        try await store.update("known", ["n": 2])
        let entry = try await store.push("known", .unknown(reason: "time-out"))
        try await store.update("known", ["name": "y"])
        try await store.sync.settle([(entry, .proven(.make("known", ["n": 2, "name": "theirs"], updatedMs: 9000)))])
        #expect(try store.fields("known") == ["n": 2, "name": "y"])
        #expect(try store.steps(of: "known") == [#"update {"name":"y"}"#])
    }

    @Test func anAcknowledgedDeletionLeavesNoTraceOfTheObject() async throws {
        try await store.delete("known")
        try await store.push("known", .deletionDone)
        #expect(try await store.sync.baseCount(of: "Holiday") == 0)
        #expect(try store.pendingChanges().isEmpty)
    }

    @Test func theDeferredFieldsOfASplitCreateAreSentAsAnUpdate() async throws {
        let id = try await store.create(["n": 1, "self": nil])
        let own = Pointer(className: "Holiday", objectId: id)
        try await store.update(id, ["self": own.json])
        let entry = try #require(try await store.sync.outbox(limit: 10).first)
        #expect(entry.awaits == [own])
        let before = try store.json(id)
        try await store.sync.split(entry, deferring: ["self"])
        #expect(try store.steps(of: id) == [#"create {"n":1}"#, "update {\"self\":\(own.json.jsonText)}"])
        #expect(try store.json(id) == before)
        #expect(try await store.sync.outbox(limit: 10).map(\.awaits) == [[]])
        try await store.push(id, .applied("remote", createdMs: 5000))
        #expect(
            try store.steps(of: "remote") == [
                #"update {"self":{"__type":"Pointer","className":"Holiday","objectId":"remote"}}"#
            ])
    }

    @Test func theDeferredFieldsOfARefusedCreateAreNotSent() async throws {
        let id = try await store.create(["n": 1])
        try await store.update(id, ["self": Pointer(className: "Holiday", objectId: id).json])
        try await store.sync.split(try #require(try await store.sync.outbox(limit: 10).first), deferring: ["self"])
        try await store.push(id, .rejected(code: 111, message: "no"))
        #expect(try store.rejections().map(\.code) == [111])
        #expect(try await store.sync.outbox(limit: 10).isEmpty)
    }

    /// On a full disk the outcome of a push cannot be stored, so the next sync has to ask for it.
    @Test func aPushWithoutAStoredResultHasAnUnknownOutcome() async throws {
        try await store.update("known", ["n": .increment(1)])
        let sent = try await store.sync.freeze("known")
        #expect(try await store.sync.unknownOutcomes().map(\.id) == [sent.id])
        try await store.sync.settle([(sent, .sendAgain)])
        #expect(try await store.sync.unknownOutcomes().isEmpty)
        #expect(try await store.sync.outbox(limit: 10).map(\.id) == [sent.id])
    }

    /// The engine has decided whether to ask a person (`isQuestion`) before it knew of the deletion.
    @Test(arguments: [true, false]) func aRowThatTheOwnRequestExplainsIsNoEditByAnotherClient(
        isQuestion: Bool
    ) async throws {
        try await store.configureClass("Holiday") { options, _ in options.opField = "ops" }
        try await store.update("known", ["n": .increment(1)])
        let sent = try await store.sync.freeze("known")
        try await store.delete("known")
        let row = RemoteRecord.make(
            "known", ["n": 2, "tags": ["a"], "name": "x", "ops": ["another:1", .string("\(store.replicaId):1")]],
            updatedMs: 3000)
        try await store.sync.settle([(sent, isQuestion ? .conflict(.wasThisApplied, remote: row) : .moot(row))])
        let deletion = try #require(try await store.sync.outbox(limit: 1).first)
        #expect(deletion.step.kind == .delete)
        #expect(deletion.base?.fields == ["n": 2, "tags": ["a"], "name": "x"])
        #expect(try store.conflicts(resolved: false).isEmpty)
    }

    @Test func reopeningTheDatabaseMakesRequestsInFlightUnknown() async throws {
        let directory = try TemporaryDirectory()
        var store: LocalStore? = try LocalStore.make(.replica, in: directory)
        let sent = try #require(try await store?.create(["n": 1]))
        let waiting = try #require(try await store?.create(["n": 2]))
        let entry = try await store?.sync.freeze(sent)
        try await store?.update(sent, ["n": 3])
        let views = try store?.ids().map { try store?.json($0) }
        store = nil

        let reopened = try LocalStore.make(.replica, in: directory)
        #expect(try await reopened.sync.unknownOutcomes().map(\.id) == [entry?.id])
        #expect(try await reopened.sync.unknownOutcomes().map(\.requestId) == [entry?.requestId])
        #expect(try await reopened.sync.outbox(limit: 10).map(\.objectId) == [waiting])
        #expect(try reopened.steps(of: sent) == [#"create {"n":1}"#, #"update {"n":3}"#])
        #expect(try reopened.ids().map { try reopened.json($0) } == views)
    }
}
