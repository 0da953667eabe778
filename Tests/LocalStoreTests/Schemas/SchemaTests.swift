import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@Suite("Schemas in the file")
struct SchemaTests {
    private func make(_ store: LocalStore, _ fields: JSONObject, of className: String = "Holiday") async throws {
        _ = try await store.changeSchema(className) { _ in
            SchemaChange(try ClassSchema(making: className, ["fields": .object(fields)]))
        }
    }

    @discardableResult
    private func change(_ store: LocalStore, _ body: JSONObject) async throws -> ClassSchema {
        try await store.changeSchema("Holiday") { before in
            var schema = try #require(before)
            let deleted = try schema.change(body)
            return SchemaChange(schema, deleted: deleted)
        }
    }

    @Test func theSchemaOfAClassSurvivesARestart() async throws {
        let directory = try TemporaryDirectory()
        do {
            let store = try LocalStore.make(in: directory)
            try await make(store, ["n": ["type": "Number", "required": true, "defaultValue": 4]])
            try await change(
                store, ["classLevelPermissions": ["find": ["*": true]], "indexes": ["i": ["n": 1]]])
        }
        let schema = try #require(try LocalStore.make(in: directory).schema(of: "Holiday"))
        #expect(schema["n"] == SchemaField(.number, isRequired: true, defaultValue: 4))
        #expect(schema.permissions == ["find": ["*": true]])
        #expect(schema.indexes["i"] == ["n": 1])
    }

    @Test func writesAddFieldsToTheSchema() async throws {
        let store = try LocalStore.make()
        try await store.create(["n": 1, "link": Pointer(className: "Country", objectId: "x").json])
        #expect(
            try store.schema(of: "Holiday")?.added == [
                "n": SchemaField(.number), "link": SchemaField(.pointer("Country")),
            ])
        #expect(try store.schemas().map(\.className) == ["Holiday", "_Role", "_User"])
        #expect(try store.schema(of: "Nothing") == nil)
        #expect(try store.schema(of: "_User")?["username"]?.type == .string)
    }

    @Test func declaredTypesAreEnforced() async throws {
        let store = try LocalStore.make()
        try await make(store, ["n": ["type": "Number"]])
        await #expect(
            throws: ParseError(.incorrectType, "schema mismatch for Holiday.n; expected Number but got String")
        ) { try await store.create(["n": "five"]) }
        try await store.create(["n": 5])
    }

    @Test func deletingAFieldDeletesItsValues() async throws {
        let store = try LocalStore.make()
        let member = Pointer(className: "Country", objectId: "c").json
        let id = try await store.create(["a": 1, "b": 2, "r": .op("AddRelation", member)])
        let other = try await store.create(["b": 1])
        let before = try store.json(id)?["updatedAt"]
        let feed = try store.changes(since: nil, classes: nil, limit: 9).next
        try await change(store, ["fields": ["a": ["__op": "Delete"], "r": ["__op": "Delete"]]])
        #expect(try store.fields(id) == ["b": 2])
        #expect(try store.fields(other) == ["b": 1])
        #expect(try store.json(id)?["updatedAt"] == before)
        #expect(try store.changes(since: feed, classes: nil, limit: 9).entries.map(\.objectId).contains(id))
        let related: JSONObject = [
            "$relatedTo": ["object": Pointer(className: "Holiday", objectId: id).json, "key": "r"]
        ]
        #expect(try store.ids(["where": .object(related)], of: "Country").isEmpty)
        // The name is free for another type.
        try await store.update(id, ["a": "text"])
    }

    @Test func aRefusedSchemaChangeChangesNothing() async throws {
        let store = try LocalStore.make()
        let id = try await store.create(["a": 1])
        await #expect(throws: ParseError.self) {
            try await change(store, ["fields": ["a": ["__op": "Delete"], "b": ["type": "Nonsense"]]])
        }
        #expect(try store.fields(id) == ["a": 1])
        #expect(try store.schema(of: "Holiday")?["a"] != nil)
    }

    @Test func onlyAnEmptyClassCanBeDropped() async throws {
        let store = try LocalStore.make()
        let id = try await store.create(["a": 1])
        await #expect(
            throws: ParseError(
                .impossibleSchemaChange, "Class Holiday is not empty, contains 1 objects, cannot drop schema.")
        ) { try await store.dropSchema("Holiday") }
        try await store.delete(id)
        try await store.dropSchema("Holiday")
        #expect(try store.schema(of: "Holiday") == nil)
        #expect(try store.classNames().isEmpty)
        try await store.dropSchema("Nothing")
    }

    @Test func aPurgeDeletesObjectsAndKeepsTheClass() async throws {
        let store = try LocalStore.make()
        let id = try await store.create(["a": 1])
        try await store.create(["a": 2], of: "Birthday")
        let feed = try store.changes(since: nil, classes: nil, limit: 9).next
        try await store.dropObjects(of: "Holiday")
        #expect(try store.ids().isEmpty)
        #expect(try store.ids(of: "Birthday").count == 1)
        #expect(try store.schema(of: "Holiday")?["a"] != nil)
        let changes = try store.changes(since: feed, classes: nil, limit: 9).entries
        #expect(changes.map(\.objectId) == [id])
        #expect(changes.map(\.kind) == [.delete])
    }
}
