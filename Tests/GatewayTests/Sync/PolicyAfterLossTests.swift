import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import Testing

/// Tests that the class's conflict policy also decides about differences that appear when the outcome of an unanswered
/// request becomes known.
@Suite("Conflict policies, after a lost reply")
struct PolicyAfterLossTests {
    /// Makes several objects that remote and replica both have, and returns the id of one.
    private func shared(_ policy: ConflictPolicy) async throws -> (World, String) {
        let (world, id) = try await World.sharing(["a": 1], policy)
        for n in 0..<4 { try await world.hub.store.create("Holiday", ["a": .int(10 + n)]) }
        _ = try await world.syncLater()
        return (world, id)
    }

    private func expectDecided(
        _ world: World, _ kind: ConflictKind, by winner: String?, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try world.replica.store.conflicts(resolved: winner != nil)
        #expect(found.map(\.kind) == [kind], sourceLocation: sourceLocation)
        #expect(found.first?.resolution == winner, sourceLocation: sourceLocation)
        guard winner != nil else { return }
        for _ in 0..<2 { _ = try await world.syncLater() }
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty, sourceLocation: sourceLocation)
        #expect(try await world.replica.store.figures().pending == 0, sourceLocation: sourceLocation)
        try world.expectEqual()
    }

    @Test(arguments: PolicyCase.deletions) func editOfUnknownOutcomeOnARemotelyDeletedObjectFollowsTheConflictPolicy(
        _ test: PolicyCase
    ) async throws {
        let (world, id) = try await shared(test.policy)
        try await world.replica.store.update("Holiday", id, ["a": 2])
        world.transport.once(.requestLost) { method, _, _ in method == "PUT" }
        _ = try await world.syncLater()
        try await world.hub.store.delete("Holiday", id)
        _ = try await world.syncLater()
        try await expectDecided(world, .deletedRemotely, by: test.winner)
        let values = try world.hub.store.all("Holiday").values.map { $0["a"] }
        #expect(values.contains(2) == (test.winner == "local"))
    }

    @Test(arguments: PolicyCase.deletions) func deletionAfterAnEditOfUnknownOutcomeFollowsTheConflictPolicy(
        _ test: PolicyCase
    ) async throws {
        let (world, id) = try await shared(test.policy)
        try await world.replica.store.update("Holiday", id, ["a": ["__op": "Increment", "amount": 1]])
        world.transport.set { [transport = world.transport] method, _, _ in
            method == "PUT"
                ? .requestLost : transport.requests.contains { $0.hasPrefix("PUT") } ? .refused : nil
        }
        _ = try await world.replica.failingSync()
        try await world.replica.store.delete("Holiday", id)
        world.transport.heal()
        try await world.hub.store.update("Holiday", id, ["b": "theirs"])
        _ = try await world.syncLater()
        try await expectDecided(world, .deletedLocally, by: test.winner)
        if test.winner == "remote" {
            #expect(try world.replica.store.fields("Holiday", id) == ["a": 1, "b": "theirs"])
        } else if test.winner == "local" {
            #expect(try world.hub.store.fields("Holiday", id) == nil)
        }
    }

    @Test(arguments: PolicyCase.deletions) func editOfAnObjectDeletedDuringTheSyncFollowsTheConflictPolicy(
        _ test: PolicyCase
    ) async throws {
        let (world, id) = try await shared(test.policy)
        try await world.replica.store.update("Holiday", id, ["a": 2])
        // The pull and the read before the push pass. Only the push is delayed.
        let gate = world.transport.close(after: 2)
        async let summary = world.syncLater()
        await gate.untilReached()
        try await world.hub.store.delete("Holiday", id)
        gate.open()
        _ = try await summary
        try await expectDecided(world, .deletedRemotely, by: test.winner)
    }
}
