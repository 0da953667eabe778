import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests push-only classes: local clients write to them, and no pull is registered.
@Suite("Push-only classes")
struct PushOnlyClassTests {
    private let world: World

    init() async throws {
        world = try await World.make()
        try await world.hub.store.create("Note", ["text": "theirs"])
        try await world.replica.store.create("Note", ["text": "ours"])
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
    }

    private func ours() throws -> String { try #require(try world.replica.store.all("Note").keys.first) }

    @Test func classThatIsOnlyPushedIsShownAsNotRegistered() async throws {
        let (_, answer) = try await world.replica.send("GET /sync/classes/Note", clock: world.clock)
        #expect(answer["registered"] == false)
        #expect(answer["pulls"] == [])
        let (_, status) = try await world.replica.send("GET /sync", clock: world.clock)
        #expect(status["initialSyncComplete"] == true)
        #expect(try await world.replica.sync().requests == 1)
    }

    @Test func editsAndDeletionsOfAPushOnlyClassAreSent() async throws {
        let id = try ours()
        try await world.replica.store.update("Note", id, ["text": "edited"])
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Note", id) == ["text": "edited"])
        try await world.replica.store.delete("Note", id)
        try await world.replica.sync()
        #expect(try world.hub.store.all("Note").count == 1)
        #expect(try world.replica.store.all("Note").isEmpty)
    }

    @Test func aRemoteEditOfAPushOnlyObjectIsDetectedAtTheNextLocalEdit() async throws {
        let id = try ours()
        try await world.hub.store.update("Note", id, ["text": "theirs", "more": 1])
        try await world.replica.store.update("Note", id, ["text": "ours again"])
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Note", id) == ["text": "ours again", "more": 1])
        #expect(try world.replica.store.conflicts(resolved: true).count == 1)
    }

    @Test func anAuditRemovesNoObjectOfAPushOnlyClass() async throws {
        try await world.hub.store.delete("Note", try ours())
        try await world.replica.sync(SyncRequest(audits: true))
        #expect(try world.replica.store.all("Note").count == 1)
    }

    @Test func registeringAPushOnlyClassPullsItsOtherObjects() async throws {
        try await world.replica.set([:], of: "Note")
        try await world.replica.sync()
        #expect(try world.replica.store.all("Note").count == 2)
        try world.expectEqual("Note")
    }

    @Test func classWhosePullsAreRemovedIsPushOnlyAgain() async throws {
        try await world.replica.set([:], of: "Note")
        try await world.replica.sync()
        try await world.replica.set(["pulls": []], of: "Note")
        try await world.hub.store.create("Note", ["text": "later"])
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        #expect(try world.replica.store.all("Note").count == 2)
    }
}
