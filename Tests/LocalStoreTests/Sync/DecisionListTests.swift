import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

/// The lists of pending changes, rejections and conflicts have at most 1,000 entries, and continue after an entry.
@Suite struct DecisionListTests {
    private let count = DecisionLists.entriesMax + 3

    private func create(_ bodies: [JSONObject], in store: LocalStore, as principal: Principal) async throws {
        let writes = bodies.map { WriteRequest.create(className: "Note", body: $0) }
        for result in await store.perform(writes, as: principal, atomically: false) { _ = try result.get() }
    }

    @Test func theListOfPendingChangesContinuesAfterAnEntry() async throws {
        let store = try LocalStore.make(.replica)
        try await create((0..<count).map { ["n": .int($0)] }, in: store, as: .master)
        let first = try store.pendingChanges()
        #expect(first.count == DecisionLists.entriesMax)
        let rest = try store.decisions.pendingChanges(after: try #require(first.last).id, as: .master)
        #expect((first + rest).map(\.step.operations.json["n"]) == (0..<count).map { .int($0) })
        #expect(try store.decisions.pendingChanges(after: try #require(rest.last).id, as: .master).isEmpty)
    }

    @Test func theListOfConflictsContinuesWithOlderOnes() async throws {
        let store = try LocalStore.make(.replica)
        let ids = (0..<count).map { "row\($0)" }
        try await store.pull(ids.map { .make($0, ["n": 1], of: "Note") })
        let writes = ids.map { WriteRequest.update(className: "Note", objectId: $0, body: ["n": 2]) }
        for result in await store.perform(writes, as: .master, atomically: false) { _ = try result.get() }
        _ = try await store.sync.apply([], gone: ids, of: "Note")
        let first = try store.conflicts(resolved: false)
        #expect(first.count == DecisionLists.entriesMax)
        let rest = try store.decisions.conflicts(resolved: false, after: try #require(first.last).id, as: .master)
        #expect((first + rest).map(\.id).sorted(by: >) == (first + rest).map(\.id))
        #expect(Set((first + rest).map(\.objectId)) == Set(ids))
    }

    /// A client without a session does not see its changes of objects that it may not read.
    @Test func hiddenChangesDoNotShortenAList() async throws {
        let store = try LocalStore.make(.replica) { $0.rights = .site }
        try await store.takeRemoteSchemas([ClassSchema("Note"), ClassSchema("_Role"), ClassSchema("_User")])
        let hidden = (0..<count).map { _ in ["ACL": [:]] as JSONObject }
        try await create(hidden + [["n": 1], ["n": 2]], in: store, as: .public)
        #expect(try store.pendingChanges(as: .public).map(\.step.operations.json["n"]) == [1, 2])
    }
}
