import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests pulls that select fields by the option `keys`.
@Suite("Fields that a pull selects by its keys")
struct PullKeysTests {
    private func world(_ pulls: JSONValue) async throws -> World {
        let world = try await World.make()
        try await world.replica.sync()
        try await world.replica.set(["pulls": pulls])
        return world
    }

    private func sync(_ world: World) async throws {
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
    }

    @Test func fieldsOutsideThePullKeysAreAbsentLocallyAndUnchangedAtTheRemote() async throws {
        let world = try await world([["name": "names", "keys": ["name"]]])
        let id = try await world.hub.store.create("Holiday", ["name": "a", "text": "long"])
        let bare = try await world.hub.store.create("Holiday", ["text": "long"])
        try await sync(world)
        #expect(try world.replica.store.fields("Holiday", id) == ["name": "a"])
        #expect(try world.replica.store.fields("Holiday", bare) == [:])
        try await world.replica.store.update("Holiday", id, ["name": "b"])
        try await sync(world)
        #expect(try world.replica.store.fields("Holiday", id) == ["name": "b"])
        #expect(try world.hub.store.fields("Holiday", id) == ["name": "b", "text": "long"])
    }

    @Test func pulledFieldDeletedAtTheRemoteIsDeletedLocally() async throws {
        let world = try await world([["name": "names", "keys": ["name", "n"]]])
        let id = try await world.hub.store.create("Holiday", ["name": "a", "n": 1])
        try await sync(world)
        try await world.hub.store.update("Holiday", id, ["n": ["__op": "Delete"]])
        try await sync(world)
        #expect(try world.replica.store.fields("Holiday", id) == ["name": "a"])
    }

    /// A local value of an unpulled field is visible while its change is pending. Afterwards it is dropped, because no
    /// pull would update it.
    @Test func localFieldOutsideThePullKeysReachesTheRemoteAndIsNotKept() async throws {
        let world = try await world([["name": "names", "keys": ["name"]]])
        let id = try await world.hub.store.create("Holiday", ["name": "a"])
        try await sync(world)
        try await world.replica.store.update("Holiday", id, ["text": "ours"])
        #expect(try world.replica.store.fields("Holiday", id) == ["name": "a", "text": "ours"])
        try await sync(world)
        #expect(try world.hub.store.fields("Holiday", id) == ["name": "a", "text": "ours"])
        #expect(try world.replica.store.fields("Holiday", id) == ["name": "a"])
        #expect(try world.replica.store.conflicts(resolved: true).isEmpty)
    }

    @Test func anObjectOfTwoPullsHasTheFieldsOfBoth() async throws {
        let world = try await world([
            ["name": "names", "keys": ["name"]], ["name": "us", "where": ["country": "US"], "keys": ["country"]],
        ])
        let us = try await world.hub.store.create("Holiday", ["name": "a", "country": "US", "text": "long"])
        let de = try await world.hub.store.create("Holiday", ["name": "b", "country": "DE"])
        try await sync(world)
        #expect(try world.replica.store.fields("Holiday", us) == ["country": "US", "name": "a"])
        #expect(try world.replica.store.fields("Holiday", de) == ["name": "b"])
    }

    /// A field that no pull of the object selects any more would stay outdated forever.
    @Test func anObjectThatLeavesAPullLosesThatPullsFields() async throws {
        let world = try await world([
            ["name": "names", "keys": ["name"]], ["name": "us", "where": ["country": "US"], "keys": ["country"]],
        ])
        let id = try await world.hub.store.create("Holiday", ["name": "a", "country": "US"])
        try await sync(world)
        try await world.hub.store.update("Holiday", id, ["country": "DE"])
        try await sync(world)
        #expect(try world.replica.store.fields("Holiday", id) == ["name": "a"])
        try await world.hub.store.update("Holiday", id, ["country": "US"])
        try await sync(world)
        #expect(try world.replica.store.fields("Holiday", id) == ["country": "US", "name": "a"])
    }

    @Test func changedPullKeysRestartThePull() async throws {
        let world = try await world([["name": "all", "keys": ["name", "n"]]])
        let id = try await world.hub.store.create("Holiday", ["name": "a", "n": 1, "m": 1])
        try await sync(world)
        try await world.replica.set(["pulls": [["name": "all", "keys": ["name", "m"]]]])
        try await sync(world)
        #expect(try world.replica.store.fields("Holiday", id) == ["name": "a", "m": 1])
        try await world.replica.set(["pulls": nil])
        try await sync(world)
        try world.expectEqual()
    }

    @Test func deletedFieldIsAlwaysPulled() async throws {
        let world = try await world([["name": "names", "keys": ["name"]]])
        try await world.replica.set(["deletedField": "isDeleted"])
        let id = try await world.hub.store.create("Holiday", ["name": "a"])
        try await sync(world)
        try await world.hub.store.update("Holiday", id, ["isDeleted": true])
        try await sync(world)
        #expect(try world.replica.store.object("Holiday", id) == nil)
    }

    @Test func operationIdFieldIsAlwaysPulled() async throws {
        let world = try await world([["name": "names", "keys": ["name", "n"]]])
        try await world.replica.set(["opField": "ops"])
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await sync(world)
        try await world.replica.store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 1]])
        try await sync(world)
        #expect(try world.hub.store.fields("Holiday", id)?["ops"]?.array?.count == 1)
        try await world.replica.store.update("Holiday", id, ["name": "b"])
        try await sync(world)
        #expect(try world.hub.store.fields("Holiday", id)?["ops"] == [])
    }
}
