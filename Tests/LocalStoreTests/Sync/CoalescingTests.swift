import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@Suite("Merging of pending changes in a replica")
struct CoalescingTests {
    private let store: LocalStore

    init() async throws {
        store = try LocalStore.make(.replica)
        try await store.pull([.make("known", ["n": 1, "tags": ["a"], "name": "x"])])
    }

    @Test func aPendingCreateAndAnUpdateBecomeOneCreate() async throws {
        let id = try await store.create(["n": 1, "name": "x"])
        try await store.update(id, ["n": .increment(2), "tags": .op("Add", "a")])
        try await store.update(id, ["name": nil])
        #expect(try store.fields(id) == ["n": 3, "tags": ["a"]])
        let step = try #require(try store.pendingChanges().first)
        #expect(try store.pendingChanges().count == 1)
        #expect(step.step.kind == .create)
        #expect(step.step.operations.json["n"] == 3)
        #expect(try store.state(id) == .created)
    }

    @Test func anUnsentCreateAndADeletionCancelOut() async throws {
        let id = try await store.create(["n": 1])
        try await store.update(id, ["n": 2])
        try await store.delete(id)
        #expect(try store.object("Holiday", id) == nil)
        #expect(try store.pendingChanges().isEmpty)
        #expect(try await store.figures().pending == 0)
        await #expect(throws: ParseError.objectNotFound) { try await store.update(id, ["n": 3]) }
    }

    @Test func pendingUpdatesOfDifferentFieldsBecomeOneUpdate() async throws {
        try await store.update("known", ["n": 2])
        try await store.update("known", ["name": "y"])
        try await store.update("known", ["n": 3])
        #expect(try store.steps(of: "known") == [#"update {"n":3,"name":"y"}"#])
        #expect(try store.state("known") == .updated)
    }

    @Test func aPendingUpdateAndADeletionBecomeADeletion() async throws {
        try await store.update("known", ["n": 2])
        try await store.delete("known")
        #expect(try store.steps(of: "known") == ["delete {}"])
        #expect(try store.object("Holiday", "known") == nil)
        #expect(try await store.figures().pending == 1)
        #expect(try await store.sync.baseCount(of: "Holiday") == 1)
    }

    @Test func aDeletionReplacesPendingChangesThatCannotMerge() async throws {
        try await store.update("known", ["tags": .op("Add", "b")])
        try await store.update("known", ["tags": .op("Remove", "a")])
        try await store.delete("known")
        #expect(try store.steps(of: "known") == ["delete {}"])
    }

    @Test func pendingIncrementsOfOneFieldAddUp() async throws {
        try await store.update("known", ["n": .increment(2)])
        let receipt = try await store.update("known", ["n": .increment(-5)])
        #expect(receipt.echoed == ["n": -2])
        #expect(try store.steps(of: "known") == [#"update {"n":{"__op":"Increment","amount":-3}}"#])
    }

    @Test func anAddAndARemoveOnOneArrayStayTwoPendingChanges() async throws {
        try await store.update("known", ["tags": .op("Add", "b", "a")])
        let receipt = try await store.update("known", ["tags": .op("Remove", "a"), "n": 2])
        #expect(receipt.echoed == ["tags": ["b"]])
        #expect(
            try store.steps(of: "known") == [
                #"update {"tags":{"__op":"Add","objects":["b","a"]}}"#,
                #"update {"tags":{"__op":"Remove","objects":["a"]},"n":2}"#,
            ])
        #expect(try store.fields("known") == ["n": 2, "tags": ["b"], "name": "x"])
        // Only the first of the two steps may be sent.
        let waiting = try await store.sync.outbox(limit: 10)
        #expect(waiting.map(\.step.operations.fields) == [["tags"]])
    }

    @Test func aSetReplacesTheLastOfSeveralPendingChangesOfItsField() async throws {
        try await store.update("known", ["tags": .op("Add", "b")])
        try await store.update("known", ["tags": .op("Remove", "a")])
        try await store.update("known", ["tags": ["z"]])
        #expect(
            try store.steps(of: "known") == [
                #"update {"tags":{"__op":"Add","objects":["b"]}}"#, #"update {"tags":["z"]}"#,
            ])
        #expect(try store.fields("known")?["tags"] == ["z"])
    }

    @Test func aRefusedWriteLeavesPendingChangesUnchanged() async throws {
        try await store.update("known", ["n": 2])
        let before = try (store.json("known"), store.steps(of: "known"))
        let error = await #expect(throws: ParseError.self) { try await store.update("known", ["name": .increment(1)]) }
        #expect(error?.code == .incorrectType)
        #expect(try store.json("known") == before.0)
        #expect(try store.steps(of: "known") == before.1)
    }

    @Test func theOutboxKeepsTheOrderOfCreation() async throws {
        let first = try await store.create(["n": 1])
        try await store.update("known", ["n": 2])
        let second = try await store.create(["n": 3])
        try await store.update(first, ["n": 4])
        #expect(try await store.sync.outbox(limit: 10).map(\.objectId) == [first, "known", second])
        #expect(try await store.sync.outbox(limit: 2).count == 2)
    }

    @Test func anOutboxEntryListsTheCreatesThatItWaitsFor() async throws {
        let target = try await store.create(["n": 1])
        let pointer = Pointer(className: "Holiday", objectId: target)
        // A change does not wait for changes of an object that exists on the remote.
        let known = Pointer(className: "Holiday", objectId: "known")
        try await store.update("known", ["n": 2])
        let holder = try await store.create(["list": [pointer.json], "in": known.json])
        let entries = try await store.sync.outbox(limit: 10)
        #expect(entries.first { $0.objectId == holder }?.awaits == [pointer])
        #expect(entries.first { $0.objectId == target }?.awaits == [])
        try await store.update(holder, ["list": nil])
        #expect(try await store.sync.outbox(limit: 10).allSatisfy { $0.awaits.isEmpty })
    }
}
