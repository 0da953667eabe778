import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

/// Changes of relation members that are sent to the remote.
@Suite("Relation changes that are sent")
struct RelationPushTests {
    private let store: LocalStore

    init() async throws {
        store = try LocalStore.make(.replica)
        try await store.pull(["a", "b", "c"].map { .make($0, ["name": .string($0)], of: "Country") })
        try await store.pull([.make("known", ["countries": .relation])])
        try await store.sync.setBaseMembers(
            [.init(owner: Self.known, field: "countries", memberClass: "Country", memberIds: ["a"])],
            at: LocalStore.serverTime, overlap: .seconds(10))
    }

    private static let known = Pointer(className: "Holiday", objectId: "known")

    private func expectLaws(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try store.invariantViolations() == [], sourceLocation: sourceLocation)
    }

    // MARK: Pending changes

    @Test func relationMemberChangesMergeIntoOneRequest() async throws {
        try await store.update("known", ["countries": .adding("b")])
        try await store.update("known", ["countries": .adding("c")])
        try await store.update("known", ["countries": .removing("a", "b")])
        let sent: JSONValue = ["__op": "Batch", "ops": [.adding("c"), .removing("a", "b")]]
        #expect(try store.steps(of: "known") == [#"update {"countries":\#(sent.jsonText)}"#])
        #expect(try store.members(of: "known") == ["c"])
        try expectLaws()
    }

    @Test func aRelationChangeWaitsForMembersThatAreNotOnTheRemote() async throws {
        let country = try await store.create(["name": "new"], of: "Country")
        try await store.update("known", ["countries": .adding(country)])
        let entries = try await store.sync.outbox(limit: 9)
        #expect(entries.map(\.objectId) == [country, "known"])
        #expect(entries[1].awaits == [Pointer(className: "Country", objectId: country)])
    }

    @Test func undoingARelationChangeRestoresTheRemoteMembers() async throws {
        try await store.update("known", ["countries": .adding("b")])
        try await store.update("known", ["countries": .removing("a")])
        let start = try store.changes(since: nil, classes: nil, limit: 1).next
        try await store.undoPending(try #require(try store.pendingChanges().first).id)
        #expect(try store.members(of: "known") == ["a"])
        #expect(try store.changes(since: start, classes: nil, limit: 9).entries.map(\.kind) == [.update])
        try expectLaws()
    }

    @Test func anUndoneCreateLeavesNoRelationMembers() async throws {
        let holiday = try await store.create(["countries": .adding("a")])
        try await store.undoPending(try #require(try store.pendingChanges().first).id)
        #expect(try store.members(of: holiday).isEmpty)
        try expectLaws()
    }

    @Test func givingUpARefusedRelationChangeRestoresTheRemoteMembers() async throws {
        try await store.update("known", ["countries": .adding("b")])
        let entry = try await store.push("known", .rejected(code: 119, message: "no"))
        #expect(try store.members(of: "known") == ["a", "b"])
        try await store.giveUpRejection(entry.id)
        #expect(try store.members(of: "known") == ["a"])
        try expectLaws()
    }

    @Test func aPendingDeletionHidesRelationMembersUntilItIsUndone() async throws {
        try await store.update("known", ["countries": .adding("b")])
        try await store.delete("known")
        #expect(try store.members(of: "known").isEmpty)
        try expectLaws()
        try await store.undoPending(try #require(try store.pendingChanges().first).id)
        #expect(try store.members(of: "known") == ["a"])
        try expectLaws()
    }

    // MARK: Acknowledged changes

    @Test func acknowledgedRelationChangesBecomeTheKnownRemoteMembers() async throws {
        try await store.update("known", ["countries": .adding("b")])
        let sent = try await store.sync.freeze("known")
        try await store.update("known", ["countries": .removing("b")])
        try await store.sync.settle([(sent, .applied("known", updatedMs: 5000))])
        #expect(try store.members(of: "known") == ["a"])
        try expectLaws()
        try await store.undoPending(try #require(try store.pendingChanges().first).id)
        #expect(try store.members(of: "known") == ["a", "b"])
        try expectLaws()
    }

    @Test func anAcknowledgedDeletionRemovesTheObjectsRelations() async throws {
        try await store.delete("known")
        try await store.push("known", .applied("known"))
        #expect(try store.members(of: "known").isEmpty)
        #expect(try await store.sync.relationsToPull(of: nil, limit: 9, before: .distant).isEmpty)
        try expectLaws()
    }

    /// The row of an object does not show the members of its relations.
    @Test func aProvenUpdateSendsItsRelationChangesAgain() async throws {
        try await store.update("known", ["countries": .adding("b"), "name": "x"])
        let sent = try await store.push("known", .unknown(reason: "time-out"))
        let row = RemoteRecord.make("known", ["countries": .relation, "name": "x"], updatedMs: 6000)
        try await store.sync.settle([(sent, .proven(row))])
        #expect(
            try store.steps(of: "known") == [#"update {"countries":\#(JSONValue.adding("b").jsonText)}"#])
        #expect(try store.members(of: "known") == ["a", "b"])
        try expectLaws()
        let again = try await store.sync.freeze("known")
        #expect(again.requestId != sent.requestId)
        try await store.sync.settle([(again, .applied("known", updatedMs: 7000))])
        #expect(try store.state("known") == .synced)
        #expect(try store.members(of: "known") == ["a", "b"])
        try expectLaws()
    }

    @Test func aProvenCreateSendsItsRelationMembersAgain() async throws {
        let local = try await store.create(["countries": .adding("b"), "name": "x"])
        let sent = try await store.push(local, .unknown(reason: "time-out"))
        let row = RemoteRecord.make("remote", ["countries": .relation, "name": "x"], updatedMs: 6000)
        try await store.sync.settle([(sent, .proven(row))])
        #expect(
            try store.steps(of: "remote") == [#"update {"countries":\#(JSONValue.adding("b").jsonText)}"#])
        #expect(try store.members(of: "remote") == ["b"])
        #expect(try store.state("remote") == .updated)
        try expectLaws()
    }

    @Test func aCreateProvenByAPullSendsItsRelationMembersAgain() async throws {
        let local = try await store.create(["countries": .adding("b")])
        try await store.push(local, .sendAgain)
        try await store.pull([.make(local, ["countries": .relation])])
        #expect(
            try store.steps(of: local) == [#"update {"countries":\#(JSONValue.adding("b").jsonText)}"#])
        #expect(try store.members(of: local) == ["b"])
        try expectLaws()
    }

    // MARK: Ids that the remote replaces

    @Test func replacedIdsOfOwnersAndMembersAreSentAsNewIds() async throws {
        let country = try await store.create(["name": "new"], of: "Country")
        let holiday = try await store.create(["countries": .adding(country, "a")])
        try await store.push(country, .applied("remoteCountry", createdMs: 5000))
        #expect(Set(try store.members(of: holiday)) == ["a", "remoteCountry"])
        try expectLaws()
        #expect(try await store.sync.outbox(limit: 9).map(\.awaits) == [[]])
        try await store.push(holiday, .applied("remoteHoliday", createdMs: 5000))
        #expect(Set(try store.members(of: "remoteHoliday")) == ["a", "remoteCountry"])
        #expect(try store.members(of: "remoteHoliday") == store.members(of: holiday))
        #expect(try store.state("remoteHoliday") == .synced)
        try expectLaws()
        // The local ids of owner and member are still accepted.
        try await store.update(holiday, ["countries": .removing(country)])
        #expect(try store.members(of: holiday) == ["a"])
        #expect(try store.ids(["where": ["countries": .country(country)]]).isEmpty)
        try expectLaws()
    }

    @Test func aPullBeforeTheAnswerToACreateKeepsRelationMembersOfBothSides() async throws {
        let holiday = try await store.create(["countries": .adding("b")])
        let sent = try await store.sync.freeze(holiday)
        try await store.update(holiday, ["countries": .adding("c")])
        try await store.pull([.make("remote", ["countries": .relation])])
        try await store.sync.setBaseMembers(
            [
                .init(
                    owner: Pointer(className: "Holiday", objectId: "remote"), field: "countries",
                    memberClass: "Country", memberIds: ["a", "b"])
            ], at: LocalStore.serverTime, overlap: .zero)
        try await store.sync.settle([(sent, .applied("remote", createdMs: 5000))])
        #expect(try store.members(of: "remote") == ["a", "b", "c"])
        #expect(try store.ids(["where": ["countries": .country("b")]]) == ["remote"])
        try expectLaws()
    }

    // MARK: Conflicts

    @Test(arguments: ["local", "remote"]) func aRecreatedObjectKeepsItsRelationMembers(keep: String) async throws {
        try await store.update("known", ["countries": .adding("b")])
        _ = try await store.sync.apply([], gone: ["known"], of: "Holiday")
        #expect(try store.members(of: "known") == ["a", "b"])
        try expectLaws()
        try await store.resolveConflict(
            try #require(try store.conflicts(resolved: false).first).id, keep: keep, fields: nil)
        #expect(try store.members(of: "known") == (keep == "local" ? ["a", "b"] : []))
        #expect(
            try store.steps(of: "known")
                == (keep == "local" ? [#"create {"countries":\#(JSONValue.adding("a", "b").jsonText)}"#] : []))
        try expectLaws()
    }

    @Test func aRelationChangeThatAUserCallsAppliedKeepsItsMembers() async throws {
        try await store.update("known", ["countries": .adding("b"), "n": .increment(1)])
        let sent = try await store.push("known", .unknown(reason: "time-out"))
        let row = RemoteRecord.make("known", ["countries": .relation, "n": 1], updatedMs: 6000)
        try await store.sync.settle([(sent, .conflict(.wasThisApplied, remote: row))])
        #expect(try store.members(of: "known") == ["a", "b"])
        try await store.resolveConflict(
            try #require(try store.conflicts(resolved: false).first).id, keep: "applied", fields: nil)
        #expect(try store.members(of: "known") == ["a", "b"])
        #expect(try store.fields("known")?["n"] == 1)
        try expectLaws()
    }
}

extension ParseDate {
    /// A time after everything that happens in a test.
    static let distant = ParseDate(milliseconds: 4_000_000_000_000)
}
