import RemoteService
import Testing

@testable import SyncEngine

/// One request, one sync.
@Suite("Wakeups")
struct WakeupTests {
    /// Two requests wake the loop twice, and the first sync serves both.
    @Test func callThatWasServedStartsNoSync() async throws {
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
        // A sync without changes is a single request.
        #expect(world.transport.takeSent().count == 6)
    }
}

extension SyncEngine {
    /// Requests a sync, and joins it before the loop has started it.
    fileprivate func startAndJoin() async -> SyncOutcome {
        start()
        return await startAndWait()
    }
}
