import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import TablesServer
import Testing

/// Tests that creates, updates and deletions reach a table server, and arrive from it.
@Suite("Sync with a table server over HTTP", .timeLimit(.minutes(10)))
struct DatasyncSyncTests {
    @Test(arguments: TablesVariant.allCases)
    func remoteTableChangesArriveLocally(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld(variant)
        world.server.put("Holiday", "a", ["name": "Christmas", "n": 1, "done": true])
        world.server.put("Holiday", "b", ["name": "Easter"])
        try await world.sync()
        #expect(try world.store.fields("Holiday", "a")?["name"] == "Christmas")
        try await world.expectInStep()
        world.clock.advance(.seconds(60))
        world.server.put("Holiday", "a", ["n": 2])
        world.server.delete("Holiday", "b")
        world.server.put("Holiday", "c", ["name": "New Year"])
        try await world.settle()
        #expect(try Set(world.store.all("Holiday").keys) == ["a", "c"])
    }

    @Test(arguments: TablesVariant.allCases)
    func localChangesArriveAtTheTableServer(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["name": "a", "n": 1])
        let id = try await world.store.create("Holiday", ["name": "new", "n": 5, "done": false])
        try await world.store.update(
            "Holiday", "row", ["n": ["__op": "Increment", "amount": 2], "name": ["__op": "Delete"]])
        try await world.sync()
        #expect(world.live == ["row": ["n": 3], id: ["name": "new", "n": 5, "done": false]])
        try await world.expectInStep()
        world.clock.advance(.seconds(60))
        try await world.store.delete("Holiday", id)
        try await world.sync()
        #expect(Set(world.live.keys) == ["row"])
        #expect(world.server.row("Holiday", id)?.isDeleted == (variant.keepsTombstones ? true : nil))
        try await world.settle()
    }

    /// Each update or deletion sends the row version that it is based on (`If-Match`).
    @Test(arguments: TablesVariant.allCases)
    func everyUpdateOfATableRowSendsItsVersion(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        try await world.store.update("Holiday", "row", ["n": 2])
        try await world.sync()
        try await world.store.delete("Holiday", "row")
        try await world.sync()
        let writes = world.server.requests.filter { ["PATCH", "PUT", "DELETE"].contains($0.prefix { $0 != " " }) }
        #expect(writes.count == 2)
        #expect(writes.allSatisfy { $0.contains("If-Match=\"") })
    }

    @Test(arguments: TablesVariant.allCases)
    func datesAndPointersAreSentAsTexts(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld(variant)
        let country = Pointer(className: "Country", objectId: "no")
        try await world.set([
            "fields": ["date": ["type": "Date"], "country": ["type": "Pointer", "targetClass": "Country"]]
        ])
        world.server.put("Holiday", "row", ["date": "2012-12-25T00:00:00.000Z", "country": "no"])
        try await world.sync()
        let date: JSONValue = ["__type": "Date", "iso": "2012-12-25T00:00:00.000Z"]
        #expect(try world.store.fields("Holiday", "row")?["date"] == date)
        #expect(try world.store.fields("Holiday", "row")?["country"] == country.json)
        let later: JSONValue = ["__type": "Date", "iso": "2013-12-25T00:00:00.000Z"]
        let id = try await world.store.create("Holiday", ["date": later, "country": country.json])
        try await world.sync()
        #expect(world.live[id] == ["date": "2013-12-25T00:00:00.000Z", "country": "no"])
        try await world.settle()
    }

    /// The server's rows have columns whose names cannot be fields here. Updates must not delete them.
    @Test(arguments: TablesVariant.allCases)
    func updatesKeepColumnsWhoseNamesCannotBeFields(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld(variant) { $0.columns?.append(.init("_hidden", .text)) }
        world.server.put("Holiday", "row", ["n": 1, "_hidden": "kept"])
        try await world.sync()
        #expect(try world.store.fields("Holiday", "row")?["_hidden"] == nil)
        try await world.store.update("Holiday", "row", ["n": 2])
        try await world.sync()
        #expect(world.live["row"] == ["n": 2, "_hidden": "kept"])
    }

    /// The pull selects some fields by its `keys`. Updates must not delete the other columns.
    @Test(arguments: TablesVariant.allCases)
    func updatesKeepColumnsThatAreNotPulled(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld(variant)
        world.server.put("Holiday", "row", ["n": 1, "name": "kept"])
        try await world.store.configureClass("Holiday") { _, pulls in
            pulls = [NamedPull(name: "part", conditions: ["n": ["$gte": 1]], keys: ["n"])]
        }
        try await world.sync()
        try await world.store.update("Holiday", "row", ["n": 2])
        try await world.sync()
        #expect(world.live["row"] == ["n": 2, "name": "kept"])
    }

    /// A table with tombstones needs no search for deletions, so a sync without changes takes one request.
    @Test func syncOfATableWithoutChangesTakesOneRequest() async throws {
        let world = try await DatasyncWorld(.azure)
        world.server.put("Holiday", "a", ["n": 1])
        world.server.put("Holiday", "b", ["n": 1])
        world.server.delete("Holiday", "b")
        for _ in 0..<3 {
            try await world.sync()
            world.clock.advance(.seconds(60))
        }
        world.server.clearRequests()
        try await world.sync()
        #expect(world.server.requests.count == 1, "\(world.server.requests)")
    }

    private func createdAt(in world: DatasyncWorld) throws -> JSONValue? {
        try world.store.object("Holiday", "row")?.fields(of: "Holiday")["createdAt"]
    }

    /// Rows of Community Datasync have no creation time. The replica uses the time when it first saw the row.
    @Test func creationTimeOfARowIsTheTimeWhenItWasFirstSeen() async throws {
        let world = try await DatasyncWorld.sharing(.community, ["n": 1])
        let created = try #require(try createdAt(in: world))
        world.server.put("Holiday", "row", ["n": 2])
        try await world.settle()
        #expect(try createdAt(in: world) == created)
        try await world.store.update("Holiday", "row", ["n": 3])
        try await world.settle()
        #expect(try createdAt(in: world) == created)
    }

    /// After a reset, the server shows no rows. The objects stay here until a user decides about their removal.
    @Test(arguments: TablesVariant.allCases)
    func removalsAfterAResetOfTheTableServerWaitForADecision(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld(variant)
        for n in 0..<8 { world.server.put("Holiday", "row\(n)", ["n": .int(n)]) }
        try await world.sync()
        world.server.removeAll()
        for _ in 0..<3 {
            world.clock.advance(.seconds(24 * 3600 + 60))
            _ = await world.engine.sync()
        }
        #expect(try world.store.all("Holiday").count == 8)
        #expect(try !world.store.removals().isEmpty)
    }
}
