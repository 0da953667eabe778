import LocalStore
import ParseModel
import StoreService
import Testing

/// Every object of a class shows the relation fields of the class, even without members.
@Suite struct ShownRelationTests {
    private static let cities: JSONValue = ["__type": "Relation", "className": "City"]

    private let store: LocalStore

    init() throws { store = try LocalStore.make() }

    @Test func everyObjectOfAClassShowsItsRelationFields() async throws {
        let (one, two) = (try await store.create(["n": 1.5]), try await store.create(["a": "ü\"\\/"]))
        let before = try #require(try store.json(two))
        try await store.update(one, ["cities": .op("AddRelation", Pointer(className: "City", objectId: "oslo").json)])
        let three = try await store.create(["n": 3])
        #expect(try store.fields(one) == ["n": 1.5, "cities": Self.cities])
        #expect(try store.fields(two) == ["a": "ü\"\\/", "cities": Self.cities])
        #expect(try store.fields(three) == ["n": 3, "cities": Self.cities])
        // The new relation field does not change the `updatedAt` of the other objects.
        #expect(try store.json(two)?["updatedAt"] == before["updatedAt"])
        #expect(try store.ids(["where": ["cities": Pointer(className: "City", objectId: "oslo").json]]) == [one])
        try await store.update(two, ["n": 2])
        #expect(try store.fields(two)?["cities"] == Self.cities)
    }

    @Test func aRelationValueAddsTheFieldToTheSchema() async throws {
        let one = try await store.create([:])
        let two = try await store.create(["cities": Self.cities])
        for id in [one, two] { #expect(try store.fields(id) == ["cities": Self.cities]) }
        #expect(try store.schema(of: "Holiday")?["cities"]?.type == .relation("City"))
        let mismatch = ParseError(
            .incorrectType, "schema mismatch for Holiday.cities; expected Relation<City> but got Relation<Town>")
        await #expect(throws: mismatch) {
            try await store.update(one, ["cities": ["__type": "Relation", "className": "Town"]])
        }
    }

    @Test func aSchemaChangeAddsAndRemovesARelationField() async throws {
        let id = try await store.create([:])
        let made = try await store.changeSchema("Holiday") { schema in
            var schema = schema ?? ClassSchema("Holiday")
            schema.added["cities"] = SchemaField(.relation("City"))
            return SchemaChange(schema)
        }
        #expect(try store.fields(id) == ["cities": Self.cities])
        _ = try await store.changeSchema("Holiday") { _ in
            var schema = made
            schema.added["cities"] = nil
            return SchemaChange(schema, deleted: ["cities"])
        }
        #expect(try store.fields(id) == [:])
    }

    @Test func everyRoleShowsItsRelationFieldsUsersAndRoles() async throws {
        let id = try await store.create(["name": "admin", "ACL": [:]], of: "_Role")
        let fields = try store.fields(id, of: "_Role")
        #expect(fields?["users"] == ["__type": "Relation", "className": "_User"])
        #expect(fields?["roles"] == ["__type": "Relation", "className": "_Role"])
    }

    @Test func aReplicaShowsOnlyTheRelationFieldsInTheRemotesRows() async throws {
        let replica = try LocalStore.make(.replica)
        try await replica.takeRemoteSchemas([ClassSchema("Holiday", added: ["cities": SchemaField(.relation("City"))])])
        let id = try await replica.create(["n": 1, "cities": Self.cities])
        #expect(try replica.fields(id) == ["n": 1])
    }
}
