import ParseModel
import Testing

@Suite struct PredicateTests {
    @Test(
        arguments: [
            (#"1"#, .equal(1)), (#"null"#, .equal(.null)), (#"{"a":1}"#, .equal(["a": 1])), (#"{}"#, .equal([:])),
            (#"[1]"#, .equal([1])), (#"{"$eq":"x"}"#, .equal("x")), (#"{"$ne":null}"#, .notEqual(.null)),
            (#"{"$lt":1.0}"#, .less(1)), (#"{"$lte":"x"}"#, .lessOrEqual("x")), (#"{"$gt":-1}"#, .greater(-1)),
            (#"{"$gte":0}"#, .greaterOrEqual(0)), (#"{"$in":[]}"#, .in([])),
            (#"{"$in":[1,"x",null]}"#, .in([1, "x", nil])),
            (#"{"$nin":[true]}"#, .notIn([true])), (#"{"$exists":true}"#, .exists(true)),
            (#"{"$exists":false}"#, .exists(false)), (#"{"$exists":1}"#, .exists(true)),
            (#"{"$exists":0}"#, .exists(false)), (#"{"$exists":null}"#, .exists(false)),
            (#"{"$exists":""}"#, .exists(true)), (#"{"$exists":"false"}"#, .exists(true)),
            (#"{"$exists":{}}"#, .exists(true)),
            (#"{"$regex":"^a"}"#, .regex(pattern: "^a", options: "")),
            (#"{"$regex":"^a","$options":"imxs"}"#, .regex(pattern: "^a", options: "imxs")),
            (#"{"$options":"i","$regex":"^a"}"#, .regex(pattern: "^a", options: "i")),
        ] as [(String, Constraint)])
    func queryOperatorsAreRead(json: String, constraint: Constraint) throws {
        #expect(try read(#"{"n":\#(json)}"#) == .field(try FieldPath("n"), constraint))
    }

    @Test func datesInConditionsBecomeCanonical() throws {
        let date: JSONValue = ["__type": "Date", "iso": "2012-12-25T00:00:00.000Z"]
        let short = #"{"__type":"Date","iso":"2012-12-25"}"#
        let path = try FieldPath("date")
        #expect(try read(#"{"date":\#(short)}"#) == .field(path, .equal(date)))
        #expect(try read(#"{"date":{"$gte":\#(short)}}"#) == .field(path, .greaterOrEqual(date)))
        #expect(try read(#"{"date":{"$in":[\#(short)]}}"#) == .field(path, .in([date])))
    }

    @Test func relatedToIsReadAsOwnerAndField() throws {
        let owner = Pointer(className: "Holiday", objectId: "a")
        let text = #"{"object":\#(owner.json.jsonText),"key":"countries"}"#
        let related = Predicate.relatedTo(owner, field: "countries")
        #expect(try read(#"{"$relatedTo":\#(text)}"#) == related)
        let name = try FieldPath("name")
        #expect(
            try read(#"{"$or":[{"$relatedTo":\#(text)},{"name":"x"}]}"#)
                == .or([related, .field(name, .equal("x"))]))
        let renamed = related.replacingIds(of: "Country") {
            Pointer(className: $0.className, objectId: $0.objectId + "2")
        }
        #expect(renamed == .relatedTo(Pointer(className: "Holiday", objectId: "a2"), field: "countries"))
    }

    @Test(arguments: [
        "{}", "1", "null", "[]", #"{"object":"a","key":"k"}"#, #"{"key":"k"}"#,
        #"{"object":{"__type":"Pointer","className":"Holiday","objectId":"a"}}"#,
        #"{"object":{"__type":"Pointer","className":"Holiday","objectId":7},"key":"k"}"#,
        #"{"object":{"__type":"Pointer","className":""},"key":"k"}"#,
        #"{"object":{"__type":"Pointer","className":"Holiday","objectId":"\u0000"},"key":"k"}"#,
        #"{"object":{"__type":"Object","className":"Holiday","objectId":"a"},"key":"k"}"#,
        #"{"object":{"__type":"Pointer","className":"Holiday","objectId":"a"},"key":1}"#,
        #"{"object":{"__type":"Pointer","className":"Holiday","objectId":"a"},"key":"a.b"}"#,
        #"{"object":{"__type":"Pointer","className":"Holiday","objectId":"a"},"key":"k","limit":1}"#,
    ])
    func malformedRelatedToIsRefused(value: String) throws {
        let error = try #require(throws: ParseError.self) { try read(#"{"$relatedTo":\#(value)}"#) }
        #expect(error.code == .invalidQuery)
    }

    /// An unsaved object has no members.
    @Test(arguments: ["", #","objectId":"""#, #","objectId":null"#]) func aRelationOwnerWithoutAnIdHasNoMembers(
        id: String
    ) throws {
        let text = #"{"$relatedTo":{"object":{"__type":"Pointer","className":"Holiday"\#(id)},"key":"k"}}"#
        #expect(try read(text) == .or([]))
    }

    /// In a list of values, each object counts as a condition. Strings and numbers do not count.
    @Test(arguments: ["$all", "$in", "$nin", "$containedBy"]) func theNumberOfValuesInListsIsBounded(
        name: String
    ) throws {
        let list = { (element: String, count: Int) in
            #"{"n":{"\#(name)":["# + Array(repeating: element, count: count).joined(separator: ",") + "]}}"
        }
        for element in ["[]", "{}", "null", "true"] where name != "$in" && name != "$nin" || element != "[]" {
            #expect(throws: Never.self) { try read(list(element, Predicate.nodesMax - 1)) }
            #expect(
                try #require(throws: ParseError.self) { try read(list(element, Predicate.nodesMax)) }.code
                    == .invalidQuery)
        }
        let max = name == "$all" ? Predicate.nodesMax - 1 : Predicate.valuesMax
        for element in ["1", #""x""#] {
            #expect(throws: Never.self) { try read(list(element, max)) }
            #expect(
                try #require(throws: ParseError.self) { try read(list(element, max + 1)) }.code == .invalidQuery)
        }
    }

    /// Nested values of a comparison count too, because the query compares each examined object with all of them.
    @Test(arguments: [
        "V", #"{"$ne":V}"#, #"{"$eq":{"a":[V]}}"#, #"{"$in":[V]}"#, #"{"$containedBy":[V,V]}"#,
    ])
    func comparisonValuesAreBounded(_ condition: String) throws {
        let read = { (count: Int) in
            let value = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
            return try Predicate(json: JSONReader.read(#"{"n":\#(condition.replacing("V", with: value))}"#))
        }
        #expect(throws: Never.self) { try read(Predicate.valuesMax / 2 - 10) }
        #expect(try #require(throws: ParseError.self) { try read(Predicate.valuesMax + 1) }.code == .invalidQuery)
    }

    @Test func pointersToDifferentClassesCountSeparately() throws {
        let pointers = { (count: Int) -> Predicate in
            let list = (0..<count).map { Pointer(className: "C\($0)", objectId: "x").json }
            return try Predicate(json: ["n": ["$in": .array(list)]])
        }
        #expect(throws: Never.self) { try pointers(Predicate.nodesMax - 1) }
        #expect(try #require(throws: ParseError.self) { try pointers(Predicate.nodesMax) }.code == .invalidQuery)
    }

    /// A field value cannot have such a key, so no object matches.
    @Test func allOperatorWithADollarKeyMatchesNothing() throws {
        let n = try FieldPath("n")
        #expect(try read(#"{"n":{"$all":[{"$foo":1}]}}"#) == .field(n, .all([["$foo": 1]])))
        #expect(try read(#"{"n":{"$all":["a",{"b":{"$foo":1}}]}}"#) == .field(n, .all(["a", ["b": ["$foo": 1]]])))
    }

    @Test func anObjectMatchesIfAllTermsOfAPredicateHold() throws {
        let (a, b) = (try FieldPath("a"), try FieldPath("b.c"))
        #expect(try read("{}") == .and([]))
        #expect(
            try read(#"{"a":{"$gt":1,"$lt":5},"b.c":true}"#)
                == .and([.field(a, .greater(1)), .field(a, .less(5)), .field(b, .equal(true))]))
        #expect(
            try read(#"{"$or":[{"a":1},{"$and":[{"a":2},{}]}],"a":{"$ne":3}}"#)
                == .and([
                    .or([.field(a, .equal(1)), .and([.field(a, .equal(2)), .and([])])]), .field(a, .notEqual(3)),
                ]))
    }

    @Test(arguments: [
        (#"{"n":{"$foo":1}}"#, "bad constraint: $foo"),
        (
            #"{"n":{"$gt":null}}"#,
            "bad constraint: $gt needs a number, a string, a date, a boolean, a file or a pointer"
        ),
        (
            #"{"n":{"$lte":[1]}}"#,
            "bad constraint: $lte needs a number, a string, a date, a boolean, a file or a pointer"
        ),
        (
            #"{"n":{"$lt":{"a":1}}}"#,
            "bad constraint: $lt needs a number, a string, a date, a boolean, a file or a pointer"
        ),
        (#"{"n":{"$options":"i"}}"#, "bad constraint: $options needs a $regex in the same object"),
        (#"{"n":{"$regex":"a","$options":"g"}}"#, "Bad $options value for query: g"),
        (#"{"n":{"$regex":"a","$options":1}}"#, "Bad $options value for query: 1"),
        (#"{"$or":[]}"#, "Bad $or format - use an array of at least 1 value."),
        (#"{"$nor":[]}"#, "Bad $nor format - use an array of at least 1 value."),
        (#"{"$and":[]}"#, "Bad $and format - use an array of at least 1 value."),
        (#"{"$or":[1]}"#, "Bad $or format - each element must be an object."), (#"{"ACL":{}}"#, "Cannot query on ACL."),
        ("[]", "where must be a JSON object"), ("1", "where must be a JSON object"),
    ])
    func invalidQueriesAreRefused(json: String, message: String) {
        #expect(throws: ParseError(.invalidQuery, message)) { try read(json) }
    }

    /// Parse Server hides the text of this refusal.
    @Test(arguments: ["$or", "$and", "$nor"]) func aLogicalOperatorWithoutAnArrayIsDenied(key: String) {
        let denial = ParseError.denial(.invalidQuery, "Bad \(key) format - use an array value.")
        #expect(throws: denial) { try read(#"{"\#(key)":{"a":1}}"#) }
        #expect(throws: denial) { try read(#"{"\#(key)":1}"#) }
    }

    @Test(arguments: ["$foo", "a-b", "_rperm", "", "a..b", "$comment"]) func invalidFieldNamesAreRefused(key: String) {
        #expect(throws: ParseError(.invalidFieldName, "Invalid key name: \(key)")) { try read(#"{"\#(key)":1}"#) }
    }

    @Test(
        arguments: [
            (#"{"n":{"__type":"Date","iso":"x"}}"#, .incorrectType),
            (#"{"n":{"$ne":{"__type":"Pointer"}}}"#, .incorrectType),
            (#"{"n":"\u0000"}"#, .invalidJSON), (#"{"n":{"$regex":"\u0000"}}"#, .invalidJSON),
            (#"{"n":{"$lt":1e999}}"#, .invalidJSON),
            (#"{"n":{"$eq":{"$foo":1}}}"#, .invalidNestedKey),
        ] as [(String, ParseError.Code)])
    func malformedValuesInConditionsAreRefused(json: String, code: ParseError.Code) throws {
        #expect(try #require(throws: ParseError.self) { try read(json) }.code == code)
    }

    @Test func theLengthOfARegularExpressionIsBounded() throws {
        let pattern = { (count: Int) in #"{"n":{"$regex":"\#(String(repeating: "é", count: count))"}}"# }
        #expect(throws: Never.self) { try read(pattern(Constraint.patternMax)) }
        #expect(
            try #require(throws: ParseError.self) { try read(pattern(Constraint.patternMax + 1)) }.code == .invalidQuery
        )
    }

    @Test func theDepthOfAPredicateIsBounded() throws {
        let nested = { (depth: Int) in
            String(repeating: #"{"$or":["#, count: depth) + #"{"a":1}"# + String(repeating: "]}", count: depth)
        }
        #expect(throws: Never.self) { try read(nested(Predicate.depthMax)) }
        #expect(
            try #require(throws: ParseError.self) { try read(nested(Predicate.depthMax + 1)) }.code == .invalidQuery)
    }

    @Test(arguments: [#"{"a":1}"#, "{}"]) func theSizeOfAPredicateIsBounded(element: String) throws {
        let wide = { (count: Int) in
            #"{"$or":["# + Array(repeating: element, count: count).joined(separator: ",") + "]}"
        }
        #expect(throws: Never.self) { try read(wide(Predicate.nodesMax - 1)) }
        #expect(try #require(throws: ParseError.self) { try read(wide(Predicate.nodesMax)) }.code == .invalidQuery)
    }

    /// The lookup reads the fields of the class from the database, so it must not run for each value.
    @Test func fieldTypesAreLookedUpOncePerCondition() throws {
        let values = (0..<1000).map { JSONValue.string("id\($0)") }
        let predicate = Predicate.and([
            .field(try FieldPath("owner"), .in(values)), .field(try FieldPath("n"), .greater(1)),
        ])
        var asked = 0
        _ = predicate.replacingIds(
            of: "Holiday",
            idFields: { _ in
                asked += 1
                return IdFields()
            },
            { $0 })
        #expect(asked == 1)
    }

    @Test func idsAndPointersInAPredicateAreReplaced() throws {
        let pointer = { (id: String) in Pointer(className: "Country", objectId: id).json }
        let predicate = try read(
            """
            {"$or":[{"objectId":"a"},{"objectId":{"$in":["a","b"],"$gt":"a"}}],"name":"a","link":{"$ne":\(pointer("a").jsonText)},
             "tags":{"$nin":[\(pointer("a").jsonText),"a"]}}
            """)
        let renamed = predicate.replacingIds(of: "Holiday") {
            Pointer(className: $0.className, objectId: $0.objectId + ($0.className == "Holiday" ? "2" : "3"))
        }
        let (id, name, link, tags) = (
            try FieldPath("objectId"), try FieldPath("name"), try FieldPath("link"), try FieldPath("tags")
        )
        let expected = Predicate.and([
            .or([
                .field(id, .equal("a2")), .and([.field(id, .greater("a")), .field(id, .in(["a2", "b2"]))]),
            ]), .field(name, .equal("a")), .field(link, .notEqual(pointer("a3"))),
            .field(tags, .notIn([pointer("a3"), "a"])),
        ])
        #expect(renamed == expected)
    }

    private func read(_ json: String) throws -> Predicate { try Predicate(json: try JSONReader.read(json)) }
}
