import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests relations with many owner objects. They are read through their members, in time slices with pushes and pulls
/// in between.
@Suite("Relations of many objects")
struct ManyRelationsTests {
    private static func members(_ ids: [String]) -> JSONValue {
        ["__op": "AddRelation", "objects": .array(ids.map { Pointer(className: "Country", objectId: $0).json })]
    }

    /// - Parameters:
    ///   - slice: the time that one sync may spend on reading relations; zero for a single request.
    ///   - keepsMembers: whether the class of the members is synced, too.
    private func world(
        owners: Int = 300, countries: Int = 12, slice: Duration = .seconds(2), keepsMembers: Bool = true,
        members: (_ owner: Int) -> [Int] = { [$0 % 12, ($0 * 5) % 12] }
    ) async throws -> World {
        var options = SyncOptions.withoutRecentAudit
        options.relationSlice = slice
        let world = try await World.make(
            classes: keepsMembers ? ["Holiday", "Country"] : ["Holiday"], isOffline: true, options: options)
        let hub = world.hub.store
        var ids: [String] = []
        for n in 0..<countries { ids.append(try await hub.create("Country", ["n": .int(n)])) }
        for n in 0..<owners {
            let mine = Set(members(n)).sorted().map { ids[$0] }
            try await hub.create("Holiday", ["n": .int(n), "countries": Self.members(mine.isEmpty ? [ids[0]] : mine)])
        }
        if members(0).isEmpty { try await removeAll(of: hub) }
        world.clock.advance(.seconds(60))
        world.transport.heal()
        _ = world.transport.takeSent()
        return world
    }

    /// Removes all members, so that all objects keep the relation column without members.
    private func removeAll(of hub: LocalStore) async throws {
        for (id, _) in try hub.all("Holiday") {
            let ids = try members(of: id, in: hub)
            let objects = ids.sorted().map { Pointer(className: "Country", objectId: $0).json }
            try await hub.update(
                "Holiday", id, ["countries": ["__op": "RemoveRelation", "objects": .array(objects)]])
        }
    }

    private func members(of id: String, in store: LocalStore) throws -> Set<String> {
        let owner = Pointer(className: "Holiday", objectId: id)
        let pulled = try store.find(
            "Country", ParseQuery(predicate: .relatedTo(owner, field: "countries"), limit: 1000))
        return Set(pulled.objects.map(\.objectId))
    }

    /// For each member, the objects whose relation contains it. The query by the relation does not need the member's
    /// row.
    private func owners(in store: LocalStore, of countries: [String]) throws -> [String: Set<String>] {
        var owners: [String: Set<String>] = [:]
        for id in countries {
            let predicate = Predicate.field(
                try FieldPath("countries"), .equal(Pointer(className: "Country", objectId: id).json))
            let found = try store.find("Holiday", ParseQuery(predicate: predicate, limit: 1000))
            owners[id] = Set(found.objects.map(\.objectId))
        }
        return owners
    }

    private func expectEqualMembers(_ world: World, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let countries = try world.hub.store.all("Country").keys.sorted()
        #expect(
            try owners(in: world.replica.store, of: countries) == owners(in: world.hub.store, of: countries),
            sourceLocation: sourceLocation)
        #expect(try world.replica.store.invariantViolations() == [], sourceLocation: sourceLocation)
    }

    @Test(arguments: [true, false]) func manyRelationsAreReadInFewRequests(keepsMembers: Bool) async throws {
        let world = try await world(keepsMembers: keepsMembers)
        let summary = try await world.replica.sync()
        #expect(summary.requests <= 12)
        #expect(summary.requests == world.transport.takeSent().count)
        try expectEqualMembers(world)
    }

    @Test func manyRelationsAreReadInFewRequestsAfterABulkUpdate() async throws {
        let world = try await world()
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        let countries = try world.hub.store.all("Country").keys.sorted()
        for (id, fields) in try world.hub.store.all("Holiday") {
            let isMore = fields["n"]?.int.map { $0 % 50 == 0 } == true
            try await world.hub.store.update(
                "Holiday", id, ["m": 1, "countries": Self.members([countries[isMore ? 3 : 0]])])
        }
        world.clock.advance(.seconds(60))
        #expect(try await world.replica.sync().requests <= 12)
        try expectEqualMembers(world)
    }

    @Test func emptyRelationsTakeNoFurtherRequests() async throws {
        let world = try await world(members: { _ in [] })
        // One of the requests asks for the remote's change feed, once after each start of the program.
        #expect(try await world.replica.sync().requests <= 11)
        try expectEqualMembers(world)
        #expect(try await world.replica.sync().requests == 1)
    }

    @Test func relationMembersRemovedAtTheRemoteAreRemovedLocally() async throws {
        let world = try await world()
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        let ids = try world.hub.store.all("Holiday").keys.sorted()
        for id in ids { try await world.hub.store.update("Holiday", id, ["m": 1]) }
        let objects = try members(of: ids[7], in: world.hub.store).map {
            Pointer(className: "Country", objectId: $0).json
        }
        try await world.hub.store.update(
            "Holiday", ids[7], ["countries": ["__op": "RemoveRelation", "objects": .array(objects)]])
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        #expect(try members(of: ids[7], in: world.replica.store).isEmpty)
        try expectEqualMembers(world)
    }

    @Test func requestedSyncEndsAfterAllRelationsAreRead() async throws {
        let world = try await world(slice: .zero)
        let summary = try await world.replica.sync()
        #expect(!summary.relationsLeft)
        #expect(summary.pulled == 312)
        #expect(summary.requests == world.transport.takeSent().count)
        try expectEqualMembers(world)
    }

    /// - Returns: the positions of the requests that contain a text, among all sent requests.
    private func places(_ text: String, _ sent: [HandlerTransport.Sent]) -> [Int] {
        sent.indices.filter { sent[$0].body.contains(text) }
    }

    @Test func changesAreSyncedWhileManyRelationsAreRead() async throws {
        let world = try await world(slice: .zero)
        let gate = world.transport.close(after: 6)
        async let all = world.replica.sync()
        await gate.untilReached()
        let made = try await world.replica.store.create("Holiday", ["name": "made here"])
        try await world.hub.store.create("Country", ["n": 77])
        async let push = world.replica.engine.startAndWait(SyncRequest(pulls: false))
        gate.open()
        guard case .finished = await push else {
            Issue.record("the push did not end")
            return
        }
        #expect(try world.hub.store.all("Holiday").values.contains { $0["name"] == "made here" })
        _ = try await all
        let sent = world.transport.takeSent()
        let creation = try #require(places("made here", sent).first)
        #expect(creation < (places("\"countries\"", sent).last ?? 0))
        #expect(try world.replica.store.state("Holiday", made) == .synced)
        #expect(try world.replica.store.all("Country").values.contains { $0["n"] == 77 })
        try expectEqualMembers(world)
    }

    @Test func localRelationMembersAddedDuringAPullStay() async throws {
        let world = try await world(slice: .zero)
        let gate = world.transport.close(after: 6)
        async let all = world.replica.sync()
        await gate.untilReached()
        let id = try #require(try world.replica.store.all("Holiday").keys.sorted().first)
        let country = try #require(
            try Set(world.hub.store.all("Country").keys).subtracting(members(of: id, in: world.hub.store)).sorted()
                .first)
        try await world.replica.store.update("Holiday", id, ["countries": Self.members([country])])
        gate.open()
        _ = try await all
        #expect(try members(of: id, in: world.replica.store).contains(country))
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        try expectEqualMembers(world)
    }

    @Test func mistakenlyEmptyListOfRelationOwnersIsReadAgain() async throws {
        let world = try await world()
        let isOwners = { @Sendable (body: String) in body.contains("countries") && body.contains("Pointer") }
        world.transport.once(.answer(status: 200, body: #"{"results":[],"count":0}"#)) { method, path, body in
            method == "GET" && path == "/classes/Holiday" && isOwners(body)
        }
        try await world.replica.sync()
        try expectEqualMembers(world)
    }

    @Test(arguments: [true, false]) func mistakenlyEmptyListOfRelationMembersIsReadAgain(
        keepsMembers: Bool
    ) async throws {
        let world = try await world(keepsMembers: keepsMembers)
        world.transport.once(.answer(status: 200, body: #"{"results":[],"count":0}"#)) { method, path, body in
            method == "GET" && path == "/classes/Country" && body.hasPrefix("order=objectId&keys=objectId")
        }
        try await world.replica.sync()
        try expectEqualMembers(world)
    }

    /// A list without known members may be incomplete, so each relation is read again separately before members are
    /// removed.
    @Test func relationMembersMissingFromAnIncompleteListAreKept() async throws {
        let world = try await world()
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        let ids = try world.hub.store.all("Holiday").keys.sorted()
        for id in ids { try await world.hub.store.update("Holiday", id, ["m": 1]) }
        let time = "2023-11-14T22:13:20.000Z"
        let row = #"{"objectId":"\#(ids[0])","createdAt":"\#(time)","updatedAt":"\#(time)"}"#
        let list = #"{"results":[\#(row)],"count":1}"#
        let isOwners = { @Sendable (body: String) in body.contains("countries") && body.contains("Pointer") }
        world.transport.once(.answer(status: 200, body: list)) { method, path, body in
            method == "GET" && path == "/classes/Holiday" && isOwners(body)
        }
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        try expectEqualMembers(world)
    }

    @Test func readingRelationsContinuesAfterABrokenConnection() async throws {
        let world = try await world(slice: .zero)
        world.transport.once(.refused) { _, path, body in path == "/batch" && body.contains("\"countries\"") }
        _ = try await world.replica.failingSync()
        try await world.replica.sync()
        try expectEqualMembers(world)
    }

    @Test func relationsThatMayNotBeListedAreReadObjectByObject() async throws {
        let world = try await world(keepsMembers: false)
        let refusal = #"{"code":119,"error":"Permission denied for action find on class Country."}"#
        world.transport.set { method, path, body in
            method == "GET" && path == "/classes/Country" && !body.contains("$relatedTo")
                ? .answer(status: 400, body: refusal) : nil
        }
        let summary = try await world.replica.sync()
        #expect(summary.requests <= 20)
        try expectEqualMembers(world)
    }
}
