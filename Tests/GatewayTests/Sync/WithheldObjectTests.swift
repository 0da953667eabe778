import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import Testing

/// Objects that the remote ceases to show to a user, and shows again later, without a change of their times.
@Suite("Objects that a user may temporarily not read")
struct WithheldObjectTests {
    private let world: World

    init() async throws {
        world = try await World.make(classes: ["Holiday", "Country"], reader: "alice") { hub, _ in
            try await hub.store.create("Country", ["code": "NO"])
            for n in 0..<20 { try await hub.store.create("Holiday", ["n": .int(n)]) }
        }
        try await sync()
        // The newest objects are the replica's own, so that their absence looks like a restored backup.
        for n in 20..<24 { try await world.replica.store.create("Holiday", ["n": .int(n)]) }
        for _ in 0..<2 { try await sync() }
    }

    private func sync(audits: Bool = false) async throws {
        world.clock.advance(.seconds(60))
        try await world.replica.sync(SyncRequest(audits: audits))
    }

    /// Lets only the owners of objects read them. The replica's requests have no session, so they find none.
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

    /// A read of a lagging copy has shown an older row. No pull shows that the remote has the newer one again.
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

    /// The ACL that the user gives an own object does not name the user.
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

    /// The remote shows two objects fewer. One of them is read by id, because its user has given it away; the other must be searched for.
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

    /// The counts are equal again as soon as the remote shows as many other objects.
    @Test func hiddenObjectsAreShownAgainAfterTheirPendingRemovalIsDropped() async throws {
        try await permit(["pointerFields": ["owner"]])
        try await sync()
        try await world.replica.store.sync.dropHeldRemoval(in: "Holiday")
        try await permit(["*": true])
        try await sync()
        #expect(try shown == 24)
    }
}
