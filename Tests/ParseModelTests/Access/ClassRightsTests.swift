import ParseModel
import Testing

@Suite struct ClassRightsTests {
    private static func refusal(_ action: String) -> ClassRights.Verdict {
        .refused(.denial(.operationForbidden, "Permission denied for action \(action) on class Note."))
    }
    private static let unauthenticated = ClassRights.Verdict.refused(
        ParseError.denial(.objectNotFound, "Permission denied, user needs to be authenticated."))

    private func verdict(
        _ permissions: JSONObject?, _ operation: ClassRights.Operation, _ principal: Principal, creates: Bool = false
    ) -> ClassRights.Verdict {
        ClassRights("Note", permissions: permissions).verdict(on: operation, as: principal, creates: creates)
    }

    private static func owns(_ fields: String..., by id: String = "u1") throws -> ClassRights.Verdict {
        let user = Pointer(className: "_User", objectId: id).json
        let terms = try fields.map { Predicate.field(try FieldPath($0), .equal(user)) }
        return .limited(terms.count == 1 ? terms[0] : .or(terms))
    }

    @Test(arguments: ["find", "get", "count", "create", "update", "delete", "addField"])
    func anOperationWithoutPermissionEntriesNeedsTheMasterKey(name: String) throws {
        let operation = try #require(ClassRights.Operation(rawValue: name))
        for permissions in [[:], [name: [:]]] as [JSONObject] {
            #expect(verdict(permissions, operation, .public) == Self.refusal(name))
            #expect(verdict(permissions, operation, .signedIn("u1", roles: ["Admin"])) == Self.refusal(name))
            #expect(verdict(permissions, operation, .master) == .allowed)
            #expect(verdict(permissions, operation, .maintenance) == .allowed)
            let reads = ["find", "get", "count"].contains(name)
            #expect((verdict(permissions, operation, .readOnlyMaster) == .allowed) == reads)
        }
        #expect(verdict(nil, operation, .public) == .allowed)
        #expect(verdict([name: ["*": true]], operation, .public) == .allowed)
    }

    @Test func permissionEntriesAllowUsersAndRoles() {
        let permissions: JSONObject = ["find": ["u1": true, "role:Admin": true]]
        #expect(verdict(permissions, .find, .signedIn("u1")) == .allowed)
        #expect(verdict(permissions, .find, .signedIn("u2", roles: ["Admin"])) == .allowed)
        #expect(verdict(permissions, .find, .signedIn("u2", roles: ["admin"])) == Self.refusal("find"))
        #expect(verdict(permissions, .find, .signedIn("role:Admin")) == Self.refusal("find"))
        #expect(verdict(permissions, .find, .public) == Self.refusal("find"))
    }

    @Test func requiresAuthenticationNeedsASignedInUser() {
        let permissions: JSONObject = [
            "get": ["requiresAuthentication": true], "create": ["requiresAuthentication": true],
        ]
        for operation in [ClassRights.Operation.get, .create] {
            #expect(verdict(permissions, operation, .public) == Self.unauthenticated)
            #expect(verdict(permissions, operation, .signedIn("u1")) == .allowed)
        }
    }

    /// A client can choose the id of a user, which can then equal one of the other keys of the permissions.
    @Test(arguments: ["requiresAuthentication", "pointerFields"]) func aUserWhoseIdEqualsAPermissionKeyGetsNoRight(
        id: String
    ) {
        let permissions: JSONObject = ["find": ["requiresAuthentication": true, "pointerFields": ["owner"]]]
        #expect(verdict(permissions, .find, .signedIn(id)) == .limited(.or([])))
    }

    @Test func pointerPermissionsRestrictTheObjects() throws {
        let permissions: JSONObject = [
            "find": ["pointerFields": ["owner", "editors"]], "get": [:], "update": ["pointerFields": ["owner"]],
            "delete": ["role:Admin": true], "readUserFields": ["owner", "readers"], "writeUserFields": ["editors"],
        ]
        let user = Principal.signedIn("u1")
        #expect(try verdict(permissions, .find, user) == Self.owns("owner", "editors", "readers"))
        #expect(try verdict(permissions, .get, user) == Self.owns("owner", "readers"))
        #expect(try verdict(permissions, .count, user) == Self.owns("owner", "readers"))
        #expect(try verdict(permissions, .update, user) == Self.owns("owner", "editors"))
        #expect(try verdict(permissions, .delete, user) == Self.owns("editors"))
        #expect(verdict(permissions, .delete, .signedIn("u2", roles: ["Admin"])) == .allowed)
        for principal in [Principal.public, .signedIn("role:Admin")] {
            #expect(verdict(permissions, .find, principal) == .limited(.or([])))
        }
    }

    @Test func pointerPermissionsNeverAllowACreate() throws {
        let permissions: JSONObject = [
            "create": ["pointerFields": ["owner"]], "addField": ["pointerFields": ["owner"]],
            "writeUserFields": ["owner"],
        ]
        #expect(verdict(permissions, .create, .signedIn("u1")) == Self.refusal("create"))
        #expect(try verdict(permissions, .addField, .signedIn("u1")) == Self.owns("owner"))
        let byPointerOnly: JSONObject = ["addField": ["pointerFields": ["owner"]]]
        #expect(verdict(byPointerOnly, .addField, .signedIn("u1"), creates: true) == Self.refusal("addField"))
    }

    @Test func requiresAuthenticationAndPointerPermissionsBothApply() throws {
        let permissions: JSONObject = ["find": ["requiresAuthentication": true, "pointerFields": ["owner"]]]
        #expect(try verdict(permissions, .find, .signedIn("u1")) == Self.owns("owner"))
        #expect(verdict(permissions, .find, .public) == Self.unauthenticated)
    }
}
