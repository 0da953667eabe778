import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests that relation members added and removed by other clients are pulled, and answer queries offline.
@Suite("Relations that are pulled")
struct RelationRoundTripTests {
    private let world: World
    private let holiday: String
    private let norway: String
    private let oman: String

    init() async throws {
        world = try await World.make(classes: ["Holiday", "Country"])
        norway = try await world.hub.store.create("Country", ["name": "Norway"])
        oman = try await world.hub.store.create("Country", ["name": "Oman"])
        holiday = try await world.hub.store.create("Holiday", ["countries": Self.change("AddRelation", [norway])])
        world.clock.advance(.seconds(60))
    }

    private static func change(_ name: String, _ ids: [String]) -> JSONValue {
        ["__op": .string(name), "objects": .array(ids.map { Pointer(className: "Country", objectId: $0).json })]
    }

    private func sync(_ replica: SyncedReplica? = nil) async throws {
        try await (replica ?? world.replica).sync()
        world.clock.advance(.seconds(60))
    }

    private func members(in store: LocalStore? = nil) throws -> Set<String> {
        let predicate = Predicate.relatedTo(Pointer(className: "Holiday", objectId: holiday), field: "countries")
        let found = try (store ?? world.replica.store).find("Country", ParseQuery(predicate: predicate))
        return Set(found.objects.map(\.objectId))
    }

    @Test func relationMembersArePulledAfterTheRow() async throws {
        try await sync()
        #expect(try members() == [norway])
        world.transport.set { _, _, _ in .refused }
        let related =
            #"{"$relatedTo":{"object":{"__type":"Pointer","className":"Holiday","objectId":"\#(holiday)"},"#
            + #""key":"countries"}}"#
        let (status, answer) = try await world.replica.send(
            "GET /classes/Country?where=\(related.percentEncodedForTest)", clock: world.clock)
        #expect(status == 200)
        #expect(answer["results"]?.array?.map { $0.object?["name"] } == ["Norway"])
    }

    @Test func relationMembersChangedByAnotherDeviceArePulled() async throws {
        let (other, directory) = try await world.another(classes: ["Holiday", "Country"])
        defer { withExtendedLifetime(directory) {} }
        try await sync()
        try await sync(other)
        try await other.store.update("Holiday", holiday, ["countries": Self.change("AddRelation", [oman])])
        try await other.store.update("Holiday", holiday, ["countries": Self.change("RemoveRelation", [norway])])
        try await sync(other)
        try await sync()
        #expect(try members() == [oman])
        #expect(try members(in: world.hub.store) == [oman])
        #expect(try world.replica.store.invariantViolations() == [])
    }

    @Test func pendingRelationChangesAreKeptOverPulledMembers() async throws {
        try await sync()
        try await world.replica.store.update("Holiday", holiday, ["countries": Self.change("RemoveRelation", [norway])])
        try await world.hub.store.update("Holiday", holiday, ["countries": Self.change("AddRelation", [oman])])
        try await world.replica.sync(SyncRequest(pushes: false))
        #expect(try members() == [oman])
        try await sync()
        #expect(try members(in: world.hub.store) == [oman])
        #expect(try members() == [oman])
    }

    @Test func relationsOfUnchangedRowsAreNotReadAgain() async throws {
        try await sync()
        try await sync()
        _ = world.transport.takeSent()
        #expect(try await world.replica.sync().requests == 1)
        #expect(!world.transport.takeSent().contains { $0.body.contains("$relatedTo") })
    }

    @Test func relationsWithPullsOffAreNotPulled() async throws {
        try await world.replica.set(["relations": false])
        try await sync()
        #expect(try members().isEmpty)
        #expect(!world.transport.takeSent().contains { $0.body.contains("$relatedTo") })
        try await world.replica.set(["relations": nil])
        try await sync()
        #expect(try members() == [norway])
    }

    @Test func anUnreadableRelationDoesNotStopTheSync() async throws {
        try await world.replica.sync()
        try await world.hub.store.update("Holiday", holiday, ["countries": Self.change("AddRelation", [oman])])
        world.transport.set { _, _, body in
            body.contains("$relatedTo") ? .answer(status: 400, body: #"{"code":119,"error":"Permission denied"}"#) : nil
        }
        try await world.replica.store.create("Country", ["name": "Peru"])
        let summary = try await world.replica.sync()
        #expect(summary.pushed == 1)
        #expect(summary.warnings.count == 1)
        #expect(try members() == [norway])
        world.transport.heal()
        world.clock.advance(.seconds(60))
        try await sync()
        #expect(try members() == [norway, oman])
    }

    @Test func relationBeyondTheAnswerLimitsIsSkippedAloneWithAWarning() async throws {
        try await sync()
        try await world.hub.store.update("Holiday", holiday, ["countries": Self.change("AddRelation", [oman])])
        let other = try await world.hub.store.create("Holiday", ["countries": Self.change("AddRelation", [oman])])
        let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        world.transport.set { [holiday] _, _, body in
            body.contains("$relatedTo") && body.contains(holiday) ? .answer(status: 200, body: deep) : nil
        }
        let summary = try await world.replica.sync()
        #expect(summary.warnings.count == 1)
        #expect(summary.warnings.first?.contains("The relation countries of Holiday/\(holiday) was skipped") == true)
        let predicate = Predicate.relatedTo(Pointer(className: "Holiday", objectId: other), field: "countries")
        let found = try world.replica.store.find("Country", ParseQuery(predicate: predicate))
        #expect(found.objects.map(\.objectId) == [oman])
        #expect(try members() == [norway])
        world.transport.heal()
        world.clock.advance(.seconds(60))
        for _ in 0..<2 { try await sync() }
        #expect(try members() == [norway, oman])
    }

    @Test func manyRelationMembersArePulledInPages() async throws {
        var ids: [String] = []
        for n in 0..<45 { ids.append(try await world.hub.store.create("Country", ["n": .int(n)])) }
        try await world.hub.store.update("Holiday", holiday, ["countries": Self.change("AddRelation", ids)])
        let directory = try TemporaryDirectory()
        let replica = try await SyncedReplica(
            directory, transport: HandlerTransport(world.hub.api, clock: world.clock), clock: world.clock,
            classes: ["Holiday", "Country"], pageSize: 10)
        try await replica.sync()
        #expect(try members(in: replica.store) == Set(ids + [norway]))
    }
}

extension String {
    /// The text as a percent-encoded value of a URL query.
    fileprivate var percentEncodedForTest: String {
        utf8.map { byte in
            let hex = String(byte, radix: 16, uppercase: true)
            return "%" + (hex.count == 1 ? "0" + hex : hex)
        }.joined()
    }
}
