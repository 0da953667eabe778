import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

/// Tests the facts about the life of an object that the file keeps.
@Suite("History of an object")
struct ObjectHistoryTests {
    private let clock = TestClock()
    private let store: LocalStore

    init() async throws {
        store = try LocalStore.make(.replica, clock: clock)
        try await store.pull([.make("known", ["n": 1])])
    }

    private func history(_ id: String, as principal: Principal = .master) throws -> ObjectHistory {
        try store.objects.history(of: "Holiday", id, as: principal)
    }

    @Test func pulledObjectHasItsRowAndItsEntryInTheFeed() throws {
        let history = try history("known")
        let row = try #require(history.row)
        #expect(row.createdAt == ParseDate(milliseconds: 1000))
        #expect((row.isShown, row.wasAcknowledged, row.standing) == (true, false, .shown))
        #expect(history.changes?.map(\.kind) == [.create])
        #expect(!history.lacksEarlierChanges)
        #expect(history.steps.isEmpty && history.conflicts.isEmpty && history.removal == nil)
    }

    @Test func changesOfAnObjectAreListedWithTheirFieldsAndAttempts() async throws {
        try await store.update("known", ["n": 2])
        try await store.push("known", .notExecuted(wasAttempted: true, error: "busy", code: 107))
        let step = try #require(try history("known").steps.first)
        #expect(step.fields == ["n"])
        #expect(step.attemptedAt == LocalStore.serverTime)
        #expect(step.change.attempts == 1)
        try await store.push("known", .rejected(code: 119, message: "no"))
        #expect(try history("known").steps.map(\.change.phase) == [.rejected])
        #expect(try history("known").changes?.map(\.kind).first == .create)
    }

    @Test func anObjectIsFoundByItsEarlierId() async throws {
        let local = try await store.create(["n": 3])
        try await store.push(local, .applied("theirs", createdMs: 3000))
        for id in [local, "theirs"] {
            let history = try history(id)
            #expect(history.object.objectId == "theirs")
            #expect(history.earlierIds == [local])
            #expect(history.row?.wasAcknowledged == true)
        }
    }

    @Test func conflictsAreListedOpenAndDecided() async throws {
        try await store.update("known", ["n": 2])
        try await store.pull([.make("known", ["n": 5], updatedMs: 9000)])
        let settled = try #require(try history("known").conflicts.first)
        #expect((settled.kind, settled.fields) == (.fields, ["n"]))
        #expect(settled.resolution == "local" && settled.resolvedAt == settled.foundAt)
        let unclear = try await store.create(["n": 3])
        try await store.push(unclear, .conflict(.ambiguousCreate, remote: nil))
        #expect(try history(unclear).conflicts.map(\.resolution) == [nil])
    }

    @Test func deletedObjectKeepsItsRowUntilTheRemoteHasAcknowledged() async throws {
        try await store.delete("known")
        let history = try history("known")
        #expect(history.row?.isShown == false)
        #expect(history.steps.map(\.change.kind) == [.delete])
        #expect(history.changes?.map(\.kind) == [.create, .delete])
    }

    @Test func anUnknownIdHasAnEmptyHistory() async throws {
        try await store.registerClass("Holiday")
        let history = try history("nowhere")
        #expect(history.row == nil && history.steps.isEmpty)
        #expect(history.changes == [])
        #expect(history.syncing != nil)
        #expect(try store.objects.history(of: "Nothing", "a", as: .master).syncing == nil)
    }

    @Test func readersOfTheACLAreListed() async throws {
        let id = try await store.create(["ACL": ["ada": ["read": true, "write": true], "ben": ["write": true]]])
        #expect(try history(id).row?.readers == ["ada"])
        #expect(try history("known").row?.readers == nil)
    }

    @Test func readerWithRestrictedRightsGetsNoEntriesOfTheFeed() async throws {
        let store = try LocalStore.make(.standalone, clock: clock)
        let id = try await store.create(["n": 1])
        #expect(try store.objects.history(of: "Holiday", id, as: .public).changes == nil)
        #expect(try store.objects.history(of: "Holiday", id, as: .master).changes?.count == 1)
    }

    @Test func listOfChangesIsLimitedToTheNewest() async throws {
        for n in 0..<(ObjectHistory.changesMax + 5) { try await store.update("known", ["n": .int(n + 2)]) }
        let history = try history("known")
        #expect(history.changes?.count == ObjectHistory.changesMax)
        #expect(history.changes?.first?.kind == .update)
        #expect(history.lacksEarlierChanges)
    }
}
