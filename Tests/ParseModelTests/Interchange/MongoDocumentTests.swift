import ParseModel
import Testing

/// The expected documents follow Parse Server's `MongoTransform` and `MongoSchemaCollection`.
@Suite struct MongoDocumentTests {
    private let schema = ClassSchema(
        "Task",
        added: [
            "team": SchemaField(.pointer("Team")), "fans": SchemaField(.relation("_User")),
            "size": SchemaField(.number, isRequired: true, defaultValue: 3), "area": SchemaField(.polygon),
            "data": SchemaField(.bytes), "place": SchemaField(.geoPoint),
        ], permissions: ["find": ["*": true]])

    private func document(_ object: JSONObject, of schema: ClassSchema? = nil) -> JSONObject {
        MongoDocument.document(object, of: schema ?? self.schema)
    }

    @Test(
        arguments: [
            ("text", "a$b", "text", "a$b"), ("flag", false, "flag", false), ("nothing", nil, "nothing", nil),
            ("due", ["__type": "Date", "iso": "1969-12-31T23:59:59.999Z"], "due", ["$date": ["$numberLong": "-1"]]),
            ("team", ["__type": "Pointer", "className": "Team", "objectId": "x"], "_p_team", "Team$x"),
            ("other", ["__type": "Pointer", "className": "Team", "objectId": "x"], "_p_other", "Team$x"),
            ("team", nil, "_p_team", nil),
            ("picture", ["__type": "File", "name": "a.png", "url": "http://h/a.png"], "picture", "a.png"),
            ("place", ["__type": "GeoPoint", "latitude": 60, "longitude": -8], "place", [-8, 60]),
            (
                "area", ["__type": "Polygon", "coordinates": [[1, 2], [3, 4], [5, 6], [1, 2]]], "area",
                ["type": "Polygon", "coordinates": [[[2, 1], [4, 3], [6, 5], [2, 1]]]]
            ),
            (
                "data", ["__type": "Bytes", "base64": "AAEC"], "data",
                ["$binary": ["base64": "AAEC", "subType": "00"]]
            ),
        ] as [(String, JSONValue, String, JSONValue)])
    func eachTypeHasTheFormOfParseServer(field: String, value: JSONValue, stored: String, form: JSONValue) {
        #expect(document([field: value]) == [stored: form])
    }

    @Test func numbersAreWholeNumbersOf32BitsOrDoubles() {
        for (number, form) in [
            (0, 0), (-2_147_483_648, -2_147_483_648), (2_147_483_648, ["$numberDouble": "2147483648"]),
            (1.5, ["$numberDouble": "1.5"]),
        ] as [(JSONValue, JSONValue)] {
            #expect(document(["n": number]) == ["n": form])
        }
    }

    @Test func valuesInsideOfFieldsKeepTheFormOfTheAPIButForDatesAndBytes() {
        let pointer: JSONValue = ["__type": "Pointer", "className": "Team", "objectId": "x"]
        let inner: JSONValue = ["__type": "GeoPoint", "latitude": 1, "longitude": 2]
        let object: JSONObject = [
            "list": [pointer, inner, ["at": ["__type": "Date", "iso": "1970-01-01T00:00:00.001Z"]], nil],
            "inner": ["data": ["__type": "Bytes", "base64": "AA=="]],
        ]
        #expect(
            document(object) == [
                "list": [pointer, inner, ["at": ["$date": ["$numberLong": "1"]]], nil],
                "inner": ["data": ["$binary": ["base64": "AA==", "subType": "00"]]],
            ])
    }

    @Test func idTimesAndRightsHaveTheirOwnFields() {
        let object: JSONObject = [
            "objectId": "abc", "createdAt": "1970-01-01T00:00:01.000Z", "updatedAt": "1970-01-01T00:00:02.000Z",
            "ACL": ["*": ["read": true], "u": ["read": true, "write": true], "role:a": ["write": true]],
            "fans": ["__type": "Relation", "className": "_User"],
        ]
        #expect(
            document(object) == [
                "_id": "abc", "_created_at": ["$date": ["$numberLong": "1000"]],
                "_updated_at": ["$date": ["$numberLong": "2000"]], "_rperm": ["*", "u"], "_wperm": ["role:a", "u"],
                "_acl": ["role:a": ["w": true], "u": ["w": true, "r": true], "*": ["r": true]],
            ])
        #expect(document(["ACL": [:]]) == ["_rperm": [], "_wperm": [], "_acl": [:]])
    }

    @Test func usersHaveAFieldForEachProviderAndTheirHash() {
        let user: JSONObject = [
            "username": "ada", "_hashed_password": "$2b$10$x", "authData": ["anonymous": ["id": "1"], "github": nil],
        ]
        #expect(
            document(user, of: ClassSchema("_User")) == [
                "username": "ada", "_hashed_password": "$2b$10$x", "_auth_data_anonymous": ["id": "1"],
                "_auth_data_github": nil,
            ])
    }

    @Test func schemasHaveTypesPermissionsAndOptions() {
        #expect(
            MongoDocument.document(schema) == [
                "_id": "Task", "objectId": "string", "createdAt": "date", "updatedAt": "date", "team": "*Team",
                "fans": "relation<_User>", "size": "number", "area": "polygon", "data": "bytes", "place": "geopoint",
                "_metadata": [
                    "class_permissions": ["find": ["*": true]],
                    "fields_options": ["size": ["required": true, "defaultValue": 3]],
                ],
            ])
        let users = MongoDocument.document(ClassSchema("_User"))
        #expect(users["password"] == nil && users["ACL"] == nil && users["_metadata"] == nil)
        #expect(users["authData"] == "object" && users["emailVerified"] == "boolean")
        #expect(!ClassSchema("_PushStatus").isStored && ClassSchema("_User").isStored)
    }
}
