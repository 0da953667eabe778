import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import Testing

/// Tests objects that the remote hides from a user for some time and shows again, without a change of their
/// `updatedAt`.
@Suite("Objects that a user may temporarily not read")
struct WithheldObjectTests {
    private let world: World

    init() async throws {
        world = try await World.make(classes: ["Holiday", "Country"], reader: "alice") { hub, _ in
            try await hub.store.create("Country", ["code": "NO"])
            for n in 0..<20 { try await hub.store.create("Holiday", ["n": .int(n)]) }
        }
        try await sync()
        // The replica itself has created the newest objects. If they are missing at the remote, it looks like a
        // restored backup.
        for n in 20..<24 { try await world.replica.store.create("Holiday", ["n": .int(n)]) }
        for _ in 0..<2 { try await sync() }
    }

    private func sync(audits: Bool = false) async throws {
        world.clock.advance(.seconds(60))
        try await world.replica.sync(SyncRequest(audits: audits))
    }

    /// Sets class permissions. `pointerFields` lets only owners read objects, so the replica's requests without a
    /// session find none.
    private func permit(_ entry: JSONValue) async throws {
        _ = try await world.hub.store.changeSchema("Holiday") { schema in
            var schema = try #require(schema)
            schema.permissions = ["find": entry, "get": entry, "count": entry, "create": ["*": true]]
            return SchemaChange(schema)
        }
    }

    private var shown: Int { get throws { try world.replica.store.all("Holiday").count } }

    @Test(arguments: [false, true])
    func objectsThatAUserMayReadAgainAreShownAfterTheNextSync(audits: Bool) async throws {
        #expect(try shown == 24)
        for _ in 0..<2 {
            try await permit(["pointerFields": ["owner"]])
            try await sync()
            #expect(try shown == 0)
            #expect(!(try world.replica.store.removals().isEmpty))
            try await permit(["*": true])
            try await sync(audits: audits)
            #expect(try shown == 24)
            #expect(try world.replica.store.removals().isEmpty)
        }
        #expect(try world.replica.store.invariantViolations() == [])
    }

    /// The replica has read an older row from a lagging copy. No pull returns the newer row again.
    @Test func hiddenObjectIsShownAgainWhenTheRemoteShowsItsLatestRow() async throws {
        let id = try #require(try world.replica.store.all("Holiday").keys.first)
        let older = RemoteRecord(
            className: "Holiday", objectId: id, createdAt: ParseDate(milliseconds: 0),
            updatedAt: ParseDate(milliseconds: 0), fields: ["n": -1])
        try await world.replica.store.sync.holdLost(
            [LostObject(objectId: id, row: older)], of: "Holiday", because: .restoredBackup)
        #expect(try world.replica.store.removals().count == 1)
        try await sync()
        #expect(try world.replica.store.removals().isEmpty)
        #expect(try shown == 24)
    }

    @Test func objectThatTheUserCannotReadStaysHiddenAfterItsRefusedDeletionIsGivenUp() async throws {
        let id = try #require(try world.replica.store.all("Holiday").first { $0.value["n"] == 0 }?.key)
        try await world.replica.store.delete("Holiday", id)
        try await permit(["pointerFields": ["owner"]])
        for _ in 0..<2 { try await sync() }
        let rejection = try #require(try world.replica.store.rejections().first)
        #expect(try shown == 0)
        try await world.replica.store.giveUpRejection(rejection.id)
        try await sync()
        #expect(try shown == 0)
    }

    /// The user changes the ACL of an own object so that only another user may read it.
    @Test func objectThatItsUserGivesToAnotherUserIsRemovedLocally() async throws {
        let id = try #require(try world.replica.store.all("Holiday").first { $0.value["n"] == 3 }?.key)
        try await world.replica.store.update("Holiday", id, ["ACL": ["bob": ["read": true, "write": true]]])
        for _ in 0..<2 { try await sync() }
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 3)
        #expect(try world.replica.store.fields("Holiday", id) == nil)
        #expect(try world.replica.store.removals().isEmpty)
        #expect(try shown == 23)
        _ = world.transport.takeSent()
        try await sync()
        #expect(world.transport.takeSent().count == 1)
    }

    /// The remote hides two objects. One is read by its id, because its user has given it away. The other must be
    /// searched for.
    @Test func objectLostTogetherWithOneGivenToAnotherUserIsRemovedLocally() async throws {
        let objects = try world.replica.store.all("Holiday")
        let own = try #require(objects.first { $0.value["n"] == 3 }?.key)
        let others = try #require(objects.first { $0.value["n"] == 4 }?.key)
        try await world.replica.store.update("Holiday", own, ["ACL": ["bob": ["read": true, "write": true]]])
        try await sync()
        try await world.hub.store.update("Holiday", others, ["ACL": ["bob": ["read": true]]])
        for _ in 0..<2 { try await sync() }
        #expect(try world.replica.store.fields("Holiday", own) == nil)
        #expect(try world.replica.store.fields("Holiday", others) == nil)
        #expect(try shown == 22)
    }

    /// The remote may show as many other objects, so that equal counts do not show that objects are hidden.
    @Test func hiddenObjectsAreShownAgainAfterTheirPendingRemovalIsDropped() async throws {
        try await permit(["pointerFields": ["owner"]])
        try await sync()
        try await world.replica.store.sync.dropHeldRemoval(in: "Holiday")
        try await permit(["*": true])
        try await sync()
        #expect(try shown == 24)
    }
}
