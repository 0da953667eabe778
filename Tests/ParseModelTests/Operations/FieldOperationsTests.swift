import ParseModel
import Testing

@Suite struct FieldOperationsTests {
    @Test func membersOfABodyBecomeOperationsInOrder() throws {
        let operations = try read(
            """
            {"name":"Christmas","nothing":null,"n":{"__op":"Increment","amount":3.0},"x":1.50,
             "date":{"__type":"Date","iso":"2012-12-25"},"ACL":{"*":{"read":true},"role:my.team":{"write":true}}}
            """)
        #expect(operations.fields == ["name", "nothing", "n", "x", "date", "ACL"])
        #expect(
            operations.json.jsonText == """
                {"name":"Christmas","nothing":{"__op":"Delete"},"n":{"__op":"Increment","amount":3},"x":1.5,\
                "date":{"__type":"Date","iso":"2012-12-25T00:00:00.000Z"},\
                "ACL":{"*":{"read":true},"role:my.team":{"write":true}}}
                """)
        #expect(FieldOperations(stored: operations.json) == operations)
        #expect(FieldOperations(stored: operations.json).fields == operations.fields)
    }

    @Test func idsTimesAndRelationValuesInABodyAreIgnored() throws {
        let operations = try read(
            """
            {"objectId":"mine000001","createdAt":{"__type":"Date","iso":"2012-12-25"},"updatedAt":null,
             "countries":{"__type":"Relation","className":"Country"}}
            """)
        #expect(operations.isEmpty)
    }

    @Test(arguments: [
        (#"{"bad-name":1}"#, ParseError(.invalidFieldName, "Invalid field name: bad-name.")),
        (#"{"_a":1}"#, ParseError(.invalidFieldName, "Invalid field name: _a.")),
        (#"{"0":1}"#, ParseError(.invalidFieldName, "Invalid field name: 0.")),
        (#"{"":1}"#, ParseError(.invalidFieldName, "Invalid field name: .")),
        (#"{"a.b":1}"#, ParseError(.invalidFieldName, "Invalid field name: a.b.")),
        (#"{"é":1}"#, ParseError(.invalidFieldName, "Invalid field name: é.")),
        (#"{"length":1}"#, ParseError(.invalidFieldName, "Invalid field name: length.")),
        (#"{"bad-name":null}"#, ParseError(.invalidFieldName, "Invalid field name: bad-name.")),
        (#"{"createdAt":"2012-01-01T00:00:00.000Z"}"#, mismatch("createdAt", "Date", "String")),
        (#"{"updatedAt":5}"#, mismatch("updatedAt", "Date", "Number")),
        (#"{"updatedAt":{"__op":"Increment","amount":1}}"#, mismatch("updatedAt", "Date", "Number")),
        (#"{"createdAt":{"__type":"Date","iso":"x"}}"#, ParseError(.incorrectType, "This is not a valid Date")),
        (#"{"ACL":{"*unresolved":{"read":true}}}"#, ParseError(.invalidACL, "Invalid ACL.")),
        (#"{"ACL":{"__type":"Nothing"}}"#, ParseError(.incorrectType, "This is not a valid Nothing")),
        (#"{"ACL":{"__op":"Nothing"}}"#, ParseError(.commandUnavailable, "The Nothing operator is not supported yet.")),
        (
            #"{"ACL":{"a\u0000":{"read":true}}}"#,
            ParseError(.invalidJSON, "Text may not contain the character U+0000.")
        ),
        (
            #"{"obj":{"$a":1}}"#,
            ParseError(.invalidNestedKey, "Nested keys should not contain the '$' or '.' characters")
        ),
    ])
    func invalidWriteBodiesAreRefused(body: String, error: ParseError) {
        #expect(throws: error) { try read(body) }
    }

    private static func mismatch(_ field: String, _ expected: String, _ got: String) -> ParseError {
        ParseError(.incorrectType, "schema mismatch for Holiday.\(field); expected \(expected) but got \(got)")
    }

    @Test(arguments: ["null", "false", "0", #""""#]) func aFalsyACLInAWriteIsIgnored(acl: String) throws {
        #expect(try read(#"{"n":1,"ACL":\#(acl)}"#).fields == ["n"])
    }

    /// Parse Server turns these values into an ACL without entries, and then no client can access the object any more.
    @Test(arguments: [
        #"{"__op":"Delete"}"#, #"{"__op":"Increment","amount":1}"#, #"{"__op":"Add","objects":[]}"#,
        #"{"__op":"SetOnInsert","amount":{"*":{"read":true}}}"#, #"{"__type":"Bytes","base64":"aGk="}"#, #""public""#,
        "[]", #"[{"read":true}]"#, "5", "true", "{}", #"{"*":{"read":false}}"#,
    ])
    func anObjectWithAnEmptyACLIsAccessibleWithTheMasterKeyOnly(acl: String) throws {
        #expect(try read(#"{"ACL":\#(acl)}"#)["ACL"] == .set([:]))
        #expect(
            try WriteBody(["ACL": try JSONReader.read(acl)], className: "Holiday", creates: false)
                .operations["ACL"] == .set([:]))
    }

    @Test func onlyGrantedRightsOfAnACLAreStored() throws {
        let operations = try read(
            #"{"ACL":{"*":{"read":1,"write":0},"u":{"write":"x","read":true,"z":true},"v":true,"w":null,"x":{}}}"#)
        #expect(operations["ACL"] == .set(["*": ["read": true], "u": ["read": true, "write": true]]))
    }

    /// The outbox of an earlier version may contain the deletion of an ACL.
    @Test func aQueuedDeletionOfAnACLLocksTheObject() throws {
        let operations = FieldOperations(stored: ["ACL": ["__op": "Delete"]])
        #expect(try operations.apply(to: ["ACL": ["u": ["read": true]]], className: "Holiday") == ["ACL": [:]])
    }

    @Test func theFileOfAFieldIsReplacedAndFilesInListsAreNot() throws {
        let file: JSONValue = ["__type": "File", "name": "a.png", "url": "https://x.example/a", "more": 1]
        var operations = FieldOperations()
        operations["f"] = .set(file)
        operations["l"] = .set([file])
        let named = operations.replacingFieldFiles { FileReference(name: $0.name, url: nil) }
        #expect(named["f"] == .set(["__type": "File", "name": "a.png"]))
        #expect(named["l"] == .set([file]))
    }

    @Test(arguments: [
        ("https://x.example/a", true), ("HTTP://x.example/a", true), ("javascript:alert(1)", false), ("", false),
        ("data:text/html,x", false), (" https://x.example", false),
    ])
    func fileAddressesOfOtherSchemesAreLeftOut(url: String, isKept: Bool) {
        #expect(FileReference(name: "a", url: url).withoutForeignScheme.url == (isKept ? url : nil))
    }

    @Test func applyingOperationsChangesOnlyTheirFields() throws {
        let operations = try read(
            #"{"n":{"__op":"Increment","amount":1},"gone":null,"new":[1],"tags":{"__op":"Remove","objects":["a"]}}"#)
        let fields: JSONObject = ["name": "x", "n": 1, "gone": true, "tags": ["a", "b"]]
        let result = try operations.apply(to: fields, className: "Holiday")
        #expect(result.jsonText == #"{"name":"x","n":2,"tags":["b"],"new":[1]}"#)
        #expect(operations.echoed(from: result).jsonText == #"{"n":2,"tags":["b"]}"#)
    }

    @Test func oneTypeMismatchRefusesTheWholeWrite() throws {
        let operations = try read(#"{"a":1,"name":{"__op":"Increment","amount":1}}"#)
        #expect(throws: Self.mismatch("name", "String", "Number")) {
            try operations.apply(to: ["name": "x"], className: "Holiday")
        }
    }

    @Test func writesMergeIfTheOperationsOfEveryFieldMerge() throws {
        let first = try read(#"{"a":1,"n":{"__op":"Increment","amount":1}}"#)
        let second = try read(#"{"n":{"__op":"Increment","amount":2},"a":2,"b":3}"#)
        let merged = try #require(second.merged(after: first))
        #expect(merged.json.jsonText == #"{"a":2,"n":{"__op":"Increment","amount":3},"b":3}"#)
        #expect(try read(#"{"b":1,"n":{"__op":"Add","objects":[]}}"#).merged(after: first) == nil)
        #expect(FieldOperations().merged(after: first) == first)
        #expect(first.merged(after: FieldOperations()) == first)
    }

    @Test func aWriteIsIdempotentIfAllItsOperationsAre() throws {
        #expect(try read(#"{"a":1,"b":null}"#).isIdempotent)
        #expect(try !read(#"{"a":1,"b":{"__op":"AddUnique","objects":[1]}}"#).isIdempotent)
        #expect(FieldOperations().isIdempotent)
    }

    @Test func pointersInsideOperationsAreFoundAndReplaced() throws {
        let pointer = { (id: String) in Pointer(className: "Country", objectId: id) }
        var operations = FieldOperations()
        operations["a"] = .set(pointer("a").json)
        operations["b"] = .addUnique([["x": pointer("b").json], 1])
        operations["c"] = .remove([pointer("c").json])
        operations["d"] = .set("a")
        #expect(operations.pointers == [pointer("a"), pointer("b"), pointer("c")])
        let replaced = operations.replacingPointers { pointer($0.objectId + "2") }
        #expect(replaced.pointers == [pointer("a2"), pointer("b2"), pointer("c2")])
        #expect(replaced.fields == operations.fields)
        #expect(replaced["d"] == .set("a"))
    }

    @Test func operationsOfAFieldCanBeRemoved() {
        var operations = FieldOperations()
        operations["a"] = .set(1)
        operations["b"] = .delete
        operations["a"] = nil
        operations["c"] = nil
        #expect(operations.fields == ["b"])
        #expect(operations["a"] == nil)
    }

    private func read(_ body: String) throws -> FieldOperations {
        let body = try #require(try JSONReader.read(body).object)
        return try FieldOperations(body: body, className: "Holiday")
    }
}
