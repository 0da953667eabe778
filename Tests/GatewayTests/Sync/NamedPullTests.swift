import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests named pulls, each of which syncs a subset of a class.
@Suite("Named pulls of subsets")
struct NamedPullTests {
    private static let us: JSONObject = ["pulls": [["name": "us", "where": ["country": "US"]]]]

    private func world(_ options: JSONObject = us) async throws -> World {
        let world = try await World.make()
        try await world.replica.sync()
        try await world.replica.set(options)
        return world
    }

    private func names(_ world: World) throws -> [String] {
        try world.replica.store.all("Holiday").values.compactMap { $0["name"]?.string }.sorted()
    }

    @discardableResult
    private func make(_ world: World, _ name: String, _ country: String) async throws -> String {
        try await world.hub.store.create("Holiday", ["name": .string(name), "country": .string(country)])
    }

    private func sync(_ world: World) async throws -> SyncSummary {
        world.clock.advance(.seconds(30))
        return try await world.replica.sync()
    }

    @Test func namedPullStoresOnlyItsSubset() async throws {
        let world = try await world()
        for n in 0..<5 { try await make(world, "us\(n)", "US") }
        for n in 0..<5 { try await make(world, "de\(n)", "DE") }
        #expect(try await sync(world).pulled == 5)
        #expect(try names(world) == ["us0", "us1", "us2", "us3", "us4"])
        _ = try await sync(world)
        #expect(try await sync(world).requests == 1)
        #expect(try world.replica.store.removals().isEmpty)
    }

    @Test func twoPullsOfAClassKeepTheUnionOfTheirSubsets() async throws {
        let world = try await world([
            "pulls": [["name": "us", "where": ["country": "US"]], ["name": "big", "where": ["n": ["$gt": 5]]]]
        ])
        let both = try await world.hub.store.create("Holiday", ["name": "both", "country": "US", "n": 9])
        try await world.hub.store.create("Holiday", ["name": "us", "country": "US", "n": 1])
        try await world.hub.store.create("Holiday", ["name": "big", "country": "DE", "n": 9])
        try await world.hub.store.create("Holiday", ["name": "none", "country": "DE", "n": 1])
        _ = try await sync(world)
        #expect(try names(world) == ["big", "both", "us"])
        // The object leaves one subset and is still in the other.
        try await world.hub.store.update("Holiday", both, ["country": "DE"])
        _ = try await sync(world)
        #expect(try names(world) == ["big", "both", "us"])
        try await world.hub.store.update("Holiday", both, ["n": 0])
        _ = try await sync(world)
        #expect(try names(world) == ["big", "us"])
    }

    @Test func rowThatLeavesThePullFilterIsRemovedAndCanReturn() async throws {
        let world = try await world()
        var ids: [String] = []
        for n in 0..<6 { ids.append(try await make(world, "us\(n)", "US")) }
        _ = try await sync(world)
        // More than half of the objects leave the subset. The others show that the server was not emptied.
        for id in ids[1...] { try await world.hub.store.update("Holiday", id, ["country": "DE"]) }
        let summary = try await sync(world)
        #expect(summary.released == 5)
        #expect(summary.removed == 0)
        #expect(summary.heldBack == 0)
        #expect(try names(world) == ["us0"])
        #expect(try world.replica.store.removals().isEmpty)
        #expect(try world.hub.store.all("Holiday").count == 6)
        try await world.hub.store.update("Holiday", ids[3], ["country": "US"])
        _ = try await sync(world)
        #expect(try names(world) == ["us0", "us3"])
    }

    @Test func rowThatLeavesThePullFilterByALocalEditIsRemoved() async throws {
        let world = try await world()
        let id = try await make(world, "a", "US")
        try await make(world, "b", "US")
        _ = try await sync(world)
        try await world.replica.store.update("Holiday", id, ["country": "DE"])
        #expect(try names(world) == ["a", "b"])
        _ = try await sync(world)
        #expect(try names(world) == ["b"])
        #expect(try world.hub.store.fields("Holiday", id)?["country"] == "DE")
    }

    @Test func aLocalObjectThatMatchesNoPullIsRemovedAfterItsPush() async throws {
        let world = try await world()
        _ = try await sync(world)
        try await world.replica.store.create("Holiday", ["name": "ours", "country": "DE"])
        world.transport.set { _, _, _ in .refused }
        _ = try await world.replica.failingSync()
        #expect(try names(world) == ["ours"])
        world.transport.heal()
        _ = try await sync(world)
        #expect(try names(world).isEmpty)
        #expect(try world.hub.store.all("Holiday").count == 1)
        #expect(try await world.replica.store.figures().pending == 0)
    }

    @Test func aPushedObjectThatMatchesNoPullIsRemovedByTheNextPull() async throws {
        let world = try await world()
        _ = try await sync(world)
        try await world.replica.store.create("Holiday", ["name": "ours", "country": "DE"])
        try await world.replica.sync(SyncRequest(pulls: false))
        #expect(try names(world) == ["ours"])
        _ = try await sync(world)
        #expect(try names(world).isEmpty)
    }

    @Test func aLocalObjectThatMatchesAPullIsKept() async throws {
        let world = try await world()
        _ = try await sync(world)
        try await world.replica.store.create("Holiday", ["name": "ours", "country": "US"])
        for _ in 0..<3 { _ = try await sync(world) }
        #expect(try names(world) == ["ours"])
        try world.expectEqual()
    }

    @Test func changedPullConditionsRestartThePullAndDropObjectsOutsideThem() async throws {
        let world = try await world()
        try await make(world, "us", "US")
        try await make(world, "de", "DE")
        _ = try await sync(world)
        try await world.replica.set(["pulls": [["name": "us", "where": ["country": "DE"]]]])
        #expect(try names(world) == ["us"])
        _ = try await sync(world)
        #expect(try names(world) == ["de"])
        try await world.replica.set(["pulls": nil])
        _ = try await sync(world)
        try world.expectEqual()
        try await world.replica.set(Self.us)
        _ = try await sync(world)
        #expect(try names(world) == ["us"])
        #expect(try world.hub.store.all("Holiday").count == 2)
    }

    @Test func objectOutsideThePullFilterIsKeptWhileItHasPendingChanges() async throws {
        let world = try await world()
        let id = try await make(world, "a", "US")
        _ = try await sync(world)
        try await world.replica.store.update("Holiday", id, ["n": 1])
        try await world.hub.store.update("Holiday", id, ["country": "DE"])
        world.clock.advance(.seconds(30))
        try await world.replica.sync(SyncRequest(pushes: false))
        #expect(try world.replica.store.fields("Holiday", id)?["n"] == 1)
        #expect(try world.replica.store.state("Holiday", id) == .updated)
        _ = try await sync(world)
        #expect(try world.hub.store.fields("Holiday", id) == ["name": "a", "country": "DE", "n": 1])
        #expect(try names(world).isEmpty)
    }

    @Test func objectOutsideThePullFilterIsRemovedAfterItsPendingChangeIsUndone() async throws {
        let world = try await world()
        let id = try await make(world, "a", "US")
        _ = try await sync(world)
        try await world.replica.store.update("Holiday", id, ["n": 1])
        try await world.hub.store.update("Holiday", id, ["country": "DE"])
        world.clock.advance(.seconds(30))
        try await world.replica.sync(SyncRequest(pushes: false))
        try await world.replica.store.undoPending(try #require(try world.replica.store.pendingChanges().first).id)
        _ = try await sync(world)
        #expect(try names(world).isEmpty)
        #expect(try world.hub.store.all("Holiday").count == 1)
    }

    @Test func membershipOfObjectsInANamedPullSurvivesARestart() async throws {
        let world = try await World.make()
        let directory = try TemporaryDirectory()
        let transport = HandlerTransport(world.hub.api, clock: world.clock)
        var replica: SyncedReplica? = try await SyncedReplica(
            directory, transport: transport, clock: world.clock, classes: [])
        try await replica?.set(Self.us)
        let id = try await make(world, "a", "US")
        try await make(world, "b", "US")
        try await replica?.sync()
        await replica?.stop()
        replica = nil
        world.clock.advance(.seconds(30))
        try await world.hub.store.update("Holiday", id, ["country": "DE"])
        let reopened = try await SyncedReplica(directory, transport: transport, clock: world.clock, classes: [])
        try await reopened.sync()
        #expect(try reopened.store.all("Holiday").values.compactMap { $0["name"]?.string } == ["b"])
    }

    @Test func remotelyDeletedRowOfASubsetIsRemovedLocally() async throws {
        let world = try await world()
        let id = try await make(world, "a", "US")
        for n in 0..<4 { try await make(world, "b\(n)", "US") }
        _ = try await sync(world)
        try await world.hub.store.delete("Holiday", id)
        #expect(try await sync(world).removed == 1)
        #expect(try names(world) == ["b0", "b1", "b2", "b3"])
    }
}
