import LocalStore
import ParseModel
import RemoteService
import SyncEngine
import SyncModel
import Testing

/// Tests a remote with two tables that have different capabilities.
@Suite("Capabilities of the remote's classes")
struct ClassCapabilityTests {
    @Test func classWithoutConditionalWritesIsPulledBeforeThePush() async throws {
        let world = try await TableWorld(["Holiday", "Boat"], differing: ["Boat": { $0.hasConditionalWrites = false }])
        world.remote.put("Holiday", "row", ["n": 1])
        world.remote.put("Boat", "row", ["n": 1])
        try await world.sync()
        world.remote.forgetRequests()
        world.clock.advance(.seconds(30))
        try await world.store.update("Holiday", "row", ["n": 2])
        try await world.store.update("Boat", "row", ["n": 2])
        try await world.sync()
        let requests = world.remote.requests
        // Without conditional writes, Boat is pulled first, and its row is read just before its push. Both classes are
        // pulled after the pushes.
        #expect((requests.first, requests.last) == ("pull", "pull"))
        #expect(world.count("push update") == 2)
        #expect(world.count("fetch") == 1)
        #expect(world.remote.fields("Boat", "row") == ["n": 2])
        #expect(world.remote.fields("Holiday", "row") == ["n": 2])
    }

    @Test(arguments: [true, false]) func deletionsInAClassWithoutTombstonesAreFoundBySearch(
        countsObjects: Bool
    ) async throws {
        let world = try await TableWorld(
            ["Holiday", "Boat"],
            differing: [
                "Boat": {
                    $0.hasTombstones = false
                    $0.countsObjects = countsObjects
                }
            ])
        for name in ["Holiday", "Boat"] { for n in 1...5 { world.remote.put(name, "row \(n)", ["n": .int(n)]) } }
        try await world.sync()
        world.clock.advance(.seconds(30))
        for name in ["Holiday", "Boat"] { world.remote.delete(name, "row 3") }
        world.remote.forgetRequests()
        // The count of a lagging server may be outdated, so several syncs must find the difference.
        for _ in 1...3 {
            try await world.sync()
            world.clock.advance(.seconds(30))
        }
        for name in ["Holiday", "Boat"] {
            #expect(Set(try world.store.all(name).keys) == Set(world.remote.live(name).keys), "\(name)")
        }
        #expect(world.remote.requests.contains("allIds"))
        #expect(countsObjects || !world.remote.requests.contains("counts"))
    }

    @Test func objectIdsAreChosenLocallyIfTheRemoteClassAllowsIt() async throws {
        let world = try await TableWorld(["Holiday", "Boat"], differing: ["Boat": { $0.chosenIds = .never }])
        let holiday = try await world.store.create("Holiday", ["n": 1])
        let boat = try await world.store.create("Boat", ["n": 1])
        try await world.sync()
        #expect(Array(world.remote.live("Holiday").keys) == [holiday])
        #expect(world.remote.live("Boat").count == 1)
        #expect(world.remote.fields("Boat", boat) == nil)
        // The object is still found by its local id.
        #expect(try world.store.fields("Boat", boat) == ["n": 1])
    }

    @Test func nestedValuesAreRefusedOnlyForClassesThatCannotStoreThem() async throws {
        let world = try await TableWorld(["Holiday", "Boat"], differing: ["Boat": { $0.values = .any }])
        try await world.store.create("Holiday", ["list": [1]])
        try await world.store.create("Boat", ["n": 1])
        #expect(try await world.sync().rejections == 1)
        #expect(try world.store.rejections().map(\.className) == ["Holiday"])
    }

    @Test func pullConditionsAcceptTheOperatorsThatTheRemoteClassSupports() async throws {
        let world = try await TableWorld(["Holiday", "Boat"], differing: ["Boat": { $0.operators = ["$gt"] }])
        #expect(try world.engine.operators(of: "Boat") == ["$gt"])
        #expect(try world.engine.operators(of: "Holiday") == PullQuery.tableOperators)
    }
}
