import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import Testing

/// Tests columns that are dropped at the remote. Dropping a column changes no row's `updatedAt`.
@Suite("Columns dropped at the remote")
struct DroppedFieldTests {
    private let world: World
    private let id: String

    init() async throws {
        world = try await World.make(classes: ["Holiday", "Country"])
        id = try await world.hub.store.create("Holiday", ["n": 1, "name": "a"])
        for n in 2..<9 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        try await world.hub.store.create("Country", ["n": 1])
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
    }

    private func drop(_ field: String) async throws {
        _ = try await world.hub.store.changeSchema("Holiday") { schema in
            var schema = try #require(schema)
            schema.added[field] = nil
            return SchemaChange(schema, deleted: [field])
        }
    }

    @Test func columnDroppedAtTheRemoteIsRemovedLocallyByTheSchema() async throws {
        try await world.replica.store.takeRemoteSchemas(world.hub.store.schemas())
        try await world.replica.store.update("Holiday", id, ["name": "ours"])
        try await drop("n")
        #expect(try await world.replica.sync().pushed == 1)
        #expect(try world.replica.store.fields("Holiday", id)?["n"] == nil)
        try await world.replica.store.takeRemoteSchemas(world.hub.store.schemas())
        try await world.replica.sync()
        try world.expectEqual()
        #expect(try world.replica.store.invariantViolations() == [])
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        #expect(try await world.replica.sync().requests == 1)
    }

    @Test func columnDroppedAtTheRemoteIsRemovedWithTheFirstSchemaRead() async throws {
        try await drop("n")
        try await world.replica.store.takeRemoteSchemas(world.hub.store.schemas())
        try await world.replica.sync()
        try world.expectEqual()
        #expect(try world.replica.store.all("Country").values.allSatisfy { $0["n"] == 1 })
    }

    /// Without the master key, the replica cannot read schemas. It notices a dropped column by comparing rows.
    @Test func aDroppedColumnIsRemovedByTheNextSyncWithoutTheMasterKey() async throws {
        try await drop("name")
        #expect(try world.replica.store.fields("Holiday", id)?["name"] == "a")
        try await world.replica.sync()
        try world.expectEqual()
        #expect(try await world.replica.sync(SyncRequest(audits: true)).warnings.isEmpty)
    }

    /// The remote may return fewer rows than requested. Each object has a field that no other has, so each row
    /// matters.
    @Test func aDroppedColumnIsRemovedEvenIfTheRemoteAnswersWithFewRows() async throws {
        let world = try await World.make(pageMax: 2) { hub, _ in
            for n in 0..<6 { try await hub.store.create("Holiday", ["f\(n)": 1]) }
        }
        for field in (0..<6).map({ "f\($0)" }) {
            for _ in 0..<2 {
                world.clock.advance(.seconds(60))
                try await world.replica.sync()
            }
            #expect(try await world.replica.sync().requests == 1)
            _ = try await world.hub.store.changeSchema("Holiday") { schema in
                var schema = try #require(schema)
                schema.added[field] = nil
                return SchemaChange(schema, deleted: [field])
            }
            try await world.replica.sync()
            try world.expectEqual()
        }
    }

    @Test func pendingEditsOfADroppedColumnAreKept() async throws {
        world.transport.set { method, path, body in method == "PUT" || body.contains("\"PUT\"") ? .refused : nil }
        try await world.replica.store.update("Holiday", id, ["n": 50])
        try await drop("n")
        try await world.replica.sync(SyncRequest(pushes: false, audits: true))
        try await world.replica.sync(SyncRequest(pushes: false))
        #expect(try world.replica.store.fields("Holiday", id)?["n"] == 50)
        #expect(try world.replica.store.invariantViolations() == [])
    }
}
