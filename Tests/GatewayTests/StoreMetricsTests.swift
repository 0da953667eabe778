import LocalStore
import ParseModel
import StoreService
import Testing

@testable import Gateway
@testable import GatewayAPI

@Suite("Metrics of the database")
struct StoreMetricsTests {
    @Test func metricsCountObjectsByClassAndPendingChangesInTotal() async throws {
        let world = try await World.make(classes: ["Birthday", "Holiday"], isOffline: true)
        let first = await world.replica.figures(world.clock)
        #expect(first[#"objects{class="Holiday"}"#] == 0)
        #expect(first[#"initial_sync_complete{class="Birthday"}"#] == 0)
        #expect(first.count("last_sync_timestamp_seconds") == 0)
        for name in ["a", "b"] { try await world.replica.store.create("Holiday", ["name": .string(name)]) }
        try await world.replica.store.create("Film", [:])
        let figures = await world.replica.figures(world.clock)
        #expect(figures[#"objects{class="Holiday"}"#] == 2)
        #expect(figures[#"objects{class="Film"}"#] == 1)
        #expect(figures["outbox_objects"] == 3)
        #expect(figures.count("initial_sync_complete") == 2)
    }

    @Test func aSyncSetsTheOutboxMetricToZeroAndUpdatesItsTime() async throws {
        let world = try await World.make()
        try await world.replica.store.create("Holiday", ["name": "a"])
        try await world.replica.sync()
        let figures = await world.replica.figures(world.clock)
        #expect(figures["outbox_objects"] == 0)
        #expect(figures[#"initial_sync_complete{class="Holiday"}"#] == 1)
        #expect(figures["last_sync_timestamp_seconds"] == 1_700_000_000)
    }

    @Test func metricsCountOpenDecisions() async throws {
        let world = try await World.make()
        var ids: [String] = []
        for _ in 1...6 { ids.append(try await world.hub.store.create("Holiday", ["n": 1])) }
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        try await world.replica.store.update("Holiday", ids[0], ["name": "kept here"])
        try await world.replica.store.update("Holiday", ids[1], ["n": "not a number"])
        for id in ids where id != ids[1] { try await world.hub.store.delete("Holiday", id) }
        try await world.replica.sync()
        let figures = await world.replica.figures(world.clock)
        let expected = try await world.replica.store.figures()
        #expect(expected.rejections == 1)
        #expect(figures["rejections"] == Double(expected.rejections))
        #expect(figures["conflicts"] == Double(expected.conflicts))
        #expect(figures["removals_held_back"] == Double(expected.removals))
        #expect(expected.conflicts + expected.removals > 0)
    }

    @Test func standaloneGatewayHasNoSyncMetrics() async throws {
        let directory = try TemporaryDirectory()
        let hub = try Hub(directory, clock: TestClock())
        try await hub.store.create("Holiday", [:])
        let families = try await StoreMetrics(store: hub.store).families()
        #expect(families.map(\.name) == ["tidegate_objects"])
    }
}
