import ParseModel
import StoreService
import SyncModel
import Testing

@testable import GatewayAPI

/// Tests the options `table` and `fields` of `PUT /sync/classes/{className}`, which map a class to a remote table.
@Suite("Class options that map a class to a remote table")
struct MappingOptionsTests {
    private func options(_ json: JSONObject, after before: ClassOptions = ClassOptions()) throws -> ClassOptions {
        let change = try ClassOptionsChange(json, operators: nil, storesParseValues: false)
        var (options, pulls) = (before, [NamedPull]())
        change.apply(to: &options, &pulls)
        try ClassOptionsChange.check(options)
        return options
    }

    @Test(arguments: ["/tables/todo", "/api/todo", "/t", "/a/b/c.d~e%20f", "/tables/..x"])
    func classOptionTableSetsThePathOfTheRemoteTable(_ path: String) throws {
        #expect(try options(["table": .string(path)]).mapping.table == path)
    }

    @Test(arguments: [
        "", "tables/todo", "/", "/tables/", "/a//b", "//host/a", "/a/../b", "/..", "/./a", "/a/%2E%2e/b", "/a?b",
        "/a#b",
        "/a b", "/ä", "/a\\b", "/a\nb",
    ])
    func invalidTablePathsAreRefused(_ path: String) {
        #expect(code(["table": .string(path)]) == .invalidQuery)
    }

    @Test func tablePathLongerThan200CharactersIsRefused() throws {
        let path = "/" + String(repeating: "a", count: 199)
        #expect(try options(["table": .string(path)]).mapping.table == path)
        #expect(code(["table": .string(path + "a")]) == .invalidQuery)
        #expect(code(["table": 1]) == .invalidQuery)
    }

    @Test func fieldTypeIsDeclaredByNameOrObject() throws {
        let types: JSONObject = [
            "date": "Date", "country": ["type": "Pointer", "targetClass": "Country"], "photo": ["type": "File"],
            "data": "Bytes",
        ]
        #expect(
            try options(["fields": .object(types)]).mapping.fields
                == ["date": .date, "country": .pointer("Country"), "photo": .file, "data": .bytes])
    }

    @Test(
        arguments: [
            ["date": "String"], ["date": "Pointer"], ["date": ["type": "Pointer"]], ["date": 1], ["date": nil],
            ["date": ["type": "Pointer", "targetClass": "no name"]], ["date": "Array"], ["date": "date"],
            ["createdAt": "Date"], ["objectId": "Bytes"], ["ACL": "Bytes"], ["a.b": "Date"],
        ] as [JSONObject])
    func invalidDeclaredFieldTypesAreRefused(_ types: JSONObject) {
        #expect(code(["fields": .object(types)]) == .invalidQuery)
    }

    @Test func nullResetsAClassOptionAndOmittedOptionsStay() throws {
        let before = try options(["table": "/api/day", "fields": ["date": "Date"]])
        #expect(try options(["policy": "remote"], after: before).mapping == before.mapping)
        #expect(try options(["table": nil], after: before).mapping == ClassMapping(fields: ["date": .date]))
        #expect(try options(["fields": nil], after: before).mapping == ClassMapping(table: "/api/day"))
        #expect(try options(["fields": ["data": "Bytes"]], after: before).mapping.fields == ["data": .bytes])
    }

    @Test(arguments: ["opField", "deletedField"]) func fieldNamedByAnotherOptionCannotHaveADeclaredType(
        _ option: String
    ) {
        #expect(code([option: "date", "fields": ["date": "Date"]]) == .invalidQuery)
    }

    @Test(arguments: ["table", "fields"]) func tableMappingIsRefusedForAParseRemote(_ option: String) throws {
        let value: JSONValue = option == "table" ? "/tables/todo" : ["date": "Date"]
        let error = #expect(throws: ParseError.self) {
            try ClassOptionsChange([option: value], operators: nil, storesParseValues: true)
        }
        #expect(error?.code == .invalidQuery)
        #expect(error?.message == "\(option): the remote stores Parse values, so the class needs no mapping.")
        _ = try ClassOptionsChange([option: .null], operators: nil, storesParseValues: true)
    }

    private func code(_ json: JSONObject) -> ParseError.Code? {
        do {
            _ = try options(json)
            return nil
        } catch {
            return (error as? ParseError)?.code
        }
    }
}
