import ParseModel
import RemoteService
import Testing

@testable import Gateway
@testable import GatewayAPI
@testable import SyncEngine

@Suite("Metrics of the sync")
struct SyncMetricsTests {
    @Test func metricsCountASyncWithItsPhases() async throws {
        let world = try await World.make()
        #expect(await world.replica.figures(world.clock)[#"syncs_total{outcome="finished"}"#] == 0)
        try await world.replica.sync()
        try await world.replica.store.create("Holiday", ["name": "a"])
        try await world.replica.sync()
        let figures = await world.replica.figures(world.clock)
        let syncs = try #require(figures[#"syncs_total{outcome="finished"}"#])
        #expect(syncs >= 2)
        for phase in ["prove", "push", "sweep"] {
            #expect(figures["sync_phase_duration_seconds_count{phase=\"\(phase)\"}"] == syncs)
        }
        // A sync pulls once more after a push, so it has several pull phases.
        #expect(try #require(figures[#"sync_phase_duration_seconds_count{phase="pull"}"#]) > syncs)
        #expect(figures[#"remote_errors_total{kind="offline"}"#] == 0)
    }

    @Test func metricsCountASyncToAnUnreachableRemoteAsUnreachable() async throws {
        let world = try await World.make()
        try await world.replica.sync()
        world.transport.set { _, _, _ in .refused }
        _ = try await world.replica.failingSync()
        let figures = await world.replica.figures(world.clock)
        #expect(figures[#"syncs_total{outcome="offline"}"#] == 1)
        #expect(try #require(figures[#"remote_errors_total{kind="offline"}"#]) >= 1)
    }

    @Test func metricsCountARefusalOfTheKeysAsUnauthorized() async throws {
        let world = try await World.make()
        world.transport.set { _, _, _ in .answer(status: 403, body: #"{"error":"unauthorized"}"#) }
        _ = try await world.replica.failingSync()
        let figures = await world.replica.figures(world.clock)
        #expect(try #require(figures[#"syncs_total{outcome="unauthorized"}"#]) >= 1)
        #expect(try #require(figures[#"remote_errors_total{kind="unauthorized"}"#]) >= 1)
    }

    @Test(arguments: [
        (SyncOutcome.finished(SyncSummary()), "finished"), (.paused, "paused"), (.failed(.halted), "paused"),
        (.failed(.offline(reason: "", retryAfter: nil)), "offline"),
        (.failed(.unauthorized(message: "")), "unauthorized"),
        (.failed(.refused(code: 119, message: "")), "refused"),
        (.failed(.unusable(reason: "", isTooMuch: false)), "unusable"), (.failed(.foreign(reason: "")), "foreign"),
        (.failed(.store("")), "store"),
    ])
    func metricsCountEveryOutcomeUnderItsName(_ outcome: SyncOutcome, _ name: String) throws {
        let metrics = SyncMetrics()
        metrics.note(.syncEnded(outcome, duration: .seconds(1)))
        let family = try #require(metrics.families().first { $0.name == "tidegate_syncs_total" })
        #expect(family.samples.count == 8)
        #expect(family.samples.filter { $0.value == 1 }.map { $0.labels.map(\.value) } == [[name]])
    }
}
