import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests the removal of classes (unregister) and of objects (purge) from the replica, not from the remote.
@Suite("Unregistering and purging of classes")
struct UnregisterTests {
    private let world: World
    private let ids: [String]

    init() async throws {
        world = try await World.make()
        var ids: [String] = []
        for n in 0..<5 { ids.append(try await world.hub.store.create("Holiday", ["n": .int(n)])) }
        self.ids = ids
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
    }

    private func send(_ line: String) async throws -> (Int, JSONObject) {
        try await world.replica.send(line, clock: world.clock)
    }

    private func classes() async throws -> [String] { try await world.replica.store.sync.syncClasses().map(\.name) }

    @Test func unregisteringAClassIsRefusedWhileItHasPendingChanges() async throws {
        try await world.replica.store.update("Holiday", ids[0], ["n": 10])
        let (status, answer) = try await send("DELETE /sync/classes/Holiday")
        #expect(status == 409)
        #expect(answer["code"] == 119)
        #expect(try await classes() == ["Holiday"])
        try await world.replica.sync()
        #expect(try await send("DELETE /sync/classes/Holiday").0 == 200)
        #expect(try await classes().isEmpty)
        #expect(try world.replica.store.all("Holiday").count == 5)
    }

    @Test func forcedUnregisteringOfAClassDropsOnlyItsPendingChanges() async throws {
        try await world.replica.store.update("Holiday", ids[0], ["n": 10])
        try await world.replica.store.delete("Holiday", ids[1])
        let made = try await world.replica.store.create("Holiday", ["n": 11])
        #expect(try await send("DELETE /sync/classes/Holiday?force=true").0 == 200)
        #expect(try world.replica.store.object("Holiday", made) == nil)
        #expect(try world.replica.store.fields("Holiday", ids[0]) == ["n": 0])
        #expect(try world.replica.store.fields("Holiday", ids[1]) == ["n": 1])
        #expect(try world.replica.store.invariantViolations() == [])
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").count == 5)
        #expect(try world.hub.store.fields("Holiday", ids[0]) == ["n": 0])
    }

    @Test func forcedUnregisteringOfAClassDropsConflictsAndRejections() async throws {
        try await world.replica.store.update("Holiday", ids[0], ["n": "no number"])
        try await world.replica.sync()
        try await world.hub.store.delete("Holiday", ids[1])
        try await world.replica.store.update("Holiday", ids[1], ["n": 10])
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        let before = try await world.replica.store.figures()
        #expect((before.rejections, before.conflicts) == (1, 1))
        #expect(try await send("DELETE /sync/classes/Holiday").0 == 409)
        #expect(try await send("DELETE /sync/classes/Holiday?force=true&purge=true").0 == 200)
        let after = try await world.replica.store.figures()
        #expect((after.rejections, after.conflicts, after.pending) == (0, 0, 0))
        #expect(try world.replica.store.invariantViolations() == [])
    }

    @Test func purgeRemovesObjectsLocallyAndNotAtTheRemote() async throws {
        #expect(try await send("DELETE /sync/classes/Holiday?purge=true").0 == 200)
        #expect(try world.replica.store.all("Holiday").isEmpty)
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").count == 5)
        #expect(try world.replica.store.all("Holiday").isEmpty)
        try await world.replica.set([:])
        try await world.replica.sync()
        try world.expectEqual()
    }

    @Test func purgeByAQueryLeavesOtherObjectsAndAPullRestoresThePurgedOnes() async throws {
        world.transport.set { _, _, _ in .refused }
        let (status, answer) = try await send(
            "DELETE /sync/classes/Holiday/objects?where=%7B%22n%22%3A%7B%22%24gte%22%3A3%7D%7D")
        #expect(status == 200)
        #expect(answer == ["purged": 2])
        #expect(Set(try world.replica.store.all("Holiday").keys) == Set(ids[..<3]))
        world.transport.heal()
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").count == 5)
        try world.expectEqual()
    }

    @Test func purgeByAFieldPathWithManyArrayIndexesIsAnswered() async throws {
        for count in [9, 10, 26, 31, 32, 200] {
            let path = "a" + String(repeating: ".0", count: count)
            let (status, answer) = try await send(
                "DELETE /sync/classes/Holiday/objects?where=%7B%22\(path)%22%3A1%7D")
            #expect(status == (count < 32 ? 200 : 400), "\(count)")
            #expect(answer["purged"] == (count < 32 ? 0 : nil))
        }
        #expect(try world.replica.store.all("Holiday").count == 5)
    }

    @Test func aPurgeOfAllObjectsRestartsThePull() async throws {
        world.transport.set { _, _, _ in .refused }
        #expect(try await send("DELETE /sync/classes/Holiday/objects").1 == ["purged": 5])
        #expect(try world.replica.store.all("Holiday").isEmpty)
        #expect(try await world.replica.store.sync.syncClasses().first?.initialSyncComplete == false)
        world.transport.heal()
        #expect(try await world.replica.sync().pulled == 5)
        try world.expectEqual()
    }

    @Test func purgeIsRefusedWhileChangesArePendingUnlessForced() async throws {
        world.transport.set { _, _, _ in .refused }
        try await world.replica.store.update("Holiday", ids[4], ["n": 10])
        let some = "where=%7B%22n%22%3A%7B%22%24gte%22%3A3%7D%7D"
        #expect(try await send("DELETE /sync/classes/Holiday/objects?\(some)").0 == 409)
        #expect(try await send("DELETE /sync/classes/Holiday/objects").0 == 409)
        #expect(try world.replica.store.all("Holiday").count == 5)
        #expect(try await send("DELETE /sync/classes/Holiday/objects?force=true&\(some)").1 == ["purged": 2])
        #expect(try world.replica.store.all("Holiday").count == 3)
        #expect(try world.replica.store.pendingChanges().isEmpty)
        world.transport.heal()
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", ids[4]) == ["n": 4])
        try world.expectEqual()
    }

    @Test func aClassReregisteredWithASubsetDropsItsOtherObjects() async throws {
        #expect(try await send("DELETE /sync/classes/Holiday").0 == 200)
        try await world.replica.set(["pulls": [["name": "few", "where": ["n": ["$lt": 2]]]]])
        try await world.replica.sync()
        #expect(Set(try world.replica.store.all("Holiday").keys) == Set(ids[..<2]))
        #expect(try world.hub.store.all("Holiday").count == 5)
    }

    @Test func purgeDropsARemovalThatWaitsForADecision() async throws {
        for id in ids { try await world.hub.store.delete("Holiday", id) }
        #expect(try await world.replica.sync().heldBack == 5)
        world.transport.set { _, _, _ in .refused }
        #expect(try await send("DELETE /sync/classes/Holiday/objects").1 == ["purged": 5])
        #expect(try world.replica.store.removals().isEmpty)
    }

    /// A rejected change and a change of unknown outcome also count as pending, because the remote may not have them.
    @Test func pendingDeletionPreventsPurgeAndUnregistering() async throws {
        try await world.replica.store.delete("Holiday", ids[0])
        #expect(try await send("DELETE /sync/classes/Holiday/objects").0 == 409)
        #expect(try await send("DELETE /sync/classes/Holiday?purge=true").0 == 409)
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").count == 4)
    }
}
