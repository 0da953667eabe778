import ParseModel
import Testing

@Suite struct AccessControlListTests {
    private static let acl: JSONValue = [
        "u1": ["read": true, "write": true], "role:Editors": ["write": true], "*": ["read": true],
        "u2": ["read": false],
    ]

    @Test(arguments: [JSONValue.null, false, 0, ""]) func aFalsyACLValueMeansNoACL(value: JSONValue) {
        #expect(AccessControlList(value) == nil)
    }

    @Test func anAbsentACLValueMeansNoACL() { #expect(AccessControlList(nil) == nil) }

    @Test(
        arguments: [
            (["*": ["read": true]], ["*": ["read": true]]), ([:], [:]), ("x", [:]), ([], [:]),
            (["*": ["read": 1]], ["*": ["read": true]]), (["u": ["read": [:]]], ["u": ["read": true]]),
            (["u": ["read": true, "write": false]], ["u": ["read": true]]),
            (["u": [:], "v": true, "w": .null], [:]), (["u": ["own": true]], [:]), (.null, nil), (0, nil),
        ] as [(JSONValue, JSONValue?)])
    func theCanonicalACLContainsOnlyGrantedRights(value: JSONValue, canonical: JSONValue?) {
        #expect(AccessControlList.canonical(value) == canonical)
        if let canonical { #expect(AccessControlList(canonical) == AccessControlList(value)) }
    }

    @Test(arguments: [[:], ["u1": ["read": false]], ["u1": "all"], [], "x"] as [JSONValue])
    func anACLWithoutEntriesAllowsNobody(value: JSONValue) throws {
        let acl = try #require(AccessControlList(value))
        for principal in [Principal.public, .signedIn("u1", roles: ["Editors"])] {
            #expect(!acl.allowsReading(by: principal))
            #expect(!acl.allowsWriting(by: principal))
        }
        #expect(acl.allowsReading(by: .master))
        #expect(acl.allowsWriting(by: .master))
    }

    @Test(arguments: [
        (Principal.public, true, false), (.signedIn("u1"), true, true), (.signedIn("u2"), true, false),
        (.signedIn("u3", roles: ["Editors"]), true, true), (.signedIn("u3", roles: ["editors"]), true, false),
        (.readOnlyMaster, true, false), (.maintenance, true, true),
    ])
    func anACLEntryAllowsItsEntity(principal: Principal, reads: Bool, writes: Bool) throws {
        let acl = try #require(AccessControlList(Self.acl))
        #expect(acl.allowsReading(by: principal) == reads)
        #expect(acl.allowsWriting(by: principal) == writes)
    }

    @Test(arguments: ["role:Editors", "*"]) func aUserIdInAnACLIsNeverARoleOrEverybody(id: String) throws {
        let acl = try #require(AccessControlList(["role:Editors": ["read": true, "write": true]]))
        let user = Principal.signedIn(id)
        #expect(!acl.allowsReading(by: user))
        #expect(!acl.allowsWriting(by: user))
        #expect(user.entities == ["*"])
        #expect(user.userPointer == nil)
    }

    @Test func aRoleInAnACLIsNeverAUser() throws {
        let acl = try #require(AccessControlList(["Editors": ["read": true]]))
        #expect(!acl.allowsReading(by: .signedIn("u1", roles: ["Editors"])))
    }

    /// Swift treats the two Unicode spellings of é as equal, SQLite does not.
    @Test func usersAndRolesInAnACLAreComparedByTheirBytes() throws {
        let acl = try #require(AccessControlList(["role:\u{E9}": ["read": true], "e\u{301}": ["read": true]]))
        #expect(acl.allowsReading(by: .signedIn("u", roles: ["\u{E9}"])))
        #expect(!acl.allowsReading(by: .signedIn("u", roles: ["e\u{301}"])))
        #expect(!acl.allowsReading(by: .signedIn("\u{E9}")))
        #expect(Principal.signedIn("role:\u{301}x").entities == ["*"])
    }

    @Test func theOrderOfACLEntriesDoesNotMatter() {
        let other: JSONValue = [
            "*": ["read": true], "role:Editors": ["write": true], "u1": ["write": true, "read": 1],
        ]
        #expect(AccessControlList(Self.acl) == AccessControlList(other))
        #expect(AccessControlList(Self.acl)?.isPublic == true)
    }
}
