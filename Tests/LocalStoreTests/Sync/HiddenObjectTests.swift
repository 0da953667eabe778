import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// The objects that the remote's lists may lack although the remote has them.
@Suite("Objects that an ACL may hide")
struct HiddenObjectTests {
    private static let ofRole: JSONValue = ["role:staff": ["read": true]]

    /// The objects that the remote's lists must contain, after the remote has acknowledged an edit of each of two objects that only one
    /// role may read.
    private func seen(seesEverything: Bool) async throws -> (ids: Set<String>, count: Int) {
        let store = try LocalStore.make(.replica) { $0.seesEverything = seesEverything }
        _ = try await store.pull([.make("edited", ["n": 1, "ACL": Self.ofRole]), .make("restricted", ["n": 1])])
        let edits: [(String, JSONObject)] = [("edited", ["n": 2]), ("restricted", ["ACL": Self.ofRole])]
        for (id, body) in edits {
            try await store.write(.update(className: "Holiday", objectId: id, body: body))
            _ = try await store.push(id, .applied(id, updatedMs: 3000))
        }
        return (try await store.sync.baseIds(of: "Holiday").seen, try await store.sync.baseCount(of: "Holiday"))
    }

    @Test func onlyAnEditOfTheACLCanHideAnObjectFromItsAuthor() async throws {
        let seen = try await seen(seesEverything: false)
        #expect(seen.ids == ["edited"] && seen.count == 1)
    }

    /// One object is hidden by its ACL, one is withheld from clients because its removal waits for a decision, and one
    /// is both.
    @Test func countsOfListedObjectsLeaveOutHiddenAndWithheldOnes() async throws {
        let store = try LocalStore.make(.replica) { $0.reader = "alice" }
        let ids = ["a", "hidden", "withheld", "both"]
        _ = try await store.pull(ids.map { .make($0, ["n": 1]) })
        for id in ["hidden", "both"] {
            try await store.write(.update(className: "Holiday", objectId: id, body: ["ACL": Self.ofRole]))
            _ = try await store.push(id, .applied(id, updatedMs: 3000))
        }
        try await store.sync.holdLost(
            [LostObject(objectId: "withheld"), LostObject(objectId: "both")], of: "Holiday", because: .restoredBackup)
        let pull = PullId.allObjects(of: "Holiday")
        #expect(try await store.sync.listedIds(of: pull, among: ids) == ["a"])
        #expect(try await store.sync.listedCount(of: pull) == 1)
        #expect(try await store.sync.split(.all, of: pull, into: 1).map(\.count) == [1])
    }

    @Test func noACLHidesAnObjectFromAReplicaWithTheMasterKey() async throws {
        let seen = try await seen(seesEverything: true)
        #expect(seen.ids == ["edited", "restricted"] && seen.count == 2)
    }
}
