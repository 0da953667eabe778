import LocalStore
import ParseModel
import StoreService
import SyncEngine
import Testing

/// Tests that the sync status is online from the remote's first answer on, and not only after the sync.
@Suite("Online state in the sync status", .timeLimit(.minutes(5)))
struct OnlineTests {
    private func isOnline(_ world: World) async throws -> Bool? {
        try await world.replica.send("GET /sync", clock: world.clock).1["online"]?.bool
    }

    @Test func syncStatusIsOnlineOnceTheRemoteHasAnswered() async throws {
        let world = try await World.make(isOffline: true, pageMax: 2)
        for n in 0..<9 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        _ = try await world.replica.failingSync()
        #expect(try await isOnline(world) == false)
        world.transport.heal()
        let gate = world.transport.close(after: 1)
        async let summary = world.replica.sync()
        await gate.untilReached()
        // The replica handles the answer with the first page while the request for the next page waits.
        try await until { try await isOnline(world) == true }
        gate.open()
        #expect(try await summary.pulled == 9)
    }

    @Test func syncStatusIsOnlineAfterTheRemoteRefusedTheKeys() async throws {
        let world = try await World.make()
        world.transport.set { _, _, _ in .answer(status: 403, body: #"{"error":"unauthorized"}"#) }
        _ = try await world.replica.failingSync()
        #expect(try await isOnline(world) == true)
        world.transport.set { _, _, _ in .refused }
        _ = try await world.replica.failingSync()
        #expect(try await isOnline(world) == false)
    }
}
