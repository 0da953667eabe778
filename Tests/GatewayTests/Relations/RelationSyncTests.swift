import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests that locally added and removed relation members reach the remote, even if answers are lost.
@Suite("Relations that are pushed")
struct RelationSyncTests {
    private static func operation(_ name: String, _ ids: [String]) -> JSONValue {
        ["__op": .string(name), "objects": .array(ids.map { Pointer(className: "Country", objectId: $0).json })]
    }

    private static func members(of holiday: String, in store: LocalStore) throws -> [String] {
        let predicate = Predicate.relatedTo(Pointer(className: "Holiday", objectId: holiday), field: "countries")
        return try store.find("Country", ParseQuery(predicate: predicate)).objects.map(\.objectId)
    }

    @Test func objectsAndRelationMembersCreatedOfflineReachTheRemote() async throws {
        let world = try await World.make(classes: ["Holiday", "Country"])
        let store = world.replica.store
        let holiday = try await store.create("Holiday", ["name": "x"])
        let country = try await store.create("Country", ["name": "Norway"])
        try await store.update("Holiday", holiday, ["countries": Self.operation("AddRelation", [country])])
        try await world.replica.sync()
        let (hub, remote) = (world.hub.store, try #require(try store.object("Holiday", holiday)?.objectId))
        #expect(try Self.members(of: remote, in: hub).count == 1)
        #expect(try Self.members(of: remote, in: hub) == Self.members(of: holiday, in: store))
        try await store.update("Holiday", holiday, ["countries": Self.operation("RemoveRelation", [country])])
        try await world.replica.sync()
        #expect(try Self.members(of: remote, in: hub).isEmpty)
        #expect(try store.invariantViolations() == [])
        try world.expectEqual()
    }

    @Test(arguments: [HandlerTransport.Fault.replyLost, .requestLost])
    func relationChangeWithALostRequestOrReplyIsApplied(fault: HandlerTransport.Fault) async throws {
        let world = try await World.make(classes: ["Holiday", "Country"])
        let (hub, store) = (world.hub.store, world.replica.store)
        let norway = try await hub.create("Country", ["name": "Norway"])
        let oman = try await hub.create("Country", ["name": "Oman"])
        let holiday = try await hub.create("Holiday", ["countries": Self.operation("AddRelation", [norway])])
        try await world.replica.sync()
        try await store.update("Holiday", holiday, ["countries": Self.operation("AddRelation", [oman])])
        world.transport.once(fault) { method, _, body in method != "GET" && body.contains("AddRelation") }
        try await world.replica.sync()
        #expect(try store.pendingChanges().count == 1)
        world.clock.advance(.seconds(120))
        try await world.replica.sync()
        // The remote's row does not show whether the members were added, so they are sent again, which is idempotent.
        #expect(try Self.members(of: holiday, in: hub) == [norway, oman])
        #expect(try store.pendingChanges().isEmpty)
        #expect(try store.conflicts(resolved: false).isEmpty)
        #expect(try store.invariantViolations() == [])
    }

    @Test func relationOfAPulledRowIsScheduledForReading() async throws {
        let world = try await World.make(classes: ["Holiday", "Country"])
        let norway = try await world.hub.store.create("Country", ["name": "Norway"])
        let holiday = try await world.hub.store.create(
            "Holiday", ["countries": Self.operation("AddRelation", [norway])])
        try await world.replica.sync()
        let pulls = try await world.replica.store.sync.relationsToPull(
            of: nil, limit: 9, before: ParseDate(milliseconds: .max))
        #expect(pulls.map(\.owner.objectId) == [holiday])
        #expect(pulls.map(\.field) == ["countries"])
    }
}
