import LocalStore
import ParseModel
import StoreService
import SyncEngine
import Testing

/// The online state is known from the first answer on, not only at the end of a sync.
@Suite("Online state in the sync status")
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
        // The first page's answer is handled while the request for the next one waits.
        while try await isOnline(world) != true { await Task.yield() }
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
