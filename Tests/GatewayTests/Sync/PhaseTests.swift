import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import Testing

/// Tests syncs that only push or only pull.
@Suite("POST /sync?phase=")
struct PhaseTests {
    private let world: World
    private let ours: String
    private let theirs: String

    /// Makes a remote change that is not pulled, and a local change that is not pushed.
    init() async throws {
        world = try await World.make()
        ours = try await world.hub.store.create("Holiday", ["a": 1])
        theirs = try await world.hub.store.create("Holiday", ["a": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        try await world.replica.store.update("Holiday", ours, ["a": 2])
        try await world.replica.store.create("Holiday", ["a": 3])
        try await world.hub.store.update("Holiday", theirs, ["a": 4])
        _ = world.transport.takeSent()
    }

    private func sync(_ parameters: String) async throws -> JSONObject {
        let (status, answer) = try await world.replica.send("POST /sync?wait=true\(parameters)", clock: world.clock)
        #expect(status == 200)
        return answer
    }

    @Test func pushOnlySyncSendsChangesAndPullsNone() async throws {
        let answer = try await sync("&phase=push")
        #expect(answer["pushed"] == 2)
        #expect(answer["pulled"] == 0)
        #expect(try world.hub.store.fields("Holiday", ours) == ["a": 2])
        #expect(try world.hub.store.all("Holiday").count == 3)
        #expect(try world.replica.store.fields("Holiday", theirs) == ["a": 1])
        #expect(!world.transport.takeSent().contains { $0.body.contains("order=updatedAt") })
    }

    @Test func pushProgressContainsTheTotal() async throws {
        try await world.replica.sync(SyncRequest(pulls: false))
        for n in 0..<120 { try await world.replica.store.create("Holiday", ["n": .int(n)]) }
        // The engine sends two batches at the same time, so two requests pass.
        let gate = world.transport.close(after: 2)
        async let summary = world.replica.sync(SyncRequest(pulls: false))
        await gate.untilReached()
        let (_, status) = try await world.replica.send("GET /sync", clock: world.clock)
        #expect(status["progress"] == ["phase": "push", "class": "Holiday", "done": 100, "total": 120])
        gate.open()
        #expect(try await summary.pushed == 120)
    }

    @Test func pullOnlySyncReadsChangesAndSendsNone() async throws {
        let answer = try await sync("&phase=pull")
        #expect(answer["pushed"] == 0)
        #expect(answer["pulled"] == 1)
        #expect(try world.replica.store.fields("Holiday", theirs) == ["a": 4])
        #expect(try world.hub.store.fields("Holiday", ours) == ["a": 1])
        #expect(try await world.replica.store.figures().pending == 2)
        #expect(world.transport.takeSent().allSatisfy { $0.line.hasPrefix("GET") || !$0.body.contains("POST") })
    }

    @Test func pullOnlySyncRebasesPendingChanges() async throws {
        try await world.hub.store.update("Holiday", ours, ["a": 5, "b": 5])
        #expect(try await sync("&phase=pull")["settled"] == 1)
        #expect(try world.replica.store.fields("Holiday", ours) == ["a": 2, "b": 5])
    }

    @Test func phasesPushAndPullTogetherAreACompleteSync() async throws {
        _ = try await sync("&phase=push")
        _ = try await sync("&phase=pull")
        try world.expectEqual()
        #expect(try await world.replica.store.figures().pending == 0)
    }

    @Test func pushOnlySyncMergesRemoteEditsBeforeSending() async throws {
        try await world.hub.store.update("Holiday", ours, ["a": 5, "b": 5])
        #expect(try await sync("&phase=push")["settled"] == 1)
        #expect(try world.hub.store.fields("Holiday", ours) == ["a": 2, "b": 5])
    }

    @Test(arguments: ["both", "Push", "1"]) func invalidSyncPhaseIsRefused(phase: String) async throws {
        let (status, answer) = try await world.replica.send("POST /sync?phase=\(phase)", clock: world.clock)
        #expect(status == 400)
        #expect(answer["code"] == 102)
        #expect(world.transport.takeSent().isEmpty)
    }

    @Test func concurrentRequestsForDifferentSyncPhasesRunOneCompleteSync() async throws {
        let engine = world.replica.engine
        async let push = engine.startAndWait(SyncRequest(pulls: false))
        async let pull = engine.startAndWait(SyncRequest(pushes: false))
        _ = await (push, pull)
        try await world.replica.sync()
        try world.expectEqual()
    }
}
