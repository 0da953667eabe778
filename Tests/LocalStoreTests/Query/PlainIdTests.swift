import LocalStore
import ParseModel
import StoreService
import Testing

/// A condition may name the id of an object in place of a pointer to it, as on Parse Servers with MongoDB and PostgreSQL.
@Suite("Conditions with ids in place of pointers")
struct PlainIdTests {
    private static func person(_ id: String) -> JSONValue { Pointer(className: "Person", objectId: id).json }

    private func standalone() async throws -> LocalStore {
        let store = try LocalStore.make { $0.allowsChosenIds = true }
        for (id, owner) in [("a", "p1"), ("b", "p2"), ("c", "p1")] {
            try await store.create(["objectId": .string(id), "owner": Self.person(owner), "name": .string(owner)])
        }
        try await store.create(["objectId": "d", "owners": [Self.person("p1")]])
        return store
    }

    static let cases: [(condition: JSONValue, ids: [String])] = [
        (["owner": "p1"], ["a", "c"]), (["owner": ["$eq": "p2"]], ["b"]), (["owner": ["$ne": "p1"]], ["b", "d"]),
        (["owner": ["$in": ["p1", "p3"]]], ["a", "c"]), (["owner": ["$in": ["p2", person("p1")]]], ["a", "b", "c"]),
        (["owner": ["$nin": ["p1"]]], ["b", "d"]), (["owner": ["$in": []]], []),
        (["$or": [["owner": "p2"], ["name": "p1"]]], ["a", "b", "c"]),
        (["owner": ["$exists": false]], ["d"]),
        // In a text field and in an array, a plain id matches only texts.
        (["name": "p1"], ["a", "c"]), (["owners": "p1"], []), (["owner.objectId": "p1"], ["a", "c"]),
    ]

    @Test(arguments: cases.indices) func pointerFieldsMatchPlainIds(_ index: Int) async throws {
        let (condition, ids) = Self.cases[index]
        #expect(try await standalone().ids(["where": condition]) == ids, "\(condition)")
    }

    @Test func subqueriesAcceptPlainIds() async throws {
        let store = try await standalone()
        try await store.create(["objectId": "x", "day": Pointer(className: "Holiday", objectId: "b").json], of: "Trip")
        let inner: JSONValue = ["className": "Holiday", "where": ["owner": "p2"]]
        #expect(try store.ids(["where": ["day": ["$inQuery": inner]]], of: "Trip") == ["x"])
    }

    /// If the type of a field is unknown, a text that looks like an id matches both texts and pointers.
    @Test func aPlainIdMatchesTextsAndPointersWithoutASchema() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([
            .make("a", ["owner": Self.person("abcDEF1234")]), .make("b", ["owner": "abcDEF1234"]),
            .make("c", ["owner": Self.person("abcDEF1235")]), .make("d", ["owner": "other"]),
        ])
        #expect(try store.ids(["where": ["owner": "abcDEF1234"]]) == ["a", "b"])
        #expect(try store.ids(["where": ["owner": ["$in": ["abcDEF1235", "other"]]]]) == ["c", "d"])
        #expect(try store.ids(["where": ["owner": ["$ne": "abcDEF1234"]]]) == ["c", "d"])
    }

    @Test func replacedIdsAreFoundAsPlainIds() async throws {
        let store = try LocalStore.make(.replica)
        try await store.takeRemoteSchemas([ClassSchema("Holiday", added: ["owner": SchemaField(.pointer("Person"))])])
        let local = try await store.create(["name": "x"], of: "Person")
        let day = try await store.create(["owner": Self.person(local)])
        try await store.push(local, .applied("remote", createdMs: 1, updatedMs: 1))
        #expect(try store.ids(["where": ["owner": .string(local)]]) == [day])
        #expect(try store.ids(["where": ["owner": "remote"]]) == [day])
    }
}
