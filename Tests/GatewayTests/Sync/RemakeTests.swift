import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests objects that were deleted at the remote and that two replicas recreate. The remote chooses the ids.
@Suite("Deleted objects that two replicas recreate")
struct RemakeTests {
    private let world: World
    private let other: SyncedReplica
    private let directory: TemporaryDirectory
    private let id: String
    private static let title: JSONValue = "Easter"

    init() async throws {
        world = try await World.make()
        (other, directory) = try await world.another()
        for replica in [world.replica, other] { try await replica.set(["policy": "local"]) }
        id = try await world.hub.store.create("Holiday", ["title": Self.title, "n": 1, "place": "here", "done": false])
        for number in 0..<5 {
            try await world.hub.store.create(
                "Holiday", ["title": .string("other \(number)"), "n": 1, "place": "here", "done": false])
        }
        for replica in [world.replica, other] { try await replica.sync() }
        world.clock.advance(.seconds(30))
    }

    private func sync(_ replicas: SyncedReplica..., times: Int = 3) async throws {
        for _ in 0..<times {
            for replica in replicas {
                world.clock.advance(.seconds(30))
                try await replica.sync()
            }
        }
    }

    /// Both replicas change an object that is deleted at the remote. The other replica recreates it first.
    private func makeAgain(mine: JSONObject, theirs: JSONObject) async throws {
        try await world.replica.store.update("Holiday", id, mine)
        try await other.store.update("Holiday", id, theirs)
        try await world.hub.store.delete("Holiday", id)
        try await sync(other)
        #expect(try onHub().count == 1)
    }

    private func onHub() throws -> [JSONObject] {
        try world.hub.store.all("Holiday").values.filter { $0["title"] == Self.title }
    }

    private func question() throws -> ListedConflict {
        let open = try world.replica.store.conflicts(resolved: false)
        #expect(open.map(\.kind) == [.ambiguousCreate])
        return try #require(open.first)
    }

    private func answer(_ keep: String) async throws {
        try await world.replica.store.resolveConflict(question().id, keep: keep, fields: nil)
        try await sync(world.replica, other)
    }

    private func expectSettled() async throws {
        let there = try world.hub.store.all("Holiday")
        for replica in [world.replica, other] {
            #expect(try replica.store.all("Holiday") == there)
            #expect(try replica.store.conflicts(resolved: false).isEmpty)
            #expect(try await replica.store.figures().pending == 0)
            #expect(try replica.store.invariantViolations().isEmpty)
        }
    }

    @Test(
        arguments: [
            (["n": 2], ["n": 3], ["n": 2, "place": "here"]),
            (["n": 2], ["place": "there"], ["n": 2, "place": "there"]),
            (["n": 2, "place": "there"], ["n": 3, "done": true], ["n": 2, "place": "there", "done": true]),
        ] as [(JSONObject, JSONObject, JSONObject)])
    func anObjectRecreatedOnBothSidesIsCreatedOnce(
        _ mine: JSONObject, _ theirs: JSONObject, _ result: JSONObject
    ) async throws {
        try await makeAgain(mine: mine, theirs: theirs)
        try await sync(world.replica)
        #expect(try onHub().count == 1)
        #expect(try world.replica.store.all("Holiday").values.count { $0["title"] == Self.title } == 1)
        try await answer("applied")
        let made = try #require(try onHub().first)
        #expect(try onHub().count == 1)
        for (field, value) in result { #expect(made[field] == value) }
        #expect(try world.replica.store.fields("Holiday", id)?["n"] == made["n"])
        try await expectSettled()
    }

    @Test func equalObjectRecreatedByAnotherReplicaIsAdoptedWithoutAConflict() async throws {
        try await makeAgain(mine: ["n": 2], theirs: ["n": 2])
        try await sync(world.replica)
        #expect(try onHub().count == 1)
        try await expectSettled()
    }

    @Test func objectRecreatedByAnotherReplicaStaysUnchangedIfDecidedToBeAnother() async throws {
        try await makeAgain(mine: ["n": 2], theirs: ["n": 3])
        try await sync(world.replica)
        try await answer("sendAgain")
        #expect(try onHub().map { $0["n"]?.int }.compactMap(\.self).sorted() == [2, 3])
        try await expectSettled()
    }

    @Test(arguments: ["applied", "sendAgain"]) func deletionDuringARecreateConflictIsCarriedOutAfterTheDecision(
        _ keep: String
    ) async throws {
        try await makeAgain(mine: ["n": 2], theirs: ["n": 3])
        try await sync(world.replica)
        try await world.replica.store.delete("Holiday", id)
        #expect(try world.replica.store.object("Holiday", id) == nil)
        try await answer(keep)
        #expect(try onHub().count == (keep == "applied" ? 0 : 1))
        try await expectSettled()
    }

    @Test func anObjectRecreatedAfterTheLastPullIsFound() async throws {
        try await world.replica.store.update("Holiday", id, ["n": 2])
        try await world.hub.store.delete("Holiday", id)
        world.clock.advance(.seconds(30))
        try await world.replica.sync(SyncRequest(pushes: false))
        try await world.hub.store.create("Holiday", ["title": Self.title, "n": 3, "place": "here", "done": false])
        world.clock.advance(.seconds(1))
        try await world.replica.sync(SyncRequest(pulls: false))
        #expect(try onHub().count == 1)
        #expect(try question().objectId == id)
    }

    @Test func objectRecreatedOutsideThePulledSubsetIsFound() async throws {
        let subset: JSONValue = ["name": "early", "where": ["n": ["$lt": 3]]]
        try await world.replica.set(["pulls": [subset]])
        try await sync(world.replica, times: 1)
        try await makeAgain(mine: ["place": "there"], theirs: ["n": 3])
        try await sync(world.replica)
        #expect(try onHub().count == 1)
        #expect(try question().objectId == id)
    }

    /// A remote object that shares only common values with the lost one is a different object.
    @Test func remoteObjectSharingOnlyCommonValuesIsNotMatchedToARecreatedObject() async throws {
        try await world.replica.store.update("Holiday", id, ["n": 2])
        try await world.hub.store.delete("Holiday", id)
        try await world.hub.store.create("Holiday", ["title": "new", "n": 1, "place": "elsewhere", "done": false])
        try await sync(world.replica)
        #expect(try onHub().map { $0["n"] } == [2])
        try await sync(other)
        try await expectSettled()
    }
}
