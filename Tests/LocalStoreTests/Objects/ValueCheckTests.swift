import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@Suite("Values that the remote can never store")
struct ValueCheckTests {
    private let store: LocalStore

    init() throws {
        store = try LocalStore.make(.replica) { $0.valueRules = TableRules(typed: ["Parse"]) }
    }

    private static let refusal = ParseError(.incorrectType, "v cannot be stored")

    @Test(
        arguments: [
            [1], ["a": 1], ["__type": "GeoPoint", "latitude": 1, "longitude": 2], .op("Add", 1), .op("AddUnique", 1),
            .op("AddRelation", Pointer(className: "Country", objectId: "no").json),
        ] as [JSONValue])
    func aWriteOfAnUnstorableValueFailsAndChangesNothing(_ value: JSONValue) async throws {
        let id = try await store.create(["n": 1])
        let next = try store.changes(since: 0, classes: nil, limit: 10).next
        await #expect(throws: Self.refusal) { try await store.create(["v": value]) }
        await #expect(throws: Self.refusal) { try await store.update(id, ["n": 2, "v": value]) }
        #expect(try store.fields(id) == ["n": 1])
        #expect(try store.ids() == [id])
        #expect(try store.pendingChanges().count == 1)
        #expect(try store.changes(since: 0, classes: nil, limit: 10).next == next)
    }

    @Test func theOtherWritesOfABatchWithAnUnstorableValueAreKept() async throws {
        let writes: [WriteRequest] = [
            .create(className: "Holiday", body: ["v": [1]]), .create(className: "Holiday", body: ["n": 1]),
        ]
        let results = await store.perform(writes, atomically: false)
        #expect(throws: Self.refusal) { try results[0].get() }
        #expect(try store.fields(results[1].get().objectId) == ["n": 1])
        for result in await store.perform(writes, atomically: true) {
            #expect(throws: Self.refusal) { try result.get() }
        }
        #expect(try store.ids().count == 1)
    }

    @Test func valuesAreCheckedOnlyInClassesThatTheRemoteStoresInTables() async throws {
        try await store.create(["v": [1]], of: "Parse")
        let standalone = try LocalStore.make()
        try await standalone.create(["v": [1]])
    }

    @Test func valuesThatCorrectARejectedChangeAreChecked() async throws {
        let id = try await store.create(["v": "a"])
        try await store.push(id, .rejected(code: 111, message: "no"))
        let rejection = try #require(try store.rejections().first)
        await #expect(throws: Self.refusal) { try await store.retryRejection(rejection.id, fields: ["v": [1]]) }
        #expect(try store.rejections().count == 1)
        try await store.retryRejection(rejection.id, fields: ["v": "b"])
        #expect(try store.fields(id) == ["v": "b"])
    }

    @Test func valuesThatResolveAConflictAreChecked() async throws {
        try await store.configureClass("Holiday") { options, _ in options.policy = .manual }
        try await store.pull([.make("row", ["n": 1])])
        try await store.update("row", ["n": 2])
        try await store.pull([.make("row", ["n": 3], updatedMs: 3000)])
        let conflict = try #require(try store.conflicts(resolved: false).first)
        await #expect(throws: Self.refusal) {
            try await store.resolveConflict(conflict.id, keep: "local", fields: ["v": [1]])
        }
        #expect(try store.conflicts(resolved: false).count == 1)
        try await store.resolveConflict(conflict.id, keep: "local", fields: ["v": 1])
        #expect(try store.fields("row") == ["n": 2, "v": 1])
    }
}
