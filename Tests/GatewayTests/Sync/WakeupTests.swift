import RemoteService
import Testing

@testable import SyncEngine

/// One call, one sync.
@Suite("Wakeups")
struct WakeupTests {
    /// Two calls wake the loop twice, and the first of the two syncs that they would be serves both.
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
        // With nothing new, a sync is one request.
        #expect(world.transport.takeSent().count == 6)
    }
}

extension SyncEngine {
    /// Calls for a sync, and joins it before the loop has heard of it.
    fileprivate func startAndJoin() async -> SyncOutcome {
        start()
        return await startAndWait()
    }
}
