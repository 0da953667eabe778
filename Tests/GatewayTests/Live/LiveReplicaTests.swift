import GatewayAPI
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// Live queries at a replica: events of syncs, and ids that the remote replaces.
@Suite("Live queries of a replica")
struct LiveReplicaTests {
    private func probe(_ world: World, _ query: JSONObject) async throws -> LiveProbe {
        let probe = try await LiveProbe.connected(to: world.replica.api(world.clock))
        #expect(try await probe.subscribe(1, query)["op"] == "subscribed")
        return probe
    }

    @Test func changeOfTheRemoteIsAnEventWhenItIsPulled() async throws {
        let world = try await World.make(syncsByItself: false)
        try await world.replica.sync()
        let probe = try await probe(world, ["className": "Holiday", "where": [:]])
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        try await world.hub.store.update("Holiday", id, ["n": 2])
        try await world.replica.sync()
        try await world.hub.store.delete("Holiday", id)
        try await world.replica.sync()
        #expect(try await probe.events(3) == ["create 1 1", "update 1 2 was 1", "delete 1 2"])
    }

    @Test func replacedIdIsADeletionAndACreation() async throws {
        let world = try await World.make(syncsByItself: false)
        try await world.replica.sync()
        let probe = try await probe(world, ["className": "Holiday", "where": [:]])
        let local = try await world.replica.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        let events = try await probe.events(3).prefix(3)
        #expect(events == ["create 1 1", "delete 1 1", "create 1 1"])
        let ids = probe.messages.compactMap { $0["object"]?.object?["objectId"]?.string }
        #expect(ids.prefix(2) == [local, local])
        #expect(ids[2] != local)
    }

    @Test func conditionOnALocalIdStillMatchesAfterTheRemoteHasReplacedIt() async throws {
        let world = try await World.make(classes: ["Holiday", "Guest"], syncsByItself: false)
        try await world.replica.sync()
        let holiday = try await world.replica.store.create("Holiday", ["n": 1])
        let pointer = Pointer(className: "Holiday", objectId: holiday).json
        let probe = try await probe(world, ["className": "Guest", "where": ["holiday": pointer]])
        try await world.replica.store.create("Guest", ["n": 7, "holiday": pointer])
        _ = try await probe.events(1)
        try await world.replica.sync()
        try await world.replica.store.create("Guest", ["n": 8, "holiday": pointer])
        #expect(try await probe.message(after: 0) { $0["object"]?.object?["n"] == 8 }["op"] == "create")
    }
}
