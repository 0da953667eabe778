import ParseModel
import Testing

/// The expected tables and rows follow Parse Server's `PostgresStorageAdapter`. `Tests/transfer/run` loads them into PostgreSQL.
@Suite struct PostgresTableTests {
    private func table(_ fields: [String: FieldType] = [:], of className: String = "Task") -> PostgresTable {
        PostgresTable(ClassSchema(className, added: fields.mapValues { SchemaField($0) }))
    }

    /// The cell of a field in the row of an object with this field alone.
    private func cell(_ value: JSONValue, _ type: FieldType) throws -> String {
        let row = try table(["f": type]).row(["objectId": "x", "f": value])
        let cells = row.dropLast().split(separator: "\t", omittingEmptySubsequences: false)
        #expect(row.hasSuffix("\n") && cells.count == 6)
        return String(cells[3])
    }

    @Test(
        arguments: [
            ("a\\b\t\r\nü", .string, "a\\\\b\\t\\r\\nü"), ("", .string, ""), (nil, .string, "\\N"),
            (true, .boolean, "t"), (1.5, .number, "1.5"),
            (["__type": "Date", "iso": "2027-01-02T03:04:05.006Z"], .date, "2027-01-02T03:04:05.006Z"),
            (["__type": "Date", "iso": "0000-01-02T03:04:05.006Z"], .date, "0001-01-02T03:04:05.006Z BC"),
            (["__type": "File", "name": "a.png"], .file, "a.png"),
            (["__type": "Pointer", "className": "Team", "objectId": "x"], .pointer("Team"), "x"),
            (["__type": "GeoPoint", "latitude": 60, "longitude": -8], .geoPoint, "(-8,60)"),
            (
                ["__type": "Polygon", "coordinates": [[1, 2], [3, 4], [5, 6], [1, 2]]], .polygon,
                "((2,1),(4,3),(6,5),(2,1))"
            ),
            (["__type": "Bytes", "base64": "AA=="], .bytes, #"{"__type":"Bytes","base64":"AA=="}"#),
            (
                ["a\n", nil, ["__type": "Date", "iso": "2027-01-02T03:04:05.006Z"]], .array,
                #"["a\\n",null,{"__type":"Date","iso":"2027-01-02T03:04:05.006Z"}]"#
            ),
            (["inner": 1], .object, #"{"inner":1}"#),
        ] as [(JSONValue, FieldType, String)])
    func eachTypeHasTheFormOfParseServer(value: JSONValue, type: FieldType, text: String) throws {
        #expect(try cell(value, type) == text)
    }

    @Test func rightsAreArraysOfTexts() throws {
        let acl: JSONValue = ["role:\"a\\": ["write": true], "*": ["read": true]]
        #expect(try table().row(["objectId": "x", "ACL": acl]) == "x\t\\N\t\\N\t{\"*\"}\t{\"role:\\\\\"a\\\\\\\\\"}\n")
        #expect(try table().row(["objectId": "x", "ACL": [:]]).hasSuffix("\t{}\t{}\n"))
        #expect(try table().row(["objectId": "x"]).hasSuffix("\t\\N\t\\N\n"))
    }

    @Test(
        arguments: [
            (1, .string), ("a", .pointer("Team")),
            (["__type": "Pointer", "className": "Other", "objectId": "x"], .pointer("Team")),
            ([], .object), (["__type": "GeoPoint", "latitude": 1, "longitude": 1], .object),
        ] as [(JSONValue, FieldType)])
    func aValueOfAnotherTypeIsRefused(value: JSONValue, type: FieldType) {
        #expect(throws: ParseError.self) { try cell(value, type) }
    }

    @Test func aFieldWithoutASchemaIsRefused() {
        #expect(throws: ParseError.self) { try table().row(["objectId": "x", "new": 1]) }
        #expect(throws: Never.self) { try table().row(["objectId": "x", "new": nil]) }
    }

    @Test func theStatementsQuoteNamesAndTexts() {
        let table = table(["due": .date, "fans": .relation("_User")])
        #expect(
            table.creation == """
                CREATE TABLE "Task" (
                  "objectId" text,
                  "createdAt" timestamp with time zone,
                  "updatedAt" timestamp with time zone,
                  "due" timestamp with time zone,
                  "_rperm" text[],
                  "_wperm" text[],
                  PRIMARY KEY ("objectId")
                );
                CREATE TABLE "_Join:fans:Task" ("relatedId" varchar(120), "owningId" varchar(120), PRIMARY KEY ("relatedId", "owningId"));
                """)
        let options = SchemaField(.string, defaultValue: "it's")
        let registration = PostgresTable(ClassSchema("Task", added: ["note": options])).registration
        #expect(registration?.contains(#""note":{"type":"String","defaultValue":"it''s"}"#) == true)
        #expect(PostgresTable(ClassSchema("_PushStatus")).registration == nil)
        #expect(
            PostgresTable.load("_Join:a:B", file: "_Join:a:B.copy", columns: ["a\"b"])
                == #"\copy "_Join:a:B" ("a""b") from '_Join:a:B.copy'"#)
    }

    @Test func usersHaveTheColumnsOfAccounts() throws {
        let users = table(of: "_User")
        #expect(users.columnNames.contains("_hashed_password") && users.columnNames.contains("_password_history"))
        #expect(!users.columnNames.contains("password"))
        #expect(try users.row(["objectId": "x", "_hashed_password": "$2b$10$x"]).contains("\t$2b$10$x\t"))
    }
}
