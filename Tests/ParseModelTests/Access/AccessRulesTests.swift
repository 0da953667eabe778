import ParseModel
import Testing

/// The built-in rules of special classes.
@Suite struct AccessRulesTests {
    private func verdict(
        _ operation: AccessRules.Operation, _ className: String, _ id: String? = nil, _ principal: Principal,
        _ permissions: JSONObject? = nil
    ) -> ClassRights.Verdict {
        AccessRules(principal, ClassRights(className, permissions: permissions)).verdict(on: operation, id)
    }

    /// The ACL of the user object decides which signed-in users may change it.
    @Test func onlySignedInUsersMayChangeUsers() {
        for operation in [AccessRules.Operation.update, .delete] {
            #expect(verdict(operation, "_User", "u1", .signedIn("u1")) == .allowed)
            #expect(verdict(operation, "_User", "u2", .signedIn("u1", roles: ["Admin"])) == .allowed)
            #expect(verdict(operation, "_User", "u1", .master) == .allowed)
        }
        #expect(
            verdict(.update, "_User", "u1", .public)
                == .refused(ParseError.denial(.sessionMissing, "Cannot modify user u1.")))
        #expect(
            verdict(.delete, "_User", "u1", .public)
                == .refused(ParseError.denial(.sessionMissing, "Insufficient auth to delete user")))
    }

    @Test func classPermissionsApplyToTheOwnUserObject() {
        let denied = ParseError.denial(.operationForbidden, "Permission denied for action update on class _User.")
        #expect(verdict(.update, "_User", "u1", .signedIn("u1"), [:]) == .refused(denied))
    }

    @Test func aSessionIsAccessibleToItsUserOnly() throws {
        let own = Predicate.field(try FieldPath("user"), .equal(Pointer(className: "_User", objectId: "u1").json))
        for operation in [AccessRules.Operation.list, .get, .count, .update, .delete] {
            #expect(verdict(operation, "_Session", "s", .public) == .refused(.noSession))
            #expect(verdict(operation, "_Session", "s", .signedIn("u1")) == .limited(own))
            #expect(verdict(operation, "_Session", "s", .master) == .allowed)
        }
    }

    @Test func installationsCannotBeListedWithoutTheMasterKey() {
        for principal in [Principal.public, .signedIn("u1")] {
            for (operation, verb) in [(AccessRules.Operation.list, "find"), (.count, "find"), (.delete, "delete")] {
                let text = "Clients aren't allowed to perform the \(verb) operation on the installation collection."
                #expect(
                    verdict(operation, "_Installation", "i", principal)
                        == .refused(ParseError.denial(.operationForbidden, text)))
            }
            #expect(verdict(.get, "_Installation", "i", principal) == .allowed)
        }
    }
}
