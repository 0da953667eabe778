import LocalStore
import ParseModel
import StoreService
import Testing

@Suite("Schemas that the remote has sent")
struct RemoteSchemaTests {
    private static let day = ClassSchema(
        "Day",
        added: [
            "name": SchemaField(.string, isRequired: true), "link": SchemaField(.pointer("Country")),
            "kind": SchemaField(.string, isRequired: true, defaultValue: "usual"),
        ])

    private func store(_ schemas: [ClassSchema] = [day]) async throws -> LocalStore {
        let store = try LocalStore.make(.replica)
        try await store.takeRemoteSchemas(schemas)
        return store
    }

    @Test func writesThatTheRemotesSchemaForbidsAreRefusedAtOnce() async throws {
        let store = try await store()
        await #expect(
            throws: ParseError(.incorrectType, "schema mismatch for Day.name; expected String but got Number")
        ) { try await store.create(["name": 1], of: "Day") }
        await #expect(throws: ParseError(.validationFailed, "name is required")) {
            try await store.create(["kind": "other"], of: "Day")
        }
        let city = Pointer(className: "City", objectId: "x").json
        await #expect(throws: ParseError.self) { try await store.create(["name": "a", "link": city], of: "Day") }
        #expect(try await store.sync.outbox(limit: 9).isEmpty)
        #expect(try store.ids(of: "Day").isEmpty)
    }

    @Test func writesThatTheRemotesSchemaAllowsAreQueuedUnchanged() async throws {
        let store = try await store()
        let id = try await store.create(["name": "a", "new": 1], of: "Day")
        // The remote itself sets the default value.
        #expect(try store.steps(of: id) == [#"create {"name":"a","new":1}"#])
        await #expect(throws: ParseError(.validationFailed, "name is required")) {
            try await store.update(id, ["name": ["__op": "Delete"]], of: "Day")
        }
        // A field that the known schema lacks may have any type on the remote by now.
        try await store.update(id, ["new": "text"], of: "Day")
    }

    @Test func classesWithoutARemoteSchemaAreNotChecked() async throws {
        let store = try await store()
        try await store.pull([.make("far0000001", ["n": 1])])
        try await store.update("far0000001", ["n": "text"])
        try await store.create(["n": [1]])
        #expect(try store.schema(of: "Nothing") == nil)
    }

    @Test func theLatestSchemaFromTheRemoteIsUsed() async throws {
        let directory = try TemporaryDirectory()
        do {
            let store = try LocalStore.make(.replica, in: directory)
            try await store.takeRemoteSchemas([Self.day, ClassSchema("Gone", added: ["a": SchemaField(.number)])])
            try await store.takeRemoteSchemas([ClassSchema("Day", added: ["name": SchemaField(.number)])])
        }
        let store = try LocalStore.make(.replica, in: directory)
        try await store.create(["name": 1], of: "Day")
        try await store.create(["a": "text"], of: "Gone")
        #expect(try store.remoteSchemas().map(\.className) == ["Day"])
    }

    @Test func classesInTheRemotesSchemaAreNotSyncedAutomatically() async throws {
        let store = try await store()
        #expect(try store.classNames().isEmpty)
    }
}
