import ParseModel
import Testing

@Suite struct ParseQueryTests {
    @Test func theDefaultQueryLimitIsOneHundred() throws {
        #expect(try ParseQuery(parameters: [:]) == ParseQuery())
        #expect(ParseQuery().limit == 100 && ParseQuery().skip == 0 && !ParseQuery().wantsCount)
        #expect(ParseQuery().keys == nil && ParseQuery().predicate == .and([]))
    }

    @Test(
        arguments: [
            [
                "where": #"{"n":1}"#, "order": "-date, name", "limit": "5", "skip": "10", "count": "1",
                "keys": "name,date.iso",
            ],
            [
                "where": ["n": 1], "order": " -date,name ", "limit": 5, "skip": 10, "count": true,
                "keys": "name, date.iso",
                "_ApplicationId": "app", "_method": "GET", "hint": "x", "comment": "x", "readPreference": "SECONDARY",
                "includeReadPreference": "x", "subqueryReadPreference": "x", "include": "", "explain": false,
            ],
            [
                "where": ["n": 1], "order": ["-date", "name"], "limit": 5.0, "skip": "10", "count": 1,
                "keys": ["name", "date.iso"],
            ],
        ] as [JSONObject])
    func queryParametersAreReadFromTextsAndJSONValues(parameters: JSONObject) throws {
        let expected = ParseQuery(
            predicate: .field(try FieldPath("n"), .equal(1)),
            order: [
                SortKey(path: try FieldPath("date"), descending: true), SortKey(path: try FieldPath("name")),
            ],
            limit: 5, skip: 10, wantsCount: true, keys: ["name", "date.iso"])
        #expect(try ParseQuery(parameters: parameters) == expected)
    }

    @Test(arguments: ["where", "order", "limit", "skip", "count", "keys", "include"])
    func aNullQueryParameterMeansTheDefault(name: String) throws {
        #expect(try ParseQuery(parameters: JSONObject(dictionaryLiteral: (name, nil))) == ParseQuery())
    }

    @Test func sortKeysAreBounded() throws {
        let order = { (count: Int) -> JSONValue in .string((0..<count).map { "f\($0)" }.joined(separator: ",")) }
        #expect(try ParseQuery(parameters: ["order": order(32)]).order.count == 32)
        #expect(throws: ParseError(.invalidQuery, "order has more than 32 keys")) {
            try ParseQuery(parameters: ["order": order(33)])
        }
    }

    @Test func orderAcceptsAlternativeTimestampNamesAndScores() throws {
        let order = { (text: JSONValue) in try ParseQuery(parameters: ["order": text]) }
        #expect(try order("_created_at,-_updated_at").order == order("createdAt,-updatedAt").order)
        #expect(try order("-$score,name").ordersByScore)
        #expect(try order("-$score,name").order == order("name").order)
        #expect(try order("name,day,-name").order == order("-name,day").order)
    }

    /// An empty `keys` selects only the default fields, not all fields.
    @Test(arguments: ["", ",", [], [""]] as [JSONValue]) func emptyKeysSelectOnlyDefaultFields(keys: JSONValue) throws {
        #expect(try ParseQuery(parameters: ["keys": keys]).keys == [])
        let shown = try ParseQuery(parameters: ["keys": keys]).selection.selected(
            from: ["objectId": "x", "name": "a", "createdAt": "t", "updatedAt": "t", "ACL": [:]])
        #expect(shown.keys == ["objectId", "createdAt", "updatedAt", "ACL"])
    }

    @Test(arguments: ["order", "limit", "skip", "count", "include", "excludeKeys"])
    func anEmptyQueryParameterMeansTheDefault(name: String) throws {
        #expect(try ParseQuery(parameters: JSONObject(dictionaryLiteral: (name, ""))) == ParseQuery())
    }

    @Test(
        arguments: [(0, false), ("0", false), (false, false), ("false", false), ("true", true)] as [(JSONValue, Bool)])
    func theQueryParameterCountIsAFlag(value: JSONValue, wantsCount: Bool) throws {
        #expect(try ParseQuery(parameters: ["count": value]).wantsCount == wantsCount)
    }

    @Test func includeAndExcludeKeysAreRead() throws {
        let query = try ParseQuery(
            parameters: ["include": "link, a.b,*", "excludeKeys": "x,link.y", "includeAll": false, "explain": "true"])
        #expect(query.include == ["link", "a.b"])
        #expect(query.includesAll && query.explains)
        #expect(query.excludedKeys == ["x", "link.y"])
        #expect(try ParseQuery(parameters: ["includeAll": "true"]).includesAll)
        #expect(try ParseQuery(parameters: ["order": "$score,name"]).ordersByScore)
        #expect(try ParseQuery(parameters: ["redirectClassNameForKey": "a"]).redirectingKey == "a")
        let scored = try ParseQuery(parameters: ["keys": "$score,name"])
        #expect(scored.showsScore && scored.keys == ["name"])
        #expect(throws: ParseError(.invalidFieldName, "Invalid key name: a-b")) {
            try ParseQuery(parameters: ["include": "a-b"])
        }
    }

    @Test func fieldNamesAreReadFromAnArray() throws {
        let query = try ParseQuery(
            parameters: [
                "order": ["-day", "name"], "include": ["country", "*"], "keys": ["name", "true"], "excludeKeys": [],
            ])
        #expect(try query.order == ParseQuery(parameters: ["order": "-day,name"]).order)
        #expect(query.include == ["country"])
        #expect(query.includesAll)
        #expect(query.keys == ["name", "true"])
        #expect(query.excludedKeys == [])
        #expect(try ParseQuery(parameters: ["keys": true]).keys == ["true"])
    }

    @Test func aQueryLimitOfZeroIsValid() throws {
        #expect(try ParseQuery(parameters: ["limit": "0"]).limit == 0)
    }

    @Test(
        arguments: [
            ("limit", "x"), ("limit", "-1"), ("limit", -1), ("limit", 1.5), ("limit", "1.5"), ("limit", true),
            ("limit", []),
            ("limit", "99999999999999999999"), ("limit", 1e30), ("skip", "x"), ("skip", -1), ("skip", ["a": 1]),
            ("count", "maybe"), ("count", 2), ("count", []), ("order", 1), ("order", ["a": 1]), ("order", [1]),
            ("keys", 1),
            ("keys", [nil]), ("where", 1), ("where", []), ("where", "[]"), ("where", "\"x\""), ("include", 1),
            ("includeAll", "maybe"), ("excludeKeys", 1), ("explain", "x"), ("aggregate", "x"),
            ("redirectClassNameForKey", 1),
            ("foo", 1), ("foo", nil), ("Where", "{}"),
        ] as [(String, JSONValue)])
    func invalidQueryParametersAreRefused(name: String, value: JSONValue) throws {
        let error = try #require(throws: ParseError.self) {
            try ParseQuery(parameters: JSONObject(dictionaryLiteral: (name, value)))
        }
        #expect(error.code == .invalidQuery)
        #expect(error.message.contains(name))
    }

    @Test(arguments: [
        ("distinct", "link", "distinct is not supported yet"), ("foo", "1", "Invalid parameter for query: foo"),
        ("limit", "x", "limit must be a whole number of at least 0"),
    ])
    func refusalsOfQueryParametersNameTheReason(name: String, value: String, message: String) {
        #expect(throws: ParseError(.invalidQuery, message)) {
            try ParseQuery(parameters: JSONObject(dictionaryLiteral: (name, .string(value))))
        }
    }

    @Test(arguments: ["{bad", "", "{", "{}x"]) func aWhereThatIsNotJSONIsRefused(text: String) throws {
        let error = try #require(throws: ParseError.self) { try ParseQuery(parameters: ["where": .string(text)]) }
        #expect(error.code == .invalidJSON)
        #expect(error.message.hasPrefix("where is not JSON: "))
    }

    @Test(arguments: [("a-b", "a-b"), ("-", ""), ("a,,b", ""), ("a,$b", "$b"), ("--a", "-a"), ("-_a", "_a")])
    func invalidSortFieldsAreRefused(order: String, name: String) {
        #expect(throws: ParseError(.invalidFieldName, "Invalid field name: \(name).")) {
            try ParseQuery(parameters: ["order": .string(order)])
        }
    }

    @Test func invalidFieldNamesAreRefused() {
        #expect(throws: ParseError(.invalidFieldName, "Invalid key name: a-b")) {
            try ParseQuery(parameters: ["keys": "name,a-b"])
        }
    }
}
