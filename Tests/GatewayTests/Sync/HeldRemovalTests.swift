import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests removals that wait for a user's decision (held removals) while other objects are found missing.
@Suite("Removals that wait for a decision")
struct HeldRemovalTests {
    private func world(_ options: JSONObject = [:]) async throws -> World {
        let world = try await World.make(classes: ["Holiday", "Country"])
        for n in 0..<6 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        try await world.hub.store.create("Country", ["code": "NO"])
        try await world.replica.set(options)
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        for id in try world.hub.store.all("Holiday").keys.sorted().prefix(4) {
            try await world.hub.store.delete("Holiday", id)
        }
        #expect(try await world.replica.sync().heldBack == 4)
        world.clock.advance(.seconds(60))
        return world
    }

    private func grow(_ world: World) async throws {
        for n in 10..<20 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
    }

    private func expectHeld(_ world: World, of total: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try world.replica.store.removals().map(\.objectIds.count) == [4], sourceLocation: sourceLocation)
        #expect(try world.replica.store.all("Holiday").count == total, sourceLocation: sourceLocation)
    }

    @Test func removalWaitingForADecisionSurvivesALaterPlausibleRemoval() async throws {
        let world = try await world()
        try await grow(world)
        try expectHeld(world, of: 16)
        let id = try #require(try world.hub.store.all("Holiday").keys.sorted().first)
        try await world.hub.store.delete("Holiday", id)
        try await world.replica.store.update("Holiday", id, ["name": "mine"])
        // A push-only sync also detects the deletion.
        try await world.replica.sync(SyncRequest(pulls: false))
        #expect(try world.replica.store.conflicts(resolved: false).map(\.kind) == [.deletedRemotely])
        try expectHeld(world, of: 16)
    }

    /// An object that is deleted locally is no longer part of the removal that waits for a decision.
    @Test func removalWaitingForADecisionCountsOnlyObjectsThatStillExistLocally() async throws {
        let world = try await world()
        let held = try #require(try world.replica.store.removals().first).objectIds
        for id in held.prefix(3) { try await world.replica.store.delete("Holiday", id) }
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        let removal = try #require(try world.replica.store.removals().first)
        #expect(removal.objectIds == [held[3]])
        for id in try world.hub.store.all("Holiday").keys { try await world.hub.store.delete("Holiday", id) }
        for _ in 0..<2 {
            world.clock.advance(.seconds(60))
            try await world.replica.sync()
        }
        let removals = try world.replica.store.removals()
        #expect(removals.allSatisfy { $0.objectIds.count <= 3 && $0.objectIds.count <= $0.total })
    }

    /// Both sides have deleted the only object of each class. Each object is the test read for the other's absence.
    @Test(arguments: [true, false]) func deletionsOfMissingObjectsAreSentAfterTheDecision(
        isKept: Bool
    ) async throws {
        let world = try await World.make(classes: ["Holiday", "Country"], syncsByItself: false)
        let objects = [
            ("Holiday", try await world.hub.store.create("Holiday", ["n": 1])),
            ("Country", try await world.hub.store.create("Country", ["code": "NO"])),
        ]
        func sync() async throws {
            world.clock.advance(.seconds(60))
            try await world.replica.sync()
        }
        try await sync()
        for (className, id) in objects {
            try await world.hub.store.delete(className, id)
            try await world.replica.store.delete(className, id)
        }
        try await sync()
        #expect(try await world.replica.store.figures().pending == 2)
        let removals = try world.replica.store.removals()
        #expect(Set(removals.map(\.className)) == ["Holiday", "Country"])
        for removal in removals {
            if isKept {
                try await world.replica.store.keepRemoval(removal.id)
            } else {
                try await world.replica.store.confirmRemoval(removal.id)
            }
        }
        for _ in 0..<2 { try await sync() }
        #expect(try await world.replica.store.figures().pending == 0)
        #expect(try world.replica.store.removals().isEmpty)
    }

    @Test func removalWaitingForADecisionSurvivesARefusedPull() async throws {
        let world = try await world(["pulls": [["name": "some", "where": ["n": ["$gte": 0]]]]])
        world.transport.set { _, path, body in
            path.contains("Holiday") || body.contains("Holiday")
                ? .answer(status: 400, body: #"{"code":119,"error":"Permission denied"}"#) : nil
        }
        try await world.replica.sync()
        // If the remote refuses to list a class, its objects are kept in the database and hidden from clients.
        #expect(try world.replica.store.removals().map(\.objectIds.count) == [4])
        #expect(try world.replica.store.all("Holiday").isEmpty)
        world.transport.heal()
        try await grow(world)
        try expectHeld(world, of: 16)
    }
}
