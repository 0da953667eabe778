import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests syncs after the clock of the remote or of the replica was set back by hours.
@Suite("Sync after a clock was set back")
struct ClockTests {
    private let world: World

    init() async throws {
        world = try await World.make(pageSize: 20, keepsStampsInOrder: false)
        for n in 0..<50 {
            try await world.hub.store.create("Holiday", ["n": .int(n)])
            world.clock.advance(.seconds(60))
        }
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
    }

    private func sync() async throws -> SyncSummary {
        world.clock.advance(.seconds(60))
        return try await world.replica.sync()
    }

    @Test func changesAreSyncedAfterTheRemotesClockWasSetBack() async throws {
        let ids = try world.hub.store.all("Holiday").keys.sorted()
        world.clock.turn(by: .seconds(-3 * 3600))
        try await world.hub.store.update("Holiday", ids[0], ["n": 100])
        try await world.hub.store.delete("Holiday", ids[1])
        try await world.hub.store.create("Holiday", ["n": 101])
        try await world.replica.store.update("Holiday", ids[2], ["n": 102])
        try await world.replica.store.create("Holiday", ["n": 103])
        for _ in 0..<3 { _ = try await sync() }
        try world.expectEqual()
        try await world.hub.store.update("Holiday", ids[3], ["n": 104])
        _ = try await sync()
        try world.expectEqual()
        #expect(try world.replica.store.all("Holiday").count == 51)
    }

    @Test func lostRequestsAreResolvedAfterTheRemotesClockWasSetBack() async throws {
        let ids = try world.hub.store.all("Holiday").keys.sorted()
        world.transport.set { method, _, _ in method == "PUT" ? .requestLost : nil }
        try await world.replica.store.update("Holiday", ids[0], ["n": 100])
        try await world.replica.store.update("Holiday", ids[1], ["n": ["__op": "Increment", "amount": 1]])
        _ = await world.replica.engine.startAndWait()
        world.clock.turn(by: .seconds(-3 * 3600))
        world.transport.heal()
        try await world.replica.store.update("Holiday", ids[0], ["n": 101])
        for _ in 0..<4 { _ = try await sync() }
        #expect(try await world.replica.store.figures().pending == 0)
        #expect(try world.hub.store.fields("Holiday", ids[0]) == ["n": 101])
        try world.expectEqual()
    }

    /// Rows with timestamps in the future are pulled again in each sync until that time has passed.
    @Test func rowsWithFutureTimesArePulledAgainUntilThatTime() async throws {
        world.clock.turn(by: .seconds(-3 * 3600))
        for _ in 0..<3 { #expect(try await sync().pulled == 0) }
        world.clock.advance(.seconds(4 * 3600))
        for _ in 0..<2 { _ = try await sync() }
        #expect(try await sync().requests == 1)
    }

    @Test func firstPullAfterTheRemotesClockWasSetBackIsComplete() async throws {
        world.clock.turn(by: .seconds(-3 * 3600))
        let other = try await world.another()
        _ = try await other.replica.sync()
        #expect(try other.replica.store.all("Holiday") == world.hub.store.all("Holiday"))
    }

    @Test func aWrongClockOfTheReplicaDoesNotAffectASync() async throws {
        let clock = TestClock(seed: 7)
        let (replica, directory) = try await world.another(clock: clock)
        defer { withExtendedLifetime(directory) {} }
        try await replica.sync()
        let made = try await replica.store.create("Holiday", ["n": 200])
        clock.turn(by: .seconds(-5 * 3600))
        let ids = try world.hub.store.all("Holiday").keys.sorted()
        try await replica.store.update("Holiday", ids[0], ["n": 201])
        try await replica.store.update("Holiday", made, ["name": "edited"])
        try await world.hub.store.update("Holiday", ids[1], ["n": 202])
        for span in [0, 10 * 3600, -9 * 3600] {
            clock.turn(by: .seconds(span))
            clock.advance(.seconds(60))
            world.clock.advance(.seconds(60))
            try await replica.sync()
            #expect(try replica.store.all("Holiday") == world.hub.store.all("Holiday"))
        }
        #expect(try await replica.store.figures().pending == 0)
        #expect(try await replica.sync().requests == 1)
    }

    @Test func aWrongClockOfTheReplicaCausesNoConflict() async throws {
        let clock = TestClock(seed: 7)
        let directory = try TemporaryDirectory()
        let transport = HandlerTransport(world.hub.api, clock: world.clock)
        let replica = try await SyncedReplica(directory, transport: transport, clock: clock)
        try await replica.sync()
        try await replica.store.create("Holiday", ["name": "once"])
        transport.once(.requestLost) { method, _, body in method == "POST" && body.contains("once") }
        _ = await replica.engine.startAndWait()
        // The clock is set back, so the recorded time of the request is now in the future.
        clock.turn(by: .seconds(-5 * 3600))
        for _ in 0..<2 {
            clock.advance(.seconds(60))
            world.clock.advance(.seconds(60))
            try await replica.sync()
        }
        #expect(try world.hub.store.all("Holiday").count == 51)
        #expect(try replica.store.conflicts(resolved: false).isEmpty)
        #expect(try replica.store.all("Holiday") == world.hub.store.all("Holiday"))
    }
}
