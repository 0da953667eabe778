import RemoteService
import Testing

@testable import SyncEngine

/// Tests that several sync requests at a time are served by one sync.
@Suite("Sync requests that share a sync", .timeLimit(.minutes(5)))
struct WakeupTests {
    /// Each call requests a sync and then joins it. The first sync serves both, so no second one may start.
    @Test func syncRequestServedByARunningSyncStartsNoFurtherSync() async throws {
        let world = try await World.make()
        try await world.replica.sync()
        _ = world.transport.takeSent()
        for _ in 0..<5 {
            guard case .finished = await world.replica.engine.startAndJoin() else {
                Issue.record("the sync did not come to its end")
                return
            }
        }
        try await world.replica.sync()
        // A sync without changes takes a single request.
        #expect(world.transport.takeSent().count == 6)
    }

    /// A request during a sync starts another sync, which has nothing left to do. The caller gets the combined result
    /// of both.
    @Test func syncRequestDuringASyncGetsTheResultOfThatSync() async throws {
        let world = try await World.make(isOffline: true, pageMax: 2)
        for n in 0..<9 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        _ = try await world.replica.failingSync()
        world.transport.heal()
        let gate = world.transport.close(after: 1)
        async let first = world.replica.sync()
        await gate.untilReached()
        async let second = world.replica.sync()
        try await until { await world.replica.engine.hasCallers }
        gate.open()
        #expect(try await first.pulled == 9)
        #expect(try await second.pulled == 9)
        #expect(try await world.replica.sync().pulled == 0)
    }
}

extension SyncEngine {
    /// Requests a sync, and waits for it before the engine's loop has started it.
    fileprivate func startAndJoin() async -> SyncOutcome {
        start()
        return await startAndWait()
    }
}
