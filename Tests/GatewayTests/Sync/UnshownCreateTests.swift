import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Synchronization
import Testing

/// Tests objects that the remote has acknowledged as created, and does not show afterwards.
@Suite("Acknowledged creates that the remote does not show")
struct UnshownCreateTests {
    private let world: World

    init() async throws {
        world = try await World.make(allowsChosenIds: true)
        for n in 0..<4 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        try await world.replica.sync()
    }

    @discardableResult
    private func sync(after span: Duration = .seconds(60)) async throws -> SyncSummary {
        world.clock.advance(span)
        return try await world.replica.sync()
    }

    /// Creates an object that the remote acknowledges. It is deleted there before the replica has seen it in a list.
    private func lost(_ body: JSONObject = ["n": 10]) async throws -> String {
        let local = try await world.replica.store.create("Holiday", body)
        try await world.replica.sync(SyncRequest(pulls: false))
        let id = try #require(try world.replica.store.object("Holiday", local)?.objectId)
        try await world.hub.store.delete("Holiday", id)
        return id
    }

    private func hidden() async throws -> Int {
        try await world.replica.store.figures().classes.first { $0.name == "Holiday" }?.hidden ?? 0
    }

    private func member(_ id: String) async throws -> JSONValue? {
        let (_, object) = try await world.replica.send("GET /classes/Holiday/\(id)?_sync=true", clock: world.clock)
        return object["_sync"]
    }

    /// The sync state (`_sync`) of the object in the replica's change feed.
    private func memberInFeed(_ id: String, of world: World) async throws -> JSONValue? {
        let (_, changes) = try await world.replica.send("GET /changes?_sync=true", clock: world.clock)
        let objects = changes["results"]?.array?.compactMap { $0.object?["object"]?.object }
        return objects?.last { $0["objectId"] == .string(id) }?["_sync"]
    }

    /// Creates an object as `lost` does, with an ACL that does not let this gateway read it.
    private func lostPrivately() async throws -> String {
        try await lost(["n": 10, "ACL": ["someone": ["read": true]]])
    }

    /// A lagging server would show the object after some time, so two reads by id must be some time apart.
    @Test func acknowledgedCreateThatTheRemoteNeverShowsIsRemovedAfterTwoReadsById() async throws {
        let id = try await lost()
        let summary = try await sync()
        #expect(summary.absencesLeft)
        for _ in 0..<3 {
            #expect(try await sync(after: .seconds(3)).removed == 0)
            #expect(try world.replica.store.fields("Holiday", id) == ["n": 10])
        }
        let last = try await sync(after: .seconds(3))
        #expect(last.removed == 1)
        #expect(!last.absencesLeft)
        #expect(try world.replica.store.fields("Holiday", id) == nil)
        #expect(try world.replica.store.removals().isEmpty)
        try world.expectEqual()
        // The removal is recorded among the resolved conflicts.
        let record = try #require(try world.replica.store.conflicts(resolved: true).first)
        #expect(record.kind == .deletedRemotely)
        #expect(record.objectId == id)
        #expect(record.local?.contains(#""n":10"#) == true)
        #expect(record.resolution == "remote")
    }

    @Test(arguments: ["merge", "manual", "remote", "local"])
    func editOfACreateThatTheRemoteNeverShowsFollowsTheConflictPolicy(policy: String) async throws {
        try await world.replica.set(["policy": .string(policy)])
        let id = try await lost()
        try await world.replica.store.update("Holiday", id, ["n": 11])
        for _ in 0..<3 { try await sync(after: .seconds(15)) }
        #expect(try world.replica.store.rejections().isEmpty)
        let open = try world.replica.store.conflicts(resolved: false)
        let settled = try world.replica.store.conflicts(resolved: true)
        #expect((open + settled).map(\.kind) == [.deletedRemotely])
        #expect(open.isEmpty == ["remote", "local"].contains(policy))
        let views = try world.replica.store.all("Holiday").values.filter { $0["n"] == 11 }
        #expect(views.count == (policy == "remote" ? 0 : 1))
    }

    /// The ACL lets the user of the replica's session read the object. If it is missing, it was deleted.
    @Test func createMissingAtTheRemoteThatItsACLLetsTheUserReadIsRemoved() async throws {
        let world = try await World.make(allowsChosenIds: true, reader: "alice")
        for n in 0..<4 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        try await world.replica.sync()
        let id = try await world.replica.store.create(
            "Holiday", ["n": 10, "ACL": ["alice": ["read": true, "write": true]]])
        try await world.replica.sync(SyncRequest(pulls: false))
        try await world.hub.store.delete("Holiday", id)
        for _ in 0..<2 {
            #expect(try world.replica.store.fields("Holiday", id) != nil)
            world.clock.advance(.seconds(15))
            try await world.replica.sync()
        }
        #expect(try world.replica.store.fields("Holiday", id) == nil)
    }

    @Test func privateCreateMissingAtTheRemoteIsKeptForSomeMinutes() async throws {
        let id = try await lostPrivately()
        for _ in 0..<4 {
            #expect(try await sync().removed == 0)
            #expect(try world.replica.store.fields("Holiday", id)?["n"] == 10)
        }
        #expect(try await member(id)?.object?["hidden"] == nil)
        #expect(try world.replica.store.removals().isEmpty)
    }

    /// If too many objects are missing, their removal waits for a user's decision.
    @Test func removalOfImplausiblyManyCreatesMissingAtTheRemoteWaitsForADecision() async throws {
        let (world, id) = try await World.withHeldCreate()
        let removal = try #require(try world.replica.store.removals().first)
        #expect(removal.reason == .neverShown)
        #expect(removal.objectIds == [id])
        let (_, object) = try await world.replica.send("GET /classes/Holiday/\(id)?_sync=true", clock: world.clock)
        #expect(object["_sync"]?.object?["hidden"] == true)
        #expect(try await memberInFeed(id, of: world)?.object?["hidden"] == true)
        let (_, status) = try await world.replica.send("GET /sync", clock: world.clock)
        #expect(status["classes"]?.array?.first?.object?["hidden"] == 1)
        #expect(status["removals"] == 1)
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 10])
        // An object that the remote hides causes no further requests.
        world.clock.advance(.seconds(60))
        #expect(try await world.replica.sync().requests == 1)
    }

    @Test(arguments: [true, false]) func createMissingAtTheRemoteIsCreatedAgainOrGivenUpByDecision(
        isKept: Bool
    ) async throws {
        let (world, id) = try await World.withHeldCreate()
        let removal = try #require(try world.replica.store.removals().first)
        let way = isKept ? "keep" : "confirm"
        _ = try await world.replica.send("POST /sync/removals/\(removal.id)/\(way)", clock: world.clock)
        for _ in 0..<2 { try await world.syncAfterAMinute() }
        #expect((try world.hub.store.fields("Holiday", id) != nil) == isKept)
        #expect(try world.replica.store.removals().isEmpty)
        try world.expectEqual()
    }

    /// The object is missing at the remote, and its removal waits for a user's decision.
    @Test(arguments: [true, false]) func editOfACreateMissingAtTheRemoteWaitsForTheDecision(isKept: Bool) async throws {
        let (world, id) = try await World.withHeldCreate()
        let removal = try #require(try world.replica.store.removals().first)
        try await world.replica.store.update("Holiday", id, ["n": 11])
        for _ in 0..<2 { try await world.syncAfterAMinute() }
        #expect(try world.replica.store.rejections().isEmpty)
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 11])
        let way = isKept ? "keep" : "confirm"
        _ = try await world.replica.send("POST /sync/removals/\(removal.id)/\(way)", clock: world.clock)
        for _ in 0..<2 { try await world.syncAfterAMinute() }
        #expect(try world.replica.store.rejections().isEmpty)
        #expect(try world.hub.store.fields("Holiday", id) == (isKept ? ["n": 11] : nil))
        #expect(try world.replica.store.conflicts(resolved: false).map(\.kind) == (isKept ? [] : [.deletedRemotely]))
    }

    @Test func createShownLateByALaggingRemoteIsKept() async throws {
        let id = try await lost()
        let row = try #require(try world.replica.store.fields("Holiday", id))
        try await sync(after: .seconds(5))
        #expect(try world.replica.store.fields("Holiday", id) != nil)
        try await world.hub.store.write(
            .create(className: "Holiday", body: row.merging(["objectId": .string(id)])))
        for _ in 0..<9 { try await sync() }
        #expect(try world.replica.store.removals().isEmpty)
        #expect(try await hidden() == 0)
        try world.expectEqual()
    }

    /// If the object appears at the remote after all, its removal needs no decision any more.
    @Test func createShownLateByTheRemoteNeedsNoDecision() async throws {
        let (world, id) = try await World.withHeldCreate()
        #expect(try world.replica.store.removals().count == 1)
        try await world.hub.store.write(.create(className: "Holiday", body: ["objectId": .string(id), "n": 10]))
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        #expect(try world.replica.store.removals().isEmpty)
        try world.expectEqual()
    }

    /// The ACL that was sent hides the object from this gateway, so the replica does not expect to see it.
    @Test func createHiddenAtTheRemoteByItsACLIsMarkedAsHidden() async throws {
        let id = try await lostPrivately()
        for _ in 0..<8 { try await sync() }
        #expect(try world.replica.store.removals().isEmpty)
        #expect(try await member(id)?.object?["hidden"] == true)
        #expect(try await hidden() == 1)
        #expect(try await sync().requests == 1)
    }

    /// The class may be written and not listed. A failed read by id does not show that an object is missing.
    @Test(arguments: [true, false]) func createInAClassThatMayNotBeListedIsMarkedAsHidden(
        mayBeAskedFor: Bool
    ) async throws {
        let id = try await lost()
        world.transport.set { method, path, body in
            if mayBeAskedFor, method == "GET", path.hasSuffix(id) { return nil }
            return path.contains("Holiday") || body.contains("Holiday")
                ? .answer(status: 400, body: #"{"code":119,"error":"Permission denied"}"#) : nil
        }
        for _ in 0..<8 {
            world.clock.advance(.seconds(60))
            _ = await world.replica.engine.startAndWait()
        }
        #expect(try world.replica.store.removals().isEmpty)
        #expect(try world.replica.store.fields("Holiday", id) != nil)
        #expect(try await hidden() == 1)
        #expect(try await member(id)?.object?["hidden"] == true)
    }

    /// The remote's lists may lag longer than its reads by id.
    @Test func createMissingFromListsIsKeptIfAReadByIdShowsIt() async throws {
        let id = try await lost()
        let row = try #require(try world.replica.store.object("Holiday", id)?.jsonText)
        world.transport.set { method, path, _ in
            method == "GET" && path.hasSuffix("/\(id)") ? .answer(status: 200, body: row) : nil
        }
        for _ in 0..<8 where !world.transport.requests.contains(where: { $0.hasSuffix(id) }) { try await sync() }
        #expect(world.transport.requests.contains { $0.hasSuffix(id) })
        #expect(try world.replica.store.removals().isEmpty)
        #expect(try await hidden() == 0)
        world.transport.heal()
        try await world.hub.store.write(.create(className: "Holiday", body: ["objectId": .string(id), "n": 10]))
        for _ in 0..<2 { try await sync() }
        try world.expectEqual()
    }

    /// The remote's list omits objects that the class permissions hide. A read by id may also be refused.
    @Test func createWhoseReadByIdIsDeniedIsMarkedAsHidden() async throws {
        let id = try await lost()
        world.transport.set { method, path, _ in
            method == "GET" && path.hasSuffix(id)
                ? .answer(status: 400, body: #"{"code":119,"error":"Permission denied"}"#) : nil
        }
        for _ in 0..<8 { try await sync() }
        #expect(try world.replica.store.removals().isEmpty)
        #expect(try await hidden() == 1)
    }

    @Test func deletionOfACreateMissingAtTheRemoteSucceeds() async throws {
        let id = try await lost()
        try await world.replica.store.delete("Holiday", id)
        try await sync()
        #expect(try await world.replica.store.figures().pending == 0)
        #expect(try world.replica.store.rejections().isEmpty)
        try world.expectEqual()
    }

    @Test func createMissingAtTheRemoteIsRemovedFromAClassWithoutPulls() async throws {
        let local = try await world.replica.store.create("Other", ["n": 1])
        try await world.replica.sync(SyncRequest(pulls: false))
        let id = try #require(try world.replica.store.object("Other", local)?.objectId)
        try await world.hub.store.delete("Other", id)
        #expect(try await sync().removed == 0)
        #expect(try world.replica.store.fields("Other", id) != nil)
        #expect(try await sync().removed == 1)
        #expect(try world.replica.store.fields("Other", id) == nil)
        #expect(try world.replica.store.removals().isEmpty)
    }
}

extension World {
    /// Makes a world with four objects whose replica waits for a decision before it removes even a single object.
    fileprivate static func carefulWorld() async throws -> World {
        var options = SyncOptions.withoutRecentAudit
        options.removalShareMax = 0.1
        let world = try await World.make(allowsChosenIds: true, options: options)
        for n in 0..<4 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        try await world.replica.sync()
        return world
    }

    /// Makes a `carefulWorld` with an object that the remote has acknowledged and never shown. Its removal waits for a
    /// decision.
    fileprivate static func withHeldCreate() async throws -> (world: World, id: String) {
        let world = try await carefulWorld()
        let id = try await world.replica.store.create("Holiday", ["n": 10])
        try await world.replica.sync(SyncRequest(pulls: false))
        try await world.hub.store.delete("Holiday", id)
        for _ in 0..<2 { try await world.syncAfterAMinute() }
        return (world, id)
    }

    fileprivate func syncAfterAMinute() async throws {
        clock.advance(.seconds(60))
        try await replica.sync()
    }
}

extension JSONObject {
    fileprivate func merging(_ other: JSONObject) -> JSONObject {
        var merged = self
        for (field, value) in other { merged[field] = value }
        return merged
    }
}
