import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Pulls of relation members, which are not part of the rows of their owners.
@Suite("Pulled members of relations")
struct RelationPullTests {
    private let store: LocalStore
    private static let time = LocalStore.serverTime

    init() async throws {
        store = try LocalStore.make(.replica)
        try await store.registerClass("Holiday")
        try await store.pull(["a", "b", "c"].map { .make($0, [:], of: "Country") })
    }

    private func owner(_ id: String) -> Pointer { Pointer(className: "Holiday", objectId: id) }

    private func set(
        _ members: [String: [String]], at time: ParseDate = time, overlap: Duration = .zero
    ) async throws {
        try await store.sync.setBaseMembers(
            members.sorted { $0.key < $1.key }.map {
                .init(owner: owner($0.key), field: "countries", memberClass: "Country", memberIds: $0.value)
            }, at: time, overlap: overlap)
        #expect(try store.invariantViolations() == [])
    }

    private func toPull(limit: Int = 9, before: ParseDate = .distant) async throws -> [String] {
        try await store.sync.relationsToPull(of: nil, limit: limit, before: before).map {
            "\($0.owner.objectId).\($0.field)"
        }
    }

    // MARK: Relations that are read

    @Test func relationsOfAChangedRowAreReadNext() async throws {
        try await store.pull([
            .make("x", ["countries": .relation, "others": .relation, "n": 1]), .make("y", ["n": 1]),
        ])
        let pulls = try await store.sync.relationsToPull(of: nil, limit: 9, before: .distant)
        #expect(pulls.map(\.field) == ["countries", "others"])
        #expect(pulls.allSatisfy { $0.owner == owner("x") && $0.memberClass == "Country" })
        #expect(try await toPull(limit: 1) == ["x.countries"])
    }

    @Test func onlyRelationsOfPulledClassesAreRead() async throws {
        try await store.pull([.make("x", ["countries": .relation], of: "Birthday")])
        #expect(try await toPull().isEmpty)
        try await store.registerClass("Birthday")
        #expect(try await toPull() == ["x.countries"])
    }

    @Test func relationsOfAnUnchangedRowAreNotReadAgain() async throws {
        let row = RemoteRecord.make("x", ["countries": .relation])
        try await store.pull([row])
        try await set(["x": ["a"]])
        #expect(try await toPull().isEmpty)
        try await store.pull([row])
        try await store.update("x", ["n": 1])
        try await store.pull([row])
        #expect(try await toPull().isEmpty)
        try await store.pull([.make("x", ["countries": .relation], updatedMs: 3000)])
        #expect(try await toPull() == ["x.countries"])
    }

    @Test func relationsOfARowWithANewUpdateTimeAreReadAgain() async throws {
        try await store.pull([.make("x", ["countries": .relation])])
        try await set(["x": []])
        try await store.pull([.make("x", ["countries": .relation], updatedMs: 3000)])
        #expect(try await toPull() == ["x.countries"])
    }

    /// Another client deleted the object and created it again with the same id, without its members.
    @Test func aRelationWithMembersThatItsRowLacksIsReadAgain() async throws {
        try await store.pull([.make("x", ["countries": .relation])])
        try await set(["x": ["a"]])
        try await store.pull([.make("x", ["n": 1], updatedMs: 3000)])
        #expect(try await toPull() == ["x.countries"])
        try await set(["x": []])
        #expect(try store.members(of: "x").isEmpty)
        try await store.pull([.make("x", ["n": 2], updatedMs: 4000)])
        #expect(try await toPull().isEmpty)
    }

    /// Another client may have changed members after the last pull and before this replica's write, whose `updatedAt`
    /// is later.
    @Test func relationsAreReadAgainAfterTheFirstPullOfAPushedRow() async throws {
        try await store.pull([.make("x", ["countries": .relation])])
        try await set(["x": []])
        try await store.update("x", ["n": 1])
        try await store.push("x", .applied("x", updatedMs: 5000))
        #expect(try await toPull().isEmpty)
        try await store.pull([.make("x", ["countries": .relation, "n": 1], updatedMs: 5000)])
        #expect(try await toPull() == ["x.countries"])
    }

    @Test func relationsOfADeletedObjectAreNotRead() async throws {
        try await store.pull([.make("x", ["countries": .relation])])
        _ = try await store.sync.apply([], gone: ["x"], of: "Holiday")
        #expect(try await toPull().isEmpty)
        try await set(["x": ["a"]])
        #expect(try store.members(of: "x").isEmpty)
    }

    @Test func relationsOfRowsFromAnEarlierVersionAreRead() async throws {
        try await store.pull([
            .make("x", ["countries": .relation, "text": "{", "list": [.relation], "link": .country("a")]),
            .make("y", ["countries": .relation]), .make("z", ["n": 1]),
        ])
        try await store.update("y", ["countries": .adding("a"), "n": 1])
        try await store.create(["others": .adding("a")])
        try await store.transactions.write {
            try $0.db.execute(
                sql: "DROP TABLE relation_members; DROP TABLE relation_pulls;" + Migrations.relations
                    + Migrations.relationPullsByIdentity)
        }
        #expect(try await toPull() == ["x.countries", "y.countries"])
    }

    /// A Parse Server writes the row first and the members afterwards.
    @Test func theRelationOfARecentlyChangedRowIsReadOnceMore() async throws {
        let written = Self.time.milliseconds
        try await store.pull([.make("x", ["countries": .relation], updatedMs: written)])
        let soon = Self.time + .seconds(1)
        try await set(["x": []], at: soon, overlap: .seconds(10))
        #expect(try await toPull(before: Self.time).isEmpty)
        let later = Self.time + .seconds(60)
        #expect(try await toPull(before: later) == ["x.countries"])
        try await set(["x": ["a"]], at: later, overlap: .seconds(10))
        #expect(try await toPull().isEmpty)
        #expect(try store.members(of: "x") == ["a"])
    }

    // MARK: Effects of pulled members

    @Test func pulledRelationMembersReplaceTheKnownRemoteMembers() async throws {
        try await store.pull([.make("x", ["countries": .relation]), .make("y", ["countries": .relation])])
        try await set(["x": ["a", "b"], "y": ["b"]])
        #expect(try store.members(of: "x") == ["a", "b"])
        #expect(try store.members(of: "y") == ["b"])
        try await set(["x": ["b", "c", "c"]])
        #expect(try store.members(of: "x") == ["b", "c"])
        #expect(try store.state("x") == .synced)
        try await set(["x": []])
        #expect(try store.members(of: "x").isEmpty)
        #expect(try store.members(of: "y") == ["b"])
    }

    @Test func pendingMemberChangesAreReplayedOverPulledMembers() async throws {
        try await store.pull([.make("x", ["countries": .relation])])
        try await set(["x": ["a"]])
        try await store.update("x", ["countries": ["__op": "Batch", "ops": [.adding("b"), .removing("a")]]])
        try await set(["x": ["a", "c"]])
        #expect(try store.members(of: "x") == ["b", "c"])
        try await store.undoPending(try #require(try store.pendingChanges().first).id)
        #expect(try store.members(of: "x") == ["a", "c"])
        #expect(try store.invariantViolations() == [])
    }

    @Test func theFeedReportsOnlyVisibleChangesOfRelationMembers() async throws {
        try await store.pull([.make("x", ["countries": .relation])])
        try await set(["x": ["a"]])
        try await store.update("x", ["countries": .adding("b")])
        let start = try store.changes(since: nil, classes: nil, limit: 1).next
        try await set(["x": ["a", "b"]])
        try await set(["x": ["a", "b"]])
        #expect(try store.changes(since: start, classes: nil, limit: 9).entries.isEmpty)
        try await set(["x": ["b"]])
        let entries = try store.changes(since: start, classes: nil, limit: 9).entries
        #expect(entries.map(\.kind) == [.update])
        #expect(entries.map(\.objectId) == ["x"])
    }

    @Test func relationMembersOutsideTheReplicaAreFoundOnceTheyArePulled() async throws {
        try await store.pull([.make("x", ["countries": .relation])])
        try await set(["x": ["late"]])
        #expect(try store.members(of: "x").isEmpty)
        try await store.pull([.make("late", [:], of: "Country")])
        #expect(try store.members(of: "x") == ["late"])
    }

    @Test func aPurgedClassLeavesNoRelationMembers() async throws {
        try await store.pull([.make("x", ["countries": .relation])])
        try await set(["x": ["a"]], overlap: .seconds(1_000_000_000))
        try await store.unregisterClass("Holiday", purge: true)
        #expect(try store.members(of: "x").isEmpty)
        #expect(try store.invariantViolations() == [])
    }
}
