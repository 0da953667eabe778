import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests creates of unknown outcome, and objects that two replicas recreate after a deletion.
@Suite("Creates of unknown outcome")
struct DoubtfulCreateTests {
    /// While a class has a create of unknown outcome, the replica does not search it for deletions: it might find the
    /// created object.
    @Test func rowFoundBySearchForDeletionsIsNotAdoptedForALostCreate() async throws {
        let world = try await World.make()
        try await world.hub.store.create("Holiday", ["name": "old"])
        let gone = try await world.hub.store.create("Holiday", ["name": "gone"])
        try await world.replica.sync()
        try await world.hub.store.delete("Holiday", gone)
        try await world.replica.store.create("Holiday", ["name": "once"])
        world.transport.set { method, _, body in
            if method == "POST", body.contains("once") { return .replyLost }
            // The search for the created object gets an incomplete answer, too.
            return method == "GET" && body.contains("order=createdAt") ? .truncated : nil
        }
        _ = await world.replica.engine.startAndWait()
        #expect(try world.hub.store.all("Holiday").count == 2)
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        world.transport.heal()
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").count == 2)
        try world.expectEqual()
    }

    @Test func objectRecreatedByTwoReplicasHasTheChangesOfBoth() async throws {
        let world = try await World.make(allowsChosenIds: true)
        let other = try await world.another()
        // The second replica pulls a subset. The object that the first replica recreates is outside this subset.
        try await other.replica.store.configureClass("Holiday") { _, pulls in
            pulls = [NamedPull(name: "some", conditions: ["name": "x"])]
        }
        let id = try await world.hub.store.create("Holiday", ["name": "x"])
        try await world.replica.sync()
        try await other.replica.sync()
        try await world.hub.store.delete("Holiday", id)
        try await world.replica.store.update("Holiday", id, ["name": "y", "here": "mine"])
        try await other.replica.store.update("Holiday", id, ["there": "theirs"])
        for replica in [world.replica, other.replica] {
            world.clock.advance(.seconds(30))
            try await replica.sync()
            let conflict = try #require(try replica.store.conflicts(resolved: false).first)
            #expect(conflict.kind == .deletedRemotely)
            try await replica.store.resolveConflict(conflict.id, keep: "local", fields: nil)
        }
        for replica in [world.replica, other.replica, world.replica] {
            world.clock.advance(.seconds(30))
            try await replica.sync()
        }
        let made = try #require(try world.hub.store.fields("Holiday", id))
        #expect(made["here"] == "mine")
        #expect(made["there"] == "theirs")
        try world.expectEqual()
    }
}
