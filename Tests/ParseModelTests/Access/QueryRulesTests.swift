import ParseModel
import Testing

/// The rules for the fields and classes that a query may name.
@Suite struct QueryRulesTests {
    private static let permissions: [String: JSONObject] = [
        "Note": [
            "find": ["*": true], "count": ["role:Admin": true], "get": ["*": true],
            "protectedFields": ["*": ["secret", "members"]],
        ],
        "Closed": [:], "Counted": ["count": ["*": true]], "ById": ["get": ["*": true]],
    ]

    private func check(
        _ conditions: String = "{}", _ parameters: JSONObject = [:], of className: String = "Note",
        as principal: Principal = .signedIn("u1")
    ) throws {
        var parameters = parameters
        parameters["where"] = .string(conditions)
        try QueryRules { AccessRules(principal, ClassRights($0, permissions: Self.permissions[$0])) }
            .check(ParseQuery(parameters: parameters), of: className)
    }

    private static func forbidden(_ field: String, _ className: String = "Note") -> ParseError {
        ParseError.denial(.operationForbidden, "This user is not allowed to query \(field) on class \(className)")
    }

    private static func denied(_ action: String, _ className: String) -> ParseError {
        ParseError.denial(.operationForbidden, "Permission denied for action \(action) on class \(className).")
    }

    @Test(arguments: [
        #"{"secret":1}"#, #"{"secret.deep.down":{"$exists":true}}"#, #"{"$or":[{"n":1},{"secret":1}]}"#,
        #"{"$and":[{"$nor":[{"secret":{"$gt":1}}]}]}"#, #"{"secret":{"$regex":"^a"}}"#,
        #"{"p":{"$inQuery":{"className":"Note","where":{"secret":1}}}}"#,
        #"{"p":{"$notInQuery":{"className":"Note","where":{"$or":[{"secret":1}]}}}}"#,
        #"{"p":{"$select":{"key":"secret","query":{"className":"Note","where":{}}}}}"#,
        #"{"p":{"$dontSelect":{"key":"secret.x","query":{"className":"Note","where":{}}}}}"#,
    ])
    func aConditionOnAHiddenFieldIsRefused(conditions: String) throws {
        #expect(throws: Self.forbidden("secret")) { try check(conditions) }
        try check(conditions, as: .master)
    }

    @Test(arguments: ["secret", "-secret", "n,secret.deep"]) func anOrderByAHiddenFieldIsRefused(order: String) throws {
        #expect(throws: Self.forbidden("secret")) { try check("{}", ["order": .string(order)]) }
    }

    private static func members(of owner: Pointer, _ field: String) -> String {
        JSONValue.object(["$relatedTo": ["object": owner.json, "key": .string(field)]]).jsonText
    }

    /// A caller who may not read a relation finds no members of it, so the query needs no refusal.
    @Test func aQueryForMembersOfAnUnreadableRelationIsAllowed() throws {
        try check(Self.members(of: Pointer(className: "Note", objectId: "n"), "members"), of: "_User")
        try check(Self.members(of: Pointer(className: "Closed", objectId: "c"), "readers"), of: "_User")
    }

    @Test func aQueryWithLimitZeroNeedsNoPermissionOfTheClass() throws {
        try check("{}", ["limit": 0], of: "Closed")
        #expect(throws: Self.forbidden("secret")) { try check(#"{"secret":1}"#, ["limit": 0]) }
        #expect(throws: ParseError.noSession) { try check("{}", ["limit": 0], of: "_Session", as: .public) }
    }

    @Test func aUserMayQueryTheOwnObjectByAllFields() throws {
        try check(#"{"objectId":"u1","email":"a@b.c"}"#, ["order": "email"], of: "_User")
        for conditions in [#"{"objectId":"u2","email":"a"}"#, #"{"$or":[{"objectId":"u1"},{"email":"a"}]}"#] {
            #expect(throws: Self.forbidden("email", "_User")) { try check(conditions, of: "_User") }
        }
    }

    @Test func eachKindOfQueryNeedsItsPermission() throws {
        #expect(throws: Self.denied("find", "Closed")) { try check(of: "Closed") }
        #expect(throws: Self.denied("count", "Note")) { try check("{}", ["count": 1]) }
        try check("{}", ["count": 1], as: .signedIn("u1", roles: ["Admin"]))
        try check("{}", ["count": 1, "limit": 0], of: "Counted")
        #expect(throws: Self.denied("find", "Counted")) { try check("{}", ["count": 1], of: "Counted") }
        try check(#"{"objectId":"x"}"#, of: "ById")
        #expect(throws: Self.denied("find", "ById")) { try check(#"{"objectId":{"$in":["x"]}}"#, of: "ById") }
    }

    @Test(arguments: ["$inQuery", "$notInQuery"]) func subqueriesNeedThePermissionOfTheirClass(name: String) throws {
        let conditions = #"{"p":{"\#(name)":{"className":"Closed","where":{}}}}"#
        #expect(throws: Self.denied("find", "Closed")) { try check(conditions) }
        #expect(throws: Self.denied("find", "Closed")) {
            try check(#"{"$or":[{"n":1},{"p":{"$inQuery":{"className":"Note","where":\#(conditions)}}}]}"#)
        }
    }
}
