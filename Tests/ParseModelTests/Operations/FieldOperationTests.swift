import ParseModel
import Testing

private func notSupported(_ name: String) -> ParseError {
    ParseError(.commandUnavailable, "The \(name) operator is not supported yet.")
}

@Suite struct FieldOperationTests {
    @Test(
        arguments: [
            (1, .set(1)), ("x", .set("x")), (.null, .delete), (["a": 1], .set(["a": 1])), (["__op": "Delete"], .delete),
            (["__op": "Increment", "amount": 3], .increment(JSONNumber(3))),
            (["__op": "Increment", "amount": -1.5], .increment(JSONNumber(-1.5))),
            (["__op": "Add", "objects": [1]], .add([1])), (["__op": "AddUnique", "objects": []], .addUnique([])),
            (["__op": "Remove", "objects": ["a", nil]], .remove(["a", nil])),
        ] as [(JSONValue, FieldOperation)])
    func fieldOperationsAreReadFromJSON(json: JSONValue, operation: FieldOperation) throws {
        #expect(try FieldOperation(json: json, field: "n", className: "Holiday") == operation)
        if !json.isNull { #expect(operation.json == json) }
    }

    @Test(arguments: [
        (#"{"__op":"Increment"}"#, ParseError(.invalidJSON, "incrementing must provide a number")),
        (#"{"__op":"Increment","amount":"1"}"#, ParseError(.invalidJSON, "incrementing must provide a number")),
        (#"{"__op":"Add"}"#, ParseError(.invalidJSON, "objects to add must be an array")),
        (#"{"__op":"AddUnique","objects":{}}"#, ParseError(.invalidJSON, "objects to add must be an array")),
        (#"{"__op":"Remove","objects":"a"}"#, ParseError(.invalidJSON, "objects to remove must be an array")),
        (#"{"__op":"SetOnInsert","amount":1}"#, notSupported("SetOnInsert")),
        (#"{"__op":"Multiply","amount":2}"#, notSupported("Multiply")), (#"{"__op":1}"#, notSupported("1")),
        (#"{"__op":null}"#, notSupported("null")),
    ])
    func invalidOperationsAreRefused(json: String, error: ParseError) throws {
        let json = try JSONReader.read(json)
        #expect(throws: error) { try FieldOperation(json: json, field: "n", className: "Holiday") }
    }

    @Test(
        arguments: [
            (["__type": "Foo"], "Foo"), (["__type": "Object", "className": "Country", "objectId": "a"], "Object"),
            (["__type": "Relation"], "Relation"), (["__type": "Pointer", "className": "Country"], "Pointer"),
            (["__type": 7], "7"), (["__type": "GeoPoint", "latitude": 1], "GeoPoint"), (["__type": "File"], "File"),
        ] as [(JSONValue, String)])
    func valuesOfUnknownTypesAreRefused(json: JSONValue, name: String) {
        #expect(throws: ParseError(.incorrectType, "This is not a valid \(name)")) {
            try FieldOperation(json: json, field: "n", className: "Holiday")
        }
    }

    @Test(
        arguments: [["a": ["__type": "Foo"]], [["__type": "Object"]], ["__type": ""], ["__type": nil]] as [JSONValue])
    func unknownTypeNamesInsideNestedValuesAreAccepted(json: JSONValue) throws {
        #expect(try FieldOperation(json: json, field: "n", className: "Holiday") == .set(json))
    }

    @Test func arrayOperationElementsAreValidatedAndCanonical() throws {
        let json = try JSONReader.read(#"{"__op":"Add","objects":[1.0,{"__type":"Date","iso":"2012-12-25"}]}"#)
        let operation = try FieldOperation(json: json, field: "n", className: "Holiday")
        #expect(operation.json.jsonText.hasSuffix(#"[1,{"__type":"Date","iso":"2012-12-25T00:00:00.000Z"}]}"#))
        let bad = try JSONReader.read(#"{"__op":"Remove","objects":[{"$a":1}]}"#)
        #expect(try code { try FieldOperation(json: bad, field: "n", className: "Holiday") } == .invalidNestedKey)
        let huge = try JSONReader.read(#"{"__op":"Increment","amount":1e999}"#)
        #expect(try code { try FieldOperation(json: huge, field: "n", className: "Holiday") } == .invalidJSON)
    }

    private func code(_ body: () throws -> FieldOperation) throws -> ParseError.Code {
        try #require(throws: ParseError.self) { _ = try body() }.code
    }

    @Test(
        arguments: [
            (.set("x"), nil, "x"), (.set("x"), 1, "x"), (.delete, 1, nil), (.delete, nil, nil),
            (.increment(JSONNumber(3)), nil, 3), (.increment(JSONNumber(3)), 5, 8),
            (.increment(JSONNumber(3)), .null, 3),
            (.increment(JSONNumber(0.2)), 0.1, 0.30000000000000004), (.add([1, 1]), nil, [1, 1]),
            (.add([1]), [1, 2], [1, 2, 1]),
            (.addUnique([3, 1, 3, 4]), [1, 2, 2], [1, 2, 2, 3, 4]), (.addUnique([1, 1.0]), nil, [1]),
            (.addUnique([["a": [1]]]), [["a": [1]], "a"], [["a": [1]], "a"]),
            (.remove([2, "x"]), [2, 1, 2, "x"], [1]),
            (.remove([2]), nil, []), (.remove([["a": 1, "b": 2]]), [["b": 2, "a": 1], 3], [3]),
        ] as [(FieldOperation, JSONValue?, JSONValue?)])
    func eachOperationChangesItsFieldAsExpected(operation: FieldOperation, old: JSONValue?, result: JSONValue?) throws {
        #expect(try operation.apply(to: old, field: "n", className: "Holiday") == result)
    }

    @Test func pointersInArraysAreComparedByClassAndId() throws {
        let norway: JSONValue = ["__type": "Pointer", "className": "Country", "objectId": "norway0001"]
        let included: JSONValue = [
            "__type": "Object", "className": "Country", "objectId": "norway0001", "name": "Norway",
        ]
        let operation = FieldOperation.addUnique([norway])
        #expect(try operation.apply(to: [included], field: "n", className: "Holiday") == [included])
        #expect(try FieldOperation.remove([norway]).apply(to: [included, 1], field: "n", className: "Holiday") == [1])
    }

    @Test(
        arguments: [
            (.increment(JSONNumber(1)), "x", "String", "Number"), (.increment(JSONNumber(1)), [1], "Array", "Number"),
            (.add([1]), 1, "Number", "Array"), (.addUnique([1]), true, "Boolean", "Array"),
            (.remove([1]), [:], "Object", "Array"),
            (.increment(JSONNumber(1)), ["__type": "Date", "iso": "2012-12-25T00:00:00.000Z"], "Date", "Number"),
        ] as [(FieldOperation, JSONValue, String, String)])
    func typeMismatchesHaveParseServerMessages(
        operation: FieldOperation, old: JSONValue, expected: String, got: String
    ) {
        let message = "schema mismatch for Holiday.n; expected \(expected) but got \(got)"
        #expect(throws: ParseError(.incorrectType, message)) {
            try operation.apply(to: old, field: "n", className: "Holiday")
        }
    }

    @Test func incrementsBeyondTheRangeOfADoubleAreRefused() {
        #expect(throws: ParseError.self) {
            try FieldOperation.increment(JSONNumber(1.7e308)).apply(to: 1.7e308, field: "n", className: "Holiday")
        }
    }

    @Test func onlySetDeleteAndRelationsAreIdempotent() {
        let others: [FieldOperation] = [.increment(JSONNumber(1)), .add([1]), .addUnique([1]), .remove([1])]
        #expect(FieldOperation.set(1).isIdempotent && FieldOperation.delete.isIdempotent)
        #expect(others.allSatisfy { !$0.isIdempotent })
        #expect(others.map(\.type) == [.number, .array, .array, .array])
        #expect(FieldOperation.delete.type == nil)
        let relation = FieldOperation.relation(RelationChange(memberClass: "Country", added: ["a"]))
        #expect(relation.isIdempotent && relation.type == .relation("Country"))
    }
}
