import ParseModel
import Testing

@Suite struct ClassSchemaTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let body: JSONObject
        let code: Int
        let message: String
        var testDescription: String { body.jsonText }

        init(_ fields: JSONObject, _ code: Int, _ message: String) {
            self.init(body: ["fields": .object(fields)], code, message)
        }

        init(body: JSONObject, _ code: Int, _ message: String) {
            self.body = body
            self.code = code
            self.message = message
        }

        var error: ParseError { ParseError(.init(rawValue: code), message) }
    }

    private static let invalidTarget =
        "Invalid classname: 1x, classnames can only have alphanumeric characters and _, "
        + "and must start with an alpha character "

    @Test(arguments: [
        Refusal(["1a": ["type": "String"]], 105, "invalid field name: 1a"),
        Refusal(["length": ["type": "String"]], 105, "invalid field name: length"),
        Refusal(["ACL": ["type": "ACL"]], 136, "field ACL cannot be added"),
        Refusal(["objectId": ["type": "String"]], 136, "field objectId cannot be added"),
        Refusal(["a": ["type": "Text"]], 111, "invalid field type: Text"),
        Refusal(["a": ["type": "ACL"]], 111, "invalid field type: ACL"),
        Refusal(["a": "String"], 107, "invalid JSON"), Refusal(["a": ["type": 1]], 107, "invalid JSON"),
        Refusal(["a": ["type": "Pointer"]], 135, "type Pointer needs a class name"),
        Refusal(["a": ["type": "Relation", "targetClass": 1]], 107, "invalid JSON"),
        Refusal(["a": ["type": "Pointer", "targetClass": "1x"]], 103, invalidTarget),
        Refusal(
            ["a": ["type": "Number", "defaultValue": "x"]], 111,
            "schema mismatch for Day.a default value; expected Number but got String"),
        Refusal(
            ["a": ["type": "Date", "defaultValue": ["__type": "Date"]]], 111, "This is not a valid Date"),
        Refusal(
            ["a": ["type": "Relation", "targetClass": "B", "required": true]], 111,
            "The 'required' option is not applicable for Relation<B>"),
        Refusal(
            ["a": ["type": "Relation", "targetClass": "B", "defaultValue": [:]]], 111,
            "The 'default value' option is not applicable for Relation<B>"),
        Refusal(
            ["a": ["type": "GeoPoint"], "b": ["type": "GeoPoint"]], 111,
            "currently, only one GeoPoint field may exist in an object. Adding b when a already exists."),
        Refusal(body: ["indexes": ["i": ["a": 1]]], 102, "Field a does not exist, cannot add index."),
        Refusal(body: ["fields": [["type": "String"]]], 105, "invalid field name: 0"),
        Refusal(body: ["fields": "ab"], 105, "invalid field name: 0"),
    ])
    func invalidClassSchemasAreRefused(_ refusal: Refusal) {
        #expect(throws: refusal.error) { try ClassSchema(making: "Day", refusal.body) }
    }

    @Test(arguments: [
        Refusal(body: ["do": ["*": true]], 107, "do is not a valid operation for class level permissions"),
        Refusal(
            body: ["find": ["*": false]], 107,
            "'false' is not a valid value for class level permissions find:*:false"),
        Refusal(
            body: ["find": true], 107,
            "'true' is not a valid value for class level permissions find - must be an object"),
        Refusal(
            body: ["find": ["not an id": true]], 107, "'not an id' is not a valid key for class level permissions"),
        Refusal(
            body: ["readUserFields": ["a"]], 107,
            "'a' is not a valid column for class level pointer permissions readUserFields"),
        Refusal(
            body: ["find": ["pointerFields": ["a"]]], 107,
            "'a' is not a valid column for class level pointer permissions [object Object]"),
        Refusal(
            body: ["find": ["pointerFields": "a"]], 107,
            "'a' is not a valid value for find[pointerFields] - expected an array."),
        Refusal(body: ["protectedFields": ["*": ["ACL"]]], 107, "Default field 'ACL' can not be protected"),
        Refusal(body: ["protectedFields": ["*": ["x"]]], 107, "Field 'x' in protectedFields:* does not exist"),
    ])
    func invalidClassPermissionsAreRefused(_ refusal: Refusal) {
        let body: JSONObject = [
            "fields": ["a": ["type": "String"]], "classLevelPermissions": .object(refusal.body),
        ]
        #expect(throws: refusal.error) { try ClassSchema(making: "Day", body) }
    }

    /// Parse Server iterates over the members of any permissions value. A number has no members, so it permits
    /// nothing.
    @Test(arguments: [1234, true, []] as [JSONValue]) func permissionsThatAreNoObjectDenyEverything(
        permissions: JSONValue
    ) throws {
        var made = try ClassSchema(making: "Day", ["classLevelPermissions": permissions])
        #expect(made.json["classLevelPermissions"]?.object?["find"] == [:])
        _ = try made.change(["classLevelPermissions": ["find": ["*": true]]])
        _ = try made.change(["classLevelPermissions": permissions])
        #expect(made.json["classLevelPermissions"]?.object?["find"] == [:])
    }

    @Test(arguments: [0, false, "", nil] as [JSONValue]) func falsyClassPermissionsAllowEverything(
        permissions: JSONValue
    ) throws {
        let made = try ClassSchema(making: "Day", ["classLevelPermissions": permissions])
        #expect(made.json["classLevelPermissions"]?.object?["find"] == ["*": true])
        let error = ParseError(.invalidJSON, "0 is not a valid operation for class level permissions")
        #expect(throws: error) { try ClassSchema(making: "Day", ["classLevelPermissions": "no"]) }
    }

    @Test(arguments: [[], [:], nil, 0, 5] as [JSONValue]) func emptyFieldsAndIndexesChangeNothing(
        nothing: JSONValue
    ) throws {
        var schema = try ClassSchema(making: "Day", ["fields": ["a": ["type": "String"]], "indexes": nothing])
        #expect(schema.indexes.isEmpty)
        let before = schema
        _ = try schema.change(["fields": nothing])
        #expect(schema == before)
        _ = try schema.change(["fields": nothing, "indexes": nothing])
        #expect(schema.added == before.added)
        #expect(schema.json["indexes"] == (nothing.isNull ? nil : ["_id_": ["_id": 1]]))
    }

    @Test func indexesAndPermissionsAreBounded() throws {
        let indexes = { (count: Int) in JSONValue.object(JSONObject((0..<count).map { ("i\($0)", ["a": 1]) })) }
        let make = { (body: JSONObject) in
            var body = body
            body["fields"] = ["a": ["type": "String"]]
            _ = try ClassSchema(making: "Day", body)
        }
        #expect(throws: Never.self) { try make(["indexes": indexes(63)]) }
        #expect(throws: ParseError(.invalidQuery, "A class has at most 64 indexes.")) {
            try make(["indexes": indexes(64)])
        }
        let find = { (count: Int) in JSONValue.object(JSONObject((0..<count).map { ("u\($0)", true) })) }
        #expect(throws: Never.self) { try make(["classLevelPermissions": ["find": find(9000)]]) }
        #expect(throws: ParseError.self) { try make(["classLevelPermissions": ["find": find(10_000)]]) }
    }

    /// Objects store the polygon as a closed ring. The schema returns the original default.
    @Test func theSchemaReturnsADefaultPolygonAsItWasGiven() throws {
        let given: JSONValue = ["__type": "Polygon", "coordinates": [[0, 0], [0, 1], [1, 0]]]
        let schema = try ClassSchema(making: "Day", ["fields": ["p": ["type": "Polygon", "defaultValue": given]]])
        #expect(schema.json["fields"]?.object?["p"]?.object?["defaultValue"] == given)
        let set = try schema.defaults(for: WriteBody([:], className: "Day", creates: true))
        #expect(set["p"] == ["__type": "Polygon", "coordinates": [[0, 0], [0, 1], [1, 0], [0, 0]]])
    }

    @Test func theSchemaReturnsPermissionsForEveryOperation() throws {
        var schema = try ClassSchema(
            making: "Day",
            [
                "fields": ["owner": ["type": "Pointer", "targetClass": "_User"], "a": ["type": "String"]],
                "classLevelPermissions": [
                    "find": ["*": true, "role:admin": true, "requiresAuthentication": true, "abc123": true],
                    "update": ["pointerFields": ["owner"]], "writeUserFields": ["owner"],
                    "protectedFields": ["*": ["a"], "userField:owner": []],
                ],
            ])
        let shown = schema.json["classLevelPermissions"]?.object
        #expect(shown?["update"] == ["pointerFields": ["owner"]])
        #expect(shown?["delete"] == [:])
        #expect(shown?["protectedFields"] == ["*": ["a"], "userField:owner": []])
        _ = try schema.change([:])
        #expect(schema.json["classLevelPermissions"]?.object == shown)
        _ = try schema.change(["classLevelPermissions": nil])
        #expect(schema.json["classLevelPermissions"]?.object?["delete"] == ["*": true])
    }

    @Test(arguments: [
        Refusal(["a": ["type": "Number"]], 255, "Field a exists, cannot update."),
        Refusal(["z": ["__op": "Delete"]], 255, "Field z does not exist, cannot delete."),
        Refusal(["objectId": ["__op": "Delete"]], 136, "field objectId cannot be changed"),
        Refusal(
            ["p": ["type": "Pointer", "targetClass": "Other"]], 111,
            "schema mismatch for Day.p; expected Pointer<Day> but got Pointer<Other>"),
        Refusal(body: ["indexes": ["i": ["a": 1]]], 102, "Index i exists, cannot update."),
        Refusal(body: ["indexes": ["j": ["__op": "Delete"]]], 102, "Index j does not exist, cannot delete."),
    ])
    func invalidSchemaChangesAreRefused(_ refusal: Refusal) throws {
        var schema = try ClassSchema(
            making: "Day",
            [
                "fields": ["a": ["type": "String"], "p": ["type": "Pointer", "targetClass": "Day"]],
                "indexes": ["i": ["a": 1]],
            ])
        #expect(throws: refusal.error) { try schema.change(refusal.body) }
    }

    @Test func optionsOfAFieldInTheSchemaCanChange() throws {
        var schema = try ClassSchema(making: "Day", ["fields": ["a": ["type": "String"], "b": ["type": "String"]]])
        let deleted = try schema.change([
            "fields": [
                "a": ["type": "String", "required": true], "b": ["__op": "Delete"], "ACL": ["type": "ACL"],
                "objectId": ["type": "String"],
            ], "indexes": ["byA": ["a": 1]],
        ])
        #expect(deleted == ["b"])
        #expect(schema.added == ["a": SchemaField(.string, isRequired: true)])
        #expect(schema.json["indexes"] == ["_id_": ["_id": 1], "byA": ["a": 1]])
        _ = try schema.change(["indexes": ["byA": ["__op": "Delete"]]])
        #expect(schema.json["indexes"] == ["_id_": ["_id": 1]])
    }

    @Test func builtInClassesHaveTheirOwnFields() throws {
        #expect(try ClassSchema(making: "_Installation", [:])["badge"]?.type == .number)
        #expect(throws: ParseError(.unchangeableField, "field badge cannot be added")) {
            try ClassSchema(making: "_Installation", ["fields": ["badge": ["type": "Number"]]])
        }
        #expect(throws: ParseError.invalidClassName("_Mine")) { try ClassSchema(making: "_Mine", [:]) }
    }

    @Test func schemaJSONReadsBackUnchanged() throws {
        let schema = try ClassSchema(
            making: "Day",
            [
                "fields": ["a": ["type": "Number", "required": true, "defaultValue": 2], "f": ["type": "File"]],
                "classLevelPermissions": ["find": [:]], "indexes": ["i": ["a": 1]],
            ])
        let read = try #require(ClassSchema(json: schema.json))
        #expect(read.json == schema.json)
        #expect(read.added == schema.added)
        #expect(ClassSchema(json: ["fields": [:], "className": 1]) == nil)
    }
}
