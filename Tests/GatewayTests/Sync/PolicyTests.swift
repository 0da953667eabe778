import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import Testing

/// Tests which side wins under each conflict policy if both sides changed the same data.
@Suite("Conflict policies")
struct PolicyTests {
    @Test(arguments: PolicyCase.fields) func conflictingEditsOfOneFieldFollowTheConflictPolicy(
        _ test: PolicyCase
    ) async throws {
        let (world, id) = try await World.sharing(["a": 1, "b": 1, "c": 1], test.policy)
        try await world.hub.store.update("Holiday", id, ["a": 2, "b": 2])
        try await world.replica.store.update("Holiday", id, ["a": 3, "c": 3])
        let summary = try await world.syncLater()
        #expect(summary.settled == (test.winner == nil ? 0 : 1))
        #expect(summary.conflicts == (test.winner == nil ? 1 : 0))
        guard let winner = test.winner else { return }
        #expect(try world.hub.store.fields("Holiday", id) == ["a": winner == "local" ? 3 : 2, "b": 2, "c": 3])
        try world.expectEqual()
        let record = try #require(try world.replica.store.conflicts(resolved: true).first)
        #expect(record.resolution == winner)
        #expect(record.fields == ["a"])
        #expect(record.base?.contains("\"a\":1") == true)
        #expect(record.local?.contains("\"a\":3") == true)
        #expect(record.remote?.contains("\"a\":2") == true)
    }

    @Test(arguments: PolicyCase.deletions) func localEditOfARemotelyDeletedObjectFollowsTheConflictPolicy(
        _ test: PolicyCase
    ) async throws {
        let (world, id) = try await World.sharing(["a": 1, "b": 1], test.policy)
        try await world.hub.store.delete("Holiday", id)
        try await world.replica.store.update("Holiday", id, ["a": 2])
        let summary = try await world.syncLater()
        #expect(summary.conflicts == (test.winner == nil ? 1 : 0))
        guard let winner = test.winner else { return }
        _ = try await world.syncLater()
        #expect(try world.hub.store.all("Holiday").count == (winner == "local" ? 1 : 0))
        #expect(try world.hub.store.all("Holiday").values.allSatisfy { $0["a"] == 2 && $0["b"] == 1 })
        try world.expectEqual()
        #expect(try await world.replica.store.figures().pending == 0)
        let record = try #require(try world.replica.store.conflicts(resolved: true).first)
        #expect(record.kind == .deletedRemotely)
        #expect(record.resolution == winner)
        #expect(record.remote == nil)
        #expect(record.local?.contains("\"a\":2") == true)
    }

    @Test(arguments: PolicyCase.deletions) func localDeletionOfARemotelyEditedObjectFollowsTheConflictPolicy(
        _ test: PolicyCase
    ) async throws {
        let (world, id) = try await World.sharing(["a": 1], test.policy)
        try await world.hub.store.update("Holiday", id, ["a": 2])
        try await world.replica.store.delete("Holiday", id)
        let summary = try await world.syncLater()
        #expect(summary.conflicts == (test.winner == nil ? 1 : 0))
        guard let winner = test.winner else { return }
        #expect(try world.hub.store.all("Holiday").count == (winner == "local" ? 0 : 1))
        try world.expectEqual()
        #expect(try await world.replica.store.figures().pending == 0)
        let record = try #require(try world.replica.store.conflicts(resolved: true).first)
        #expect(record.kind == .deletedLocally)
        #expect(record.resolution == winner)
        #expect(record.local == nil)
        #expect(record.remote?.contains("\"a\":2") == true)
    }

    @Test(arguments: ConflictPolicy.allCases) func localAndRemoteIncrementsAddUpUnderEveryPolicy(
        _ policy: ConflictPolicy
    ) async throws {
        let (world, id) = try await World.sharing(["n": 1, "list": ["a"]], policy)
        try await world.hub.store.update(
            "Holiday", id, ["n": ["__op": "Increment", "amount": 10], "list": ["a", "b"]])
        try await world.replica.store.update(
            "Holiday", id,
            ["n": ["__op": "Increment", "amount": 100], "list": ["__op": "AddUnique", "objects": ["c"]]])
        let summary = try await world.syncLater()
        #expect(summary.conflicts + summary.settled == 0)
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 111, "list": ["a", "b", "c"]])
        try world.expectEqual()
    }

    @Test(arguments: ConflictPolicy.allCases) func equalValuesOnBothSidesAreNoConflict(
        _ policy: ConflictPolicy
    ) async throws {
        let (world, id) = try await World.sharing(["a": 1], policy)
        try await world.hub.store.update("Holiday", id, ["a": 2])
        try await world.replica.store.update("Holiday", id, ["a": 2])
        let summary = try await world.syncLater()
        #expect(summary.conflicts + summary.settled == 0)
        try world.expectEqual()
    }

    @Test(arguments: ConflictPolicy.allCases) func aDeletionOnBothSidesIsNoConflict(
        _ policy: ConflictPolicy
    ) async throws {
        let (world, id) = try await World.sharing(["a": 1], policy)
        try await world.hub.store.delete("Holiday", id)
        try await world.replica.store.delete("Holiday", id)
        let summary = try await world.syncLater()
        #expect(summary.conflicts + summary.settled == 0)
        try world.expectEqual()
    }

    @Test func resolvedConflictsAreListed() async throws {
        let (world, id) = try await World.sharing(["a": 1], .remote)
        try await world.hub.store.update("Holiday", id, ["a": 2])
        try await world.replica.store.update("Holiday", id, ["a": 3])
        _ = try await world.syncLater()
        let (status, answer) = try await world.replica.send("GET /sync/conflicts?state=resolved", clock: world.clock)
        let record = try #require(answer["results"]?.array?.first?.object)
        #expect(status == 200)
        #expect(record["resolution"] == "remote")
        #expect(["base", "local", "remote"].map { record[$0]?.object?["a"] } == [1, 3, 2])
        let (_, open) = try await world.replica.send("GET /sync/conflicts", clock: world.clock)
        #expect(open == ["results": []])
    }
}
