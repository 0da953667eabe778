import LocalStore
import ParseModel
import StoreService
import Testing

/// The rules for roles in a standalone store.
@Suite struct RoleRuleTests {
    private let store: LocalStore
    private static let acl: JSONValue = ["*": ["read": true]]

    init() throws { store = try LocalStore.make(.standalone) }

    private func create(_ name: JSONValue) async throws -> String {
        try await store.create(["name": name, "ACL": Self.acl], of: "_Role")
    }

    @Test func roleNamesAreUnique() async throws {
        let id = try await create("editors")
        await #expect(
            throws: ParseError(.duplicateValue, "A duplicate value for a field with unique values was provided")
        ) { try await create("editors") }
        _ = try await create("Editors")
        try await store.delete(id, of: "_Role")
        _ = try await create("editors")
    }

    @Test(arguments: ["role:a", "a/b", "ä", "", "a.b", "*", "a\u{0301}"])
    func roleNamesWithInvalidCharactersAreRefused(_ name: String) async throws {
        await #expect(throws: ParseError.self) { try await create(.string(name)) }
    }

    @Test(arguments: ["editors", "Big Boss", "a_b-9"])
    func validRoleNamesAreAccepted(_ name: String) async throws { _ = try await create(.string(name)) }

    @Test func theNameOfARoleCannotChangeAndItsACLCannotBeRemoved() async throws {
        let id = try await create("editors")
        await #expect(throws: ParseError(.unchangeableField, "A role's name cannot change after it has been saved.")) {
            try await store.update(id, ["name": "writers"], of: "_Role")
        }
        for field in ["name", "ACL"] {
            await #expect(throws: ParseError(.incorrectType, "\(field) is required.")) {
                try await store.update(id, [field: ["__op": "Delete"]], of: "_Role")
            }
        }
        try await store.update(id, ["ACL": .null], of: "_Role")
        #expect(try store.fields(id, of: "_Role")?["ACL"] == Self.acl)
        try await store.update(id, ["name": "editors", "ACL": [:]], of: "_Role")
    }

    /// The remote also refuses to remove the ACL of a role.
    @Test func aReplicaQueuesNoRemovalOfAnACL() async throws {
        let replica = try LocalStore.make(.replica)
        try await replica.pull([.make("r", ["name": "editors", "ACL": Self.acl], of: "_Role")])
        await #expect(throws: ParseError(.incorrectType, "ACL is required.")) {
            try await replica.update("r", ["ACL": ["__op": "Delete"]], of: "_Role")
        }
    }

    @Test(arguments: ["role:admin", "*", "requiresAuthentication", "userField:owner", "role:\u{301}a"])
    func aUserIdThatBeginsLikeARoleIsRefused(_ id: String) async throws {
        let store = try LocalStore.make(.standalone) { $0.allowsChosenIds = true }
        await #expect(throws: ParseError(.operationForbidden, "Invalid object ID.")) {
            try await store.create(["objectId": .string(id), "username": "ada"], of: "_User")
        }
        _ = try await store.create(["objectId": "ada", "username": "ada"], of: "_User")
    }
}
