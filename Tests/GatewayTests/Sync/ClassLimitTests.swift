import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import Synchronization
import Testing

@testable import Gateway

/// Tests the limits that stop the pull of a class before it fills the disk.
@Suite("Object and disk limits of pulled classes")
struct ClassLimitTests {
    private func world(_ change: (inout SyncOptions) -> Void) async throws -> World {
        var options = SyncOptions()
        change(&options)
        return try await World.make(
            classes: ["Holiday", "Birthday"], pageSize: 10, options: options, syncsByItself: false
        ) { hub, clock in
            for n in 0..<100 {
                try await hub.store.create("Holiday", ["n": .int(n)])
                clock.advance(.milliseconds(10))
            }
            try await hub.store.create("Birthday", ["n": 1])
            clock.advance(.seconds(60))
        }
    }

    private func state(_ world: World, of name: String = "Holiday") async throws -> JSONObject {
        try await world.replica.send("GET /sync/classes/\(name)", clock: world.clock).1
    }

    @Test func classOverItsObjectLimitStopsPullingWithAReason() async throws {
        let world = try await world { $0.classObjectsMax = 45 }
        let waiting = try await world.replica.store.create("Holiday", ["n": 1000])
        let summary = try await world.replica.sync()
        #expect(summary.warnings.contains { $0.contains("Pulls of Holiday have stopped") })
        // The limit is checked after each transaction, which stores up to three pages, so more objects than the limit
        // can be stored.
        #expect((46...80).contains(try world.replica.store.all("Holiday").count))
        let state = try await state(world)
        #expect(state["stopped"]?.object?["reason"]?.string?.contains("more than the maximum (45)") == true)
        // Other classes are still pulled, and local changes are still sent.
        #expect(try await self.state(world, of: "Birthday")["stopped"] == .null)
        try world.expectEqual("Birthday")
        #expect(try world.hub.store.all("Holiday").count == 101)
        #expect(try world.replica.store.state("Holiday", waiting) == .synced)
        // Further syncs pull no more of the class and remove nothing.
        let count = try world.replica.store.all("Holiday").count
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        #expect(try world.replica.store.all("Holiday").count == count)
    }

    /// The reported reason advises to pull a subset. The test follows it.
    @Test func classStoppedByTheObjectLimitContinuesWithASmallerSubset() async throws {
        let world = try await world { $0.classObjectsMax = 45 }
        try await world.replica.sync()
        #expect(try await state(world)["stopped"]?.object?["reason"]?.string?.contains("Pull a subset") == true)
        try await world.replica.store.configureClass("Holiday") { _, pulls in
            pulls = [NamedPull(name: "few", conditions: ["n": ["$gte": 80]])]
        }
        for _ in 0..<2 {
            world.clock.advance(.seconds(60))
            try await world.replica.sync()
        }
        #expect(try await state(world)["stopped"] == .null)
        #expect(try world.replica.store.all("Holiday").count == 20)
    }

    @Test func classStoppedByAFullDiskContinuesOnceThereIsRoom() async throws {
        let free = Mutex(1000)
        let world = try await world { options in
            options.diskFreeMin = 2000
            options.freeBytes = { free.withLock { $0 } }
        }
        try await world.replica.sync()
        #expect(try world.replica.store.all("Holiday").isEmpty)
        let reason = try await state(world)["stopped"]?.object?["reason"]?.string
        #expect(reason?.contains("1000 bytes are free") == true)
        free.withLock { $0 = 5000 }
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        try world.expectEqual()
        #expect(try await state(world)["stopped"] == .null)
    }

    @Test func freeDiskSpaceIsCheckedWithEachPulledPage() async throws {
        let asked = Mutex(0)
        let world = try await world { options in
            options.diskFreeMin = 2000
            options.freeBytes = {
                asked.withLock {
                    $0 += 1
                    return $0 > 5 ? 0 : 5000
                }
            }
        }
        try await world.replica.sync()
        #expect((1..<100).contains(try world.replica.store.all("Holiday").count))
    }
}
