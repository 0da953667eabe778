import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

/// Counts without conditions, which the store does not make by reading all rows.
@Suite("Counts of whole classes")
struct WholeCountTests {
    private static let mine: JSONValue = ["u1": ["read": true, "write": true]]

    private func count(
        _ store: LocalStore, _ conditions: String = "{}", as principal: Principal = .public, limit: Int = 0
    ) throws -> Int? {
        var query = try ParseQuery(parameters: ["where": .string(conditions)])
        (query.limit, query.wantsCount) = (limit, true)
        return try store.find("Note", query, as: principal).count
    }

    @Test func theCountOfAClassFollowsWritesAndACLs() async throws {
        let store = try LocalStore.make()
        #expect(try count(store) == 0)
        let open = try await store.create(["n": 1], of: "Note")
        let secret = try await store.create(["n": 1, "ACL": Self.mine], of: "Note")
        try await store.create(["n": 1, "ACL": Self.mine], of: "Other")
        try await store.create(["n": 2], of: "Note")
        #expect(try count(store) == 2)
        #expect(try count(store, limit: 1) == 2)
        #expect(try count(store, #"{"objectId":{"$exists":true}}"#) == 2)
        #expect(try count(store, #"{"objectId":{"$exists":false}}"#) == 0)
        #expect(try count(store, #"{"n":{"$exists":true}}"#) == 2)
        #expect(try count(store, as: .signedIn("u1")) == 3)
        #expect(try count(store, as: .master) == 3)
        #expect(try count(store, #"{"n":1}"#) == 1)
        try await store.update(secret, ["ACL": ["*": ["read": true]]], of: "Note")
        #expect(try count(store) == 3)
        try await store.delete(open, of: "Note")
        #expect(try count(store) == 2)
        #expect(try count(store, as: .master) == 2)
    }

    /// There are more objects with private ACLs than the store counts separately.
    @Test func theCountOfAClassIsRightWithManyPrivateObjects() async throws {
        let store = try LocalStore.make()
        let requests = (0..<1100).map { n in
            WriteRequest.create(className: "Note", body: n < 50 ? ["n": 1] : ["n": 1, "ACL": Self.mine])
        }
        for result in await store.perform(requests, atomically: true) { _ = try result.get() }
        #expect(try count(store) == 50)
        #expect(try count(store, as: .master) == 1100)
    }

    /// A local deletion keeps the row until it is pushed.
    @Test func locallyDeletedObjectsOfAReplicaAreNotCounted() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull((0..<5).map { .make("n\($0)", ["n": 1, "ACL": Self.mine], of: "Note") })
        #expect(try count(store) == 5)
        try await store.delete("n1", of: "Note")
        #expect(try count(store) == 4)
    }
}
