import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@Suite("Ids that the remote replaces")
struct AliasTests {
    private func pointer(_ objectId: String) -> JSONValue {
        Pointer(className: "Holiday", objectId: objectId).json
    }

    @Test func anObjectIsFoundUnderItsLocalAndRemoteIds() async throws {
        let store = try LocalStore.make(.replica)
        let local = try await store.create(["n": 1])
        try await store.push(local, .applied("remote", createdMs: 5000))
        #expect(try store.object("Holiday", local) == store.object("Holiday", "remote"))
        #expect(try store.object("Holiday", local)?.objectId == "remote")
        #expect(try store.json("remote")?["objectId"] == "remote")
        #expect(try store.ids() == ["remote"])

        let receipt = try await store.update(local, ["n": .increment(1)])
        #expect(receipt.objectId == "remote")
        #expect(try store.fields("remote") == ["n": 2])
        #expect(try store.steps(of: "remote").count == 1)
        try await store.delete(local)
        #expect(try store.object("Holiday", "remote") == nil)
        await #expect(throws: ParseError.objectNotFound) { try await store.update(local, ["n": 2]) }
    }

    @Test func theFeedReportsANewIdAsADeletionAndACreate() async throws {
        let store = try LocalStore.make(.replica)
        let local = try await store.create(["n": 1])
        try await store.push(local, .applied("remote", createdMs: 5000))
        let entries = try store.changes(since: 1, classes: nil, limit: 10).entries
        #expect(entries.map(\.kind) == [.delete, .create])
        #expect(entries.map(\.objectId) == [local, "remote"])
        #expect(entries.map { $0.json == nil } == [true, false])
    }

    @Test func pendingPointersToAReplacedIdAreRewritten() async throws {
        let store = try LocalStore.make(.replica)
        let local = try await store.create(["n": 1])
        try await store.pull([.make("known", ["n": 1])])
        let holder = try await store.create(["in": pointer(local), "list": [1, ["deep": pointer(local)]]])
        try await store.update("known", ["list": .op("AddUnique", pointer(local), pointer("other"))])
        try await store.push(local, .applied("remote", createdMs: 5000))
        #expect(try store.fields(holder) == ["in": pointer("remote"), "list": [1, ["deep": pointer("remote")]]])
        #expect(try store.fields("known")?["list"] == [pointer("remote"), pointer("other")])
        let entries = try await store.sync.outbox(limit: 10)
        #expect(entries.count == 2)
        #expect(entries.allSatisfy { $0.awaits.isEmpty })
        #expect(!entries.contains { $0.step.operations.json.jsonText.contains(local) })
    }

    @Test func pointersWithAReplacedIdAreStoredWithTheNewId() async throws {
        let store = try LocalStore.make(.replica)
        let local = try await store.create(["n": 1])
        try await store.push(local, .applied("remote", createdMs: 5000))
        let holder = try await store.create(["in": pointer(local)])
        #expect(try store.fields(holder) == ["in": pointer("remote")])
        try await store.update(holder, ["list": .op("Add", pointer(local))])
        #expect(try store.fields(holder)?["list"] == [pointer("remote")])
        #expect(try store.ids(["where": ["in": pointer(local)]]) == [holder])
        #expect(try store.ids(["where": ["in": pointer("remote")]]) == [holder])
    }

    @Test func queriesByAReplacedIdFindTheObject() async throws {
        let store = try LocalStore.make(.replica)
        let local = try await store.create(["n": 1])
        try await store.push(local, .applied("remote", createdMs: 5000))
        #expect(try store.ids(["where": ["objectId": .string(local)]]) == ["remote"])
        #expect(try store.ids(["where": ["objectId": ["$in": [.string(local), "x"]]]]) == ["remote"])
        #expect(try store.ids(["where": ["objectId": ["$ne": .string(local)]]]).isEmpty)
    }

    @Test func anAliasIdIsValidInItsClassOnly() async throws {
        let store = try LocalStore.make(.replica) { $0.allowsChosenIds = true }
        try await store.create(["objectId": "same"])
        try await store.create(["objectId": "same"], of: "Birthday")
        let entry = try #require(try await store.sync.outbox(limit: 1).first)
        let sent = try await store.sync.freeze([entry], at: LocalStore.serverTime)
        try await store.sync.settle([(sent[0], .applied("remote", createdMs: 5000))])
        #expect(try store.object("Birthday", "remote") == nil)
        #expect(try store.object("Birthday", "same") != nil)
        #expect(try store.ids(["where": ["objectId": "same"]], of: "Birthday") == ["same"])
        #expect(try store.ids(["where": ["objectId": "same"]]) == ["remote"])
    }

    @Test func aCreateWithAnAliasIdAsItsIdIsRefused() async throws {
        let store = try LocalStore.make(.replica) { $0.allowsChosenIds = true }
        try await store.create(["objectId": "mine", "n": 1])
        try await store.push("mine", .applied("remote", createdMs: 5000))
        let error = await #expect(throws: ParseError.self) { try await store.create(["objectId": "mine", "n": 2]) }
        #expect(error?.code == .duplicateValue)
    }

    @Test func anEditDuringACreateIsSentUnderTheNewId() async throws {
        let store = try LocalStore.make(.replica)
        let local = try await store.create(["n": 1])
        let sent = try await store.sync.freeze(local)
        try await store.update(local, ["n": 2, "self": pointer(local)])
        try await store.sync.settle([(sent, .applied("remote", createdMs: 5000))])
        #expect(try store.fields(local) == ["n": 2, "self": pointer("remote")])
        #expect(try store.steps(of: "remote").count == 1)
        #expect(try store.state("remote") == .updated)
        #expect(try await store.sync.outbox(limit: 10).map(\.objectId) == ["remote"])
    }

    @Test func aliasIdsSurviveARestart() async throws {
        let directory = try TemporaryDirectory()
        var store: LocalStore? = try LocalStore.make(.replica, in: directory)
        let local = try #require(try await store?.create(["n": 1]))
        try await store?.push(local, .applied("remote", createdMs: 5000))
        store = nil
        store = try LocalStore.make(.replica, in: directory)
        #expect(try store?.fields(local) == ["n": 1])
    }

    @Test func anObjectIsFoundUnderAnAliasOfAnAliasId() async throws {
        let store = try LocalStore.make(.replica)
        let local = try await store.create(["n": 1])
        try await store.push(local, .applied("first", createdMs: 5000))
        // The remote was reset, and the user keeps the object. It is created again and gets a further id.
        try await store.sync.holdRemoval(of: ["first"], in: "Holiday", total: 1)
        try await store.keepRemoval(try #require(try store.removals().first).id)
        try await store.push("first", .applied("second", createdMs: 6000))
        for id in [local, "first", "second"] { #expect(try store.object("Holiday", id)?.objectId == "second") }
    }

    @Test func aPulledRowAndTheCreateThatMadeItBecomeOneObject() async throws {
        let store = try LocalStore.make(.replica)
        let local = try await store.create(["n": 1])
        let sent = try await store.sync.freeze(local)
        try await store.pull([.make("remote", ["n": 1], createdMs: 5000, updatedMs: 5000)])
        try await store.update("remote", ["name": "edited by its other name"])
        try await store.sync.settle([(sent, .applied("remote", createdMs: 5000))])
        #expect(try store.ids() == ["remote"])
        #expect(try store.fields(local) == ["n": 1, "name": "edited by its other name"])
        #expect(try store.steps(of: "remote") == [#"update {"name":"edited by its other name"}"#])
    }

    @Test func aliasIdsAreKeptWhenAClassIsUnregistered() async throws {
        let store = try LocalStore.make(.replica)
        try await store.registerClass("Holiday")
        let local = try await store.create(["n": 1])
        try await store.push(local, .applied("remote", createdMs: 5000))
        try await store.unregisterClass("Holiday", purge: false)
        #expect(try store.object("Holiday", local)?.objectId == "remote")
    }
}
