import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests local deletions to which the remote answers that the object does not exist.
@Suite("Deletions of objects that the remote no longer shows")
struct UnseenDeletionTests {
    private let world: World
    private let id: String

    init() async throws {
        world = try await World.make(reader: "alice")
        id = try await world.hub.store.create("Holiday", ["name": "shared"])
        for n in 0..<4 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
    }

    private func sync() async throws {
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
    }

    /// The remote hides the object from the user. It still exists, and the remote has refused its deletion.
    @Test(arguments: [true, false]) func deletionOfAnObjectTheUserCanNoLongerReadIsListedAsResolvedConflict(
        isDeletedFirst: Bool
    ) async throws {
        if isDeletedFirst { try await world.replica.store.delete("Holiday", id) }
        try await world.hub.store.update("Holiday", id, ["ACL": ["bob": ["read": true, "write": true]]])
        if !isDeletedFirst { try await world.replica.store.delete("Holiday", id) }
        try await sync()
        #expect(try world.hub.store.fields("Holiday", id) != nil)
        #expect(try world.replica.store.fields("Holiday", id) == nil)
        #expect(try await world.replica.store.figures().pending == 0)
        let (_, listed) = try await world.replica.send("GET /sync/conflicts?state=resolved", clock: world.clock)
        let record = try #require(listed["results"]?.array?.first?.object)
        #expect(record["objectId"] == .string(id))
        #expect(record["kind"] == "deletedLocally")
        #expect(record["resolution"] == "remote")
        #expect(record["base"]?.object?["name"] == "shared")
        #expect(record["local"] == .null)
        #expect(record["remote"] == .null)
    }

    @Test func deletionOfAVisibleObjectIsNotListedAsAConflict() async throws {
        try await world.replica.store.delete("Holiday", id)
        try await sync()
        #expect(try world.hub.store.fields("Holiday", id) == nil)
        #expect(try world.replica.store.conflicts(resolved: true).isEmpty)
    }

    /// The request with the lost answer has probably deleted the object, so the deletion is not listed as refused.
    @Test func deletionWithALostAnswerIsNotListedAsAConflict() async throws {
        try await world.replica.store.delete("Holiday", id)
        world.transport.once(.replyLost) { method, _, _ in method == "DELETE" }
        _ = await world.replica.engine.startAndWait()
        world.transport.heal()
        for _ in 0..<2 { try await sync() }
        #expect(try world.hub.store.fields("Holiday", id) == nil)
        #expect(try world.replica.store.conflicts(resolved: true).isEmpty)
        #expect(try await world.replica.store.figures().pending == 0)
    }
}
