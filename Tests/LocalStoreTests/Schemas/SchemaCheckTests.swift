import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@Suite("Schema checks of writes")
struct SchemaCheckTests {
    /// A store whose class `Day` has these fields.
    private func store(_ fields: JSONObject) async throws -> LocalStore {
        let store = try LocalStore.make()
        _ = try await store.changeSchema("Day") { _ in
            SchemaChange(try ClassSchema(making: "Day", ["fields": .object(fields)]))
        }
        return store
    }

    private static func mismatch(_ expected: String, _ got: String) -> ParseError {
        ParseError(.incorrectType, "schema mismatch for Day.a; expected \(expected) but got \(got)")
    }

    private static let required = ParseError(.validationFailed, "a is required")

    @Test(
        arguments: [
            [:], ["a": nil], ["a": ""], ["a": ["__op": "Delete"]], ["b": 1],
        ] as [JSONObject])
    func aCreateNeedsTheRequiredFields(_ body: JSONObject) async throws {
        let store = try await store(["a": ["type": "String", "required": true]])
        await #expect(throws: Self.required) { try await store.create(body, of: "Day") }
        #expect(try store.ids(of: "Day").isEmpty)
    }

    @Test func anUpdateMayOmitARequiredFieldAndNotRemoveIt() async throws {
        let store = try await store(["a": ["type": "String", "required": true]])
        let id = try await store.create(["a": "x"], of: "Day")
        try await store.update(id, ["b": 1], of: "Day")
        for body in [["a": nil], ["a": ""], ["a": ["__op": "Delete"]]] as [JSONObject] {
            await #expect(throws: Self.required) { try await store.update(id, body, of: "Day") }
        }
        #expect(try store.fields(id, of: "Day") == ["a": "x", "b": 1])
    }

    @Test func fieldTypesAreCheckedBeforeRequiredFields() async throws {
        let store = try await store(["a": ["type": "String"], "b": ["type": "String", "required": true]])
        await #expect(throws: Self.mismatch("String", "Number")) { try await store.create(["a": 1], of: "Day") }
    }

    @Test func aCreateSetsAndReturnsDefaultValues() async throws {
        let store = try await store([
            "a": ["type": "Number", "required": true, "defaultValue": 3],
            "b": ["type": "Array", "defaultValue": ["x"]],
        ])
        let receipt = try await store.write(.create(className: "Day", body: ["c": 1]))
        #expect(receipt.echoed == ["a": 3, "b": ["x"]])
        #expect(try store.fields(receipt.objectId, of: "Day") == ["c": 1, "a": 3, "b": ["x"]])
        let other = try await store.write(.create(className: "Day", body: ["a": 5, "b": nil]))
        #expect(other.echoed.isEmpty)
        #expect(try store.fields(other.objectId, of: "Day") == ["a": 5])
        // An update gets no default values.
        try await store.update(other.objectId, ["c": 2], of: "Day")
        #expect(try store.fields(other.objectId, of: "Day") == ["a": 5, "c": 2])
        await #expect(throws: Self.required) { try await store.create(["a": nil], of: "Day") }
    }

    @Test(
        arguments: [
            (
                ["type": "Pointer", "targetClass": "Country"], Pointer(className: "City", objectId: "x").json,
                "Pointer<Country>", "Pointer<City>"
            ),
            (["type": "Pointer", "targetClass": "Country"], "text", "Pointer<Country>", "String"),
            (
                ["type": "Relation", "targetClass": "Country"],
                .op("AddRelation", Pointer(className: "City", objectId: "x").json), "Relation<Country>",
                "Relation<City>"
            ),
            (["type": "Number"], .op("Add", 1), "Number", "Array"), (["type": "Boolean"], 1, "Boolean", "Number"),
            (["type": "Date"], "2012-12-25", "Date", "String"), (["type": "String"], ["b": 1], "String", "Object"),
            (["type": "Array"], .increment(1), "Array", "Number"),
        ] as [(JSONValue, JSONValue, String, String)])
    func writtenValuesMustFitTheirDeclaredTypes(
        _ field: JSONValue, _ value: JSONValue, _ expected: String, _ got: String
    ) async throws {
        let store = try await store(["a": field])
        await #expect(throws: Self.mismatch(expected, got)) { try await store.create(["a": value], of: "Day") }
        let id = try await store.create([:], of: "Day")
        await #expect(throws: Self.mismatch(expected, got)) { try await store.update(id, ["a": value], of: "Day") }
    }

    @Test func aPathIntoAFieldDeterminesTheTypeOfTheField() async throws {
        let store = try await store(["a": ["type": "String"]])
        let id = try await store.create([:], of: "Day")
        await #expect(throws: Self.mismatch("String", "Object")) {
            try await store.update(id, ["a.b": 1], of: "Day")
        }
        let receipt = try await store.update(id, ["o.n": .increment(2)], of: "Day")
        #expect(receipt.echoed == ["o": ["n": 2]])
        #expect(try store.schema(of: "Day")?["o"]?.type == .object)
    }

    @Test func aWriteRefusedByTheSchemaAddsNoField() async throws {
        let store = try await store(["a": ["type": "String", "required": true]])
        await #expect(throws: Self.required) { try await store.create(["b": 1], of: "Day") }
        #expect(try store.schema(of: "Day")?["b"] == nil)
    }

    @Test func aTransactionWithAWriteThatTheSchemaForbidsIsRefusedWhole() async throws {
        let store = try await store(["a": ["type": "Number"]])
        let results = await store.perform(
            [.create(className: "Day", body: ["a": 1]), .create(className: "Day", body: ["a": "x"])], atomically: true)
        for result in results { #expect(throws: Self.mismatch("Number", "String")) { try result.get() } }
        #expect(try store.ids(of: "Day").isEmpty)
    }

    @Test func aReplicaSendsAWriteToAPathAsTheWholeField() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([.make("far0000001", ["address": ["city": "Oslo", "zip": 1]])])
        try await store.update("far0000001", ["address.city": "Bergen"])
        #expect(try store.steps(of: "far0000001") == [#"update {"address":{"city":"Bergen","zip":1}}"#])
    }

    @Test func aClassHasAtMostOneGeoPointField() async throws {
        let store = try LocalStore.make()
        let place = GeoPoint(latitude: 1, longitude: 2).json
        let id = try await store.create(["a": place])
        try await store.update(id, ["a": place])
        try await store.create(["b": ["in": place]])
        let refusal = ParseError(.incorrectType, "MongoDB only supports one GeoPoint field in a class.")
        await #expect(throws: refusal) { try await store.create(["c": place]) }
        await #expect(throws: refusal) { try await store.update(id, ["c": place]) }
        #expect(try store.schema(of: "Holiday")?["c"] == nil)
    }

    // MARK: How many fields a class may have

    private static func fields(_ range: Range<Int>, _ value: JSONValue = 1) -> JSONObject {
        JSONObject(range.map { ("f\($0)", value) })
    }

    private static let tooMany = ParseError(.incorrectType, "Holiday would have more than 10 fields.")

    @Test(arguments: [StoreIdentity.standalone, .replica]) func theNumberOfFieldsOfAClassIsBounded(
        identity: StoreIdentity
    ) async throws {
        let store = try LocalStore.make(identity) { $0.classFieldsMax = 10 }
        await #expect(throws: Self.tooMany) { try await store.create(Self.fields(0..<11)) }
        #expect(try store.ids().isEmpty && store.schema(of: "Holiday") == nil)
        var body = Self.fields(0..<10)
        body["ACL"] = ["*": ["read": true]]
        let id = try await store.create(body)
        await #expect(throws: Self.tooMany) { try await store.update(id, ["more": 1]) }
        await #expect(throws: Self.tooMany) { try await store.update(id, ["more.inside": 1]) }
        try await store.update(id, Self.fields(0..<10, 2))
        #expect(try store.fields(id)?["f9"] == 2)
    }

    @Test func theBoundOnFieldsCountsTheFieldsOfAllObjectsOfAClass() async throws {
        let store = try LocalStore.make { $0.classFieldsMax = 10 }
        try await store.create(Self.fields(0..<6))
        await #expect(throws: Self.tooMany) { try await store.create(Self.fields(4..<11)) }
        try await store.create(Self.fields(4..<10))
        await #expect(throws: Self.tooMany) {
            _ = try await store.changeSchema("Holiday") { before in
                var schema = try #require(before)
                let deleted = try schema.change(["fields": ["g": ["type": "String"]]])
                return SchemaChange(schema, deleted: deleted)
            }
        }
        // Removed fields make room for new fields.
        _ = try await store.changeSchema("Holiday") { before in
            var schema = try #require(before)
            let deleted = try schema.change(["fields": ["f0": ["__op": "Delete"]]])
            return SchemaChange(schema, deleted: deleted)
        }
        try await store.create(["g": 1])
    }

    /// A replica accepts the remote's rows with any number of fields, and clients may edit them.
    @Test func pulledRowsMayExceedTheBoundOnFields() async throws {
        let store = try LocalStore.make(.replica) { $0.classFieldsMax = 10 }
        try await store.pull([.make("a", Self.fields(0..<40))])
        #expect(try store.fields("a")?.count == 40)
        try await store.update("a", Self.fields(0..<40, 2))
        await #expect(throws: Self.tooMany) { try await store.update("a", ["more": 1]) }
        #expect(try store.fields("a") == Self.fields(0..<40, 2))
    }

    @Test func theNumberOfPathsInAWriteIsBounded() async throws {
        let store = try LocalStore.make()
        let inside = { (count: Int) in JSONObject((0..<count).map { ("o.k\($0)", JSONValue.int($0)) }) }
        #expect(try await store.create(inside(1000)).isEmpty == false)
        let error = await #expect(throws: ParseError.self) { try await store.create(inside(1001)) }
        #expect(error?.code == .objectTooLarge)
    }
}
