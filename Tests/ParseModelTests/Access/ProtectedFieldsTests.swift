import ParseModel
import Testing

/// Tests which fields `protectedFields` hides from a caller.
@Suite struct ProtectedFieldsTests {
    private static let fields: JSONObject = [
        "protectedFields": [
            "*": ["a", "b", "c"], "authenticated": ["a", "b"], "role:Admin": ["a"], "u1": ["b"],
            "userField:owner": ["c", "a"], "userField:others": ["b"],
        ]
    ]

    private func hidden(
        from principal: Principal, _ object: JSONObject = [:], of className: String = "Note",
        _ permissions: JSONObject? = fields
    ) -> [String] {
        AccessRules(principal, ClassRights(className, permissions: permissions)).hiddenFields(in: "x") { object }
    }

    private static let mine: JSONValue = Pointer(className: "_User", objectId: "u2").json

    @Test(arguments: [
        (Principal.public, ["a", "b", "c"]), (.signedIn("u2"), ["a", "b"]), (.signedIn("u2", roles: ["Admin"]), ["a"]),
        (.signedIn("u1"), ["b"]), (.signedIn("u1", roles: ["Admin"]), []), (.signedIn("role:Admin"), ["a", "b"]),
        (.master, []), (.readOnlyMaster, []), (.maintenance, []),
    ])
    func onlyFieldsProtectedByAllApplicableEntriesAreHidden(principal: Principal, fields: [String]) {
        #expect(hidden(from: principal) == fields)
    }

    @Test func aUserFieldEntryShowsMoreFieldsToTheNamedUser() {
        #expect(hidden(from: .signedIn("u2"), ["owner": Self.mine]) == ["a"])
        #expect(hidden(from: .signedIn("u2"), ["others": [["x": 1], Self.mine]]) == ["b"])
        #expect(hidden(from: .signedIn("u2"), ["owner": Self.mine, "others": [Self.mine]]) == [])
        #expect(hidden(from: .signedIn("u3"), ["owner": Self.mine]) == ["a", "b"])
        #expect(hidden(from: .public, ["owner": Self.mine]) == ["a", "b", "c"])
    }

    @Test func aUserFieldEntryAloneHidesNoField() {
        let permissions: JSONObject = ["protectedFields": ["userField:owner": ["a"]]]
        #expect(hidden(from: .signedIn("u2"), ["owner": Self.mine], permissions) == [])
    }

    @Test func theEmailOfOtherUsersIsHidden() {
        let others = ["email", "authData"]
        #expect(hidden(from: .public, of: "_User", nil) == others)
        #expect(hidden(from: .signedIn("u1"), of: "_User", nil) == others)
        #expect(hidden(from: .signedIn("x"), of: "_User", nil) == [])
        #expect(hidden(from: .public, of: "Note", nil) == [])
        let permissions: JSONObject = ["protectedFields": ["*": ["phone"], "role:Admin": []]]
        #expect(hidden(from: .public, of: "_User", permissions) == ["phone"] + others)
        #expect(hidden(from: .signedIn("u1", roles: ["Admin"]), of: "_User", permissions) == ["authData"])
    }
}
