import ParseModel
import Testing

@Suite struct WriteBodyTests {
    struct Nested: Sendable, CustomTestStringConvertible {
        let body: JSONObject
        let before: JSONObject
        let after: JSONObject
        let echoed: JSONObject
        var testDescription: String { "\(body.jsonText) on \(before.jsonText)" }

        init(_ body: JSONObject, on before: JSONObject, _ after: JSONObject, echoed: JSONObject = [:]) {
            self.body = body
            self.before = before
            self.after = after
            self.echoed = echoed
        }
    }

    @Test(arguments: [
        Nested(["a.b": 1], on: ["a": ["b": 0, "c": 2]], ["a": ["b": 1, "c": 2]]),
        Nested(["a.b.c": "x"], on: [:], ["a": ["b": ["c": "x"]]]),
        Nested(["a.b": nil], on: ["a": ["b": 0, "c": 2]], ["a": ["c": 2]]),
        Nested(["a.b": ["__op": "Delete"]], on: [:], [:]),
        Nested(["a.x.y": ["__op": "Delete"]], on: ["a": ["b": 1]], ["a": ["b": 1]]),
        Nested(
            ["a.n": ["__op": "Increment", "amount": 2], "a.m": ["__op": "Increment", "amount": 1]],
            on: ["a": ["n": 1]], ["a": ["n": 3, "m": 1]], echoed: ["a": ["n": 3, "m": 1]]),
        Nested(
            ["a.l": ["__op": "AddUnique", "objects": ["x"]]], on: ["a": ["l": ["x"], "k": 1]],
            ["a": ["l": ["x"], "k": 1]], echoed: ["a": ["l": ["x"]]]),
        Nested(["l.1": "y"], on: ["l": ["x"]], ["l": ["x", "y"]]),
        Nested(["l.0.n": 2], on: ["l": [["n": 1]]], ["l": [["n": 2]]]),
        Nested(["a": ["b": 1], "a.c": 2], on: [:], ["a": ["b": 1, "c": 2]]),
    ])
    func dottedKeysSetNestedValues(_ nested: Nested) throws {
        let body = try WriteBody(nested.body, className: "Day", creates: false)
        let operations = try body.operations(on: nested.before, className: "Day")
        #expect(operations.fields.allSatisfy { !$0.contains(".") })
        let after = try operations.apply(to: nested.before, className: "Day")
        #expect(after == nested.after)
        #expect(body.echoed(from: after) == nested.echoed)
    }

    @Test(
        arguments: [
            (["a.b": 1], ["a": 5], 111), (["a.b": 1], ["a": "text"], 111),
            (["a.iso": "x"], ["a": ["__type": "Date", "iso": "2012-12-25T00:00:00.000Z"]], 111),
            (["a.2": 1], ["a": [0]], 111), (["a.-1": 1], ["a": [0]], 111),
            (["a.b": ["__op": "Increment", "amount": 1]], ["a": ["b": "x"]], 111),
            (["1a.b": 1], [:], 105), (["a..b": 1], [:], 121), (["a.$b": 1], [:], 121), (["a.": 1], [:], 121),
            (["createdAt.b": 1], [:], 111), (["ACL.b": 1], [:], 111),
            (["a.b": ["__type": "Relation", "className": "C"]], [:], 111),
            (["a.b": ["__op": "Nonsense"]], [:], 108),
        ] as [(JSONObject, JSONObject, Int)])
    func typeMismatchesAreRefused(_ body: JSONObject, _ before: JSONObject, _ code: Int) {
        let error = #expect(throws: ParseError.self) {
            try WriteBody(body, className: "Day", creates: false).operations(on: before, className: "Day")
        }
        #expect(error?.code.rawValue == code)
    }

    @Test func theDepthOfDottedKeysIsBounded() throws {
        let name = { (depth: Int) in (["a"] + Array(repeating: "b", count: depth - 1)).joined(separator: ".") }
        let deepest = try WriteBody([name(32): 1], className: "Day", creates: false)
        #expect(deepest.nested.first?.path.count == 31)
        #expect(throws: ParseError(.invalidFieldName, "Invalid field name: the path into a has too many levels.")) {
            try WriteBody([name(33): 1], className: "Day", creates: false)
        }
    }

    @Test func aClassHasAtMostOneGeoPointField() throws {
        let place = GeoPoint(latitude: 1, longitude: 2).json
        #expect(
            try WriteBody(["a": place, "b": ["c": place]], className: "Day", creates: true).operations.fields.count == 2
        )
        for creates in [true, false] {
            #expect(throws: ParseError(.incorrectType, "there can only be one geopoint field in a class")) {
                try WriteBody(["a": place, "b": place], className: "Day", creates: creates)
            }
        }
    }

    @Test func setOnInsertOperationAppliesToCreatesOnly() throws {
        let body: JSONObject = ["a": ["__op": "SetOnInsert", "amount": "x"], "b": 1]
        #expect(try WriteBody(body, className: "Day", creates: true).operations.json == ["a": "x", "b": 1])
        #expect(try WriteBody(body, className: "Day", creates: false).operations.json == ["b": 1])
    }

    @Test(
        arguments: [
            ["__proto__": ["a": 1]], ["constructor": 1], ["o": ["constructor": ["prototype": [:]]]],
            ["l": [1, ["a": [["__proto__": 1]]]]], ["o.__proto__.x": 1],
            ["l": ["__op": "Add", "objects": [["constructor": 1]]]],
        ] as [JSONObject])
    func aKeyThatCouldPolluteAJavaScriptPrototypeIsRefusedAtEachDepth(_ body: JSONObject) {
        for creates in [true, false] {
            let error = #expect(throws: ParseError.self) {
                try WriteBody(body, className: "Day", creates: creates)
            }
            #expect(error?.code == .invalidFieldName)
        }
    }

    @Test(arguments: ["_GlobalConfig", "_Hooks", "_Audience", "_Join:users:_Role"])
    func aRelationToAnInternalClassIsRefused(_ className: String) {
        let pointer = Pointer(className: className, objectId: "1").json
        let adding: JSONValue = ["__op": "AddRelation", "objects": [pointer]]
        for value in [
            ["__type": "Relation", "className": .string(className)], adding, ["__op": "Batch", "ops": [adding]],
            ["__op": "RemoveRelation", "objects": [pointer]],
        ] as [JSONValue] {
            let error = #expect(throws: ParseError.self) {
                try WriteBody(["r": value], className: "Day", creates: true)
            }
            #expect(error?.code == .operationForbidden)
        }
    }
}
