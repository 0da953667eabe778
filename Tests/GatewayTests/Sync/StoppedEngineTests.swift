import RemoteService
import Testing

@testable import SyncEngine

/// Tests sync requests to an engine that has stopped.
@Suite("Sync requests to a stopped engine")
struct StoppedEngineTests {
    @Test(.timeLimit(.minutes(5))) func aSyncRequestAfterTheEngineHasStoppedIsAnswered() async throws {
        let world = try await World.make()
        try await world.replica.sync()
        await world.replica.stop()
        guard case .failed(.halted) = await world.replica.engine.startAndWait() else {
            Issue.record("the engine has stopped, and did not say so")
            return
        }
    }

    @Test(.timeLimit(.minutes(5))) func aSyncRequestDuringTheLastSyncIsAnswered() async throws {
        let world = try await World.make()
        try await world.replica.sync()
        await world.replica.engine.stop()
        // The engine's loop may or may not have ended by now. The answer must be the same.
        guard case .failed(.halted) = await world.replica.engine.startAndWait() else {
            Issue.record("the engine has stopped, and did not say so")
            return
        }
    }
}
