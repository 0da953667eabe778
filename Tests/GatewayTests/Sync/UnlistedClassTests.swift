import LocalStore
import ParseModel
import StoreService
import SyncEngine
import Testing

/// Tests a class whose permissions forbid listing it, alone and beside other classes.
@Suite("Classes that may not be listed")
struct UnlistedClassTests {
    private static let words = "Permission denied for action find on class Feedback."

    private func forbid(_ transport: HandlerTransport) {
        let refusal = #"{"code":119,"error":"\#(Self.words)"}"#
        transport.set { method, path, body in
            if method == "GET", path.hasSuffix("/Feedback") { return .answer(status: 400, body: refusal) }
            let isBatch = path == "/batch" && body.contains("/Feedback") && body.contains("\"GET\"")
            return isBatch ? .answer(status: 400, body: refusal) : nil
        }
    }

    private func status(_ world: World) async throws -> JSONObject {
        try await world.replica.send("GET /sync", clock: world.clock).1
    }

    private func feedback(_ world: World) async throws -> JSONObject {
        try await world.replica.send("GET /sync/classes/Feedback", clock: world.clock).1
    }

    @Test func changesOfAClassThatMayNotBeListedAreSent() async throws {
        let world = try await World.make(classes: ["Feedback"], isOffline: true)
        _ = try await world.replica.failingSync()
        forbid(world.transport)
        try await world.replica.store.create("Feedback", ["stars": 4])
        let (code, summary) = try await world.replica.send("POST /sync?wait=true", clock: world.clock)
        #expect(code == 200)
        #expect(summary["pushed"] == 1)
        #expect(summary["warnings"]?.array?.first?.string?.contains(Self.words) == true)
        #expect(try world.hub.store.all("Feedback").count == 1)
        let (again, _) = try await world.replica.send("POST /sync?wait=true", clock: world.clock)
        #expect(again == 200)
    }

    @Test func theFirstSyncIsCompleteWithoutAClassThatMayNotBeListed() async throws {
        let world = try await World.make(classes: ["Feedback", "Holiday"], isOffline: true)
        _ = try await world.replica.failingSync()
        try await world.hub.store.create("Holiday", ["n": 1])
        forbid(world.transport)
        #expect(try await status(world)["initialSyncComplete"] == false)
        try await world.replica.sync()
        #expect(try await status(world)["initialSyncComplete"] == true)
        #expect(try await feedback(world)["initialSyncComplete"] == false)
        #expect(try await feedback(world)["refusal"] == .string(Self.words))
        world.transport.heal()
        try await world.hub.store.create("Feedback", ["stars": 4])
        try await world.replica.sync()
        #expect(try await feedback(world)["refusal"] == .null)
        #expect(try await feedback(world)["initialSyncComplete"] == true)
        try world.expectEqual("Feedback")
    }
}
