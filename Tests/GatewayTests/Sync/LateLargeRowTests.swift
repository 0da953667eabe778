import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

@testable import Gateway

/// Tests answers above the size limit in audits, in searches for deletions and in reads by id.
@Suite("Rows above the size limit in audits and reads by id")
struct LateLargeRowTests {
    private static func text(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }

    /// Makes an up-to-date replica of a remote whose answers have at most 3,000 bytes.
    private func world(rows: Int, _ body: (Int) -> JSONObject = { _ in [:] }) async throws -> World {
        let world = try await World.make(
            pageSize: 20, answerBytesMax: 3000, keepsStampsInOrder: false, syncsByItself: false
        ) { hub, clock in
            for n in 0..<rows {
                var body = body(n)
                body["n"] = .int(n)
                body["text"] = Self.text(10)
                try await hub.store.create("Holiday", body)
                clock.advance(.milliseconds(10))
            }
            clock.advance(.seconds(5000))
            // This create moves the start of later pulls past the other rows.
            try await hub.store.create("Holiday", ["n": 1000])
        }
        try await sync(world, 2)
        try world.expectEqual()
        return world
    }

    private func sync(_ world: World, _ times: Int) async throws {
        for _ in 0..<times {
            try await world.replica.sync()
            world.clock.advance(.seconds(60))
        }
    }

    /// Performs a remote write that is committed long after its timestamp, so that no pull's overlap covers it.
    private func write(in world: World, stampedBefore seconds: Int, _ body: () async throws -> Void) async throws {
        world.clock.turn(by: .seconds(-seconds))
        try await body()
        world.clock.turn(by: .seconds(seconds))
    }

    private func skipped(_ world: World) async throws -> [JSONValue?] {
        let (_, state) = try await world.replica.send("GET /sync/classes/Holiday", clock: world.clock)
        return state["skipped"]?.array?.map { $0.object?["objectId"] } ?? []
    }

    private func ids(_ world: World) throws -> [String] { try world.replica.store.all("Holiday").keys.sorted() }

    @Test func auditThatMeetsATooLargeRowPullsTheOtherRows() async throws {
        let world = try await world(rows: 30)
        let ids = try ids(world)
        try await write(in: world, stampedBefore: 4000) {
            try await world.hub.store.update("Holiday", ids[0], ["text": Self.text(4000)])
            try await world.hub.store.update("Holiday", ids[1], ["n": 77])
        }
        let summary = try await world.replica.sync(SyncRequest(audits: true))
        #expect(summary.warnings.contains { $0.contains("Holiday/\(ids[0]) was skipped") })
        #expect(try world.replica.store.fields("Holiday", ids[1])?["n"] == 77)
        #expect(try world.replica.store.all("Holiday").count == 31)
        #expect(try await skipped(world) == [.string(ids[0])])
    }

    @Test func searchForMissingObjectsContinuesPastATooLargeRow() async throws {
        let world = try await world(rows: 30)
        var made: [String] = []
        try await write(in: world, stampedBefore: 4000) {
            for count in [4000, 10] {
                made.append(try await world.hub.store.create("Holiday", ["text": Self.text(count)]))
            }
        }
        // The last of these syncs also audits the newest rows.
        try await sync(world, 6)
        #expect(try world.replica.store.fields("Holiday", made[0]) == nil)
        #expect(try world.replica.store.fields("Holiday", made[1]) != nil)
        #expect(try await skipped(world) == [.string(made[0])])
        _ = world.transport.takeSent()
        #expect(try await world.replica.sync().warnings.isEmpty)
        #expect(world.transport.takeSent().count == 1)
    }

    /// The replica reads a sample of rows to find dropped columns. The sampled row has become too large.
    @Test func searchForDroppedColumnsContinuesPastATooLargeRow() async throws {
        let world = try await world(rows: 1)
        for id in try ids(world) {
            try await write(in: world, stampedBefore: 4000) {
                try await world.hub.store.update("Holiday", id, ["text": Self.text(4000)])
            }
        }
        for _ in 0..<2 {
            try await world.replica.sync(SyncRequest(audits: true))
            world.clock.advance(.seconds(60))
        }
        #expect(try world.replica.store.all("Holiday").count == 2)
    }

    @Test func largeRowsAreSampledForDroppedColumnsInParts() async throws {
        let world = try await world(rows: 40) { ["field\($0)": 1] }
        _ = try await world.hub.store.changeSchema("Holiday") { schema in
            var schema = try #require(schema)
            schema.added["field7"] = nil
            return SchemaChange(schema, deleted: ["field7"])
        }
        let summary = try await world.replica.sync(SyncRequest(audits: true))
        #expect(summary.warnings.contains { $0.contains("field7") })
        try await sync(world, 1)
        try world.expectEqual()
    }

    /// A pull has missed the edit of one of the newest rows. Together, these rows exceed the size limit.
    @Test func largeRowsAreReadInPartsByTheAuditOfTheNewestRows() async throws {
        let world = try await world(rows: 60)
        let id = try #require(try ids(world).first)
        let backup = try Backup(of: world.hub)
        try await world.replica.store.update("Holiday", id, ["name": "mine"])
        try await sync(world, 1)
        _ = try backup.restore(in: world, answerBytesMax: 3000)
        try await sync(world, 7)
        #expect(try world.replica.store.removals().map(\.olderIds) == [[id]])
        #expect(try world.replica.store.fields("Holiday", id)?["name"] == "mine")
    }

    /// The object of a create with a lost answer is searched for among recent objects, one of which may be too large.
    @Test(arguments: [nil, 0, 39]) func createWithALostReplyIsFoundAmongManyLargeRows(largeAt place: Int?) async throws
    {
        let world = try await world(rows: 2)
        try await world.replica.store.sync.setRemoteAcceptsChosenIds(false)
        try await world.replica.store.create("Holiday", ["name": "ours"])
        _ = world.transport.takeSent()
        world.transport.set { [transport = world.transport] method, path, _ in
            let create = "POST /classes/Holiday"
            if "\(method) \(path)" == create { return .replyLost }
            return transport.requests.contains(create) ? .refused : nil
        }
        _ = await world.replica.attempt()
        world.transport.heal()
        for n in 0..<40 {
            let text = Self.text(n == place ? 4000 : 200)
            try await world.hub.store.create("Holiday", ["n": .int(n), "text": text])
            world.clock.advance(.milliseconds(10))
        }
        world.clock.advance(.seconds(30))
        try await sync(world, 3)
        #expect(try world.hub.store.all("Holiday").values.count { $0["name"] == "ours" } == 1)
        #expect(try await world.replica.store.figures().pending == 0)
        #expect(try world.replica.store.all("Holiday").count == (place == nil ? 44 : 43))
    }
}
