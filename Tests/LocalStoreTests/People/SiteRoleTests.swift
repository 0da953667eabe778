import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Roles in the store of a site replica. Users can create and change roles. A local change of a role takes effect
/// before the remote has accepted it.
@Suite struct SiteRoleTests {
    private let store: LocalStore
    private let ben = Principal.signedIn("ben")
    private static let ofBen: JSONValue = ["ben": ["read": true, "write": true]]

    /// A site with the role `staff`, which has no members, and a note for its members.
    init() async throws {
        store = try LocalStore.make(.replica) { $0.rights = .site }
        try await store.takeRemoteSchemas([ClassSchema("Note"), ClassSchema("_Role"), ClassSchema("_User")])
        try await store.pull([.make("r1", ["name": "staff", "ACL": [:]], of: "_Role")])
        try await store.pull([.make("secret", ["ACL": ["role:staff": ["read": true]]], of: "Note")])
    }

    private static func role(_ name: String) -> JSONObject {
        [
            "name": .string(name), "ACL": ofBen,
            "users": ["__op": "AddRelation", "objects": [Pointer(className: "_User", objectId: "ben").json]],
        ]
    }

    private func write(_ request: WriteRequest, as principal: Principal) async throws -> String {
        try await store.perform([request], as: principal, atomically: false)[0].get().objectId
    }

    private func code(_ request: WriteRequest, as principal: Principal) async throws -> Int? {
        do {
            _ = try await write(request, as: principal)
            return nil
        } catch let error as ParseError {
            return error.code.rawValue
        }
    }

    private func roles(of userId: String) async throws -> Set<String> {
        try await store.transactions.read { try RoleMembership(db: $0).roles(of: userId) }
    }

    @Test(arguments: [Principal.signedIn("ben"), .public, .master])
    func aNewRoleWithTheNameOfAnExistingOneIsRefused(principal: Principal) async throws {
        #expect(try await code(.create(className: "_Role", body: Self.role("staff")), as: principal) == 137)
        #expect(try await code(.create(className: "_Role", body: Self.role("st\u{E4}ff")), as: principal) == 142)
        #expect(try await roles(of: "ben").isEmpty)
    }

    @Test func usersCannotRenameARoleOrRemoveItsACL() async throws {
        let id = try await write(.create(className: "_Role", body: Self.role("own")), as: ben)
        for (body, expected) in [
            (["name": "staff"], 136), (["name": ["__op": "Delete"]], 111), (["ACL": ["__op": "Delete"]], 111),
        ] as [(JSONObject, Int)] {
            #expect(try await code(.update(className: "_Role", objectId: id, body: body), as: ben) == expected)
        }
    }

    /// The remote may refuse the name: it may have a role that no pull has shown here.
    @Test func aNewRoleGivesRightsOnlyOnceTheRemoteHasIt() async throws {
        try await store.pull([.make("other", ["ACL": ["role:own": ["read": true]]], of: "Note")])
        let id = try await write(.create(className: "_Role", body: Self.role("own")), as: ben)
        #expect(try await roles(of: "ben").isEmpty)
        let sending = try await store.sync.sending(for: .user("ben"))
        let entry = try await sending.freeze(id)
        try await sending.settle([(entry, .rejected(code: 137, message: "taken"))])
        #expect(try await roles(of: "ben").isEmpty)
        let seq = try #require(try store.rejections(as: ben).first?.id)
        try await store.retryRejection(seq, fields: ["name": "own"], as: ben)
        try await sending.settle([(try await sending.freeze(id), .applied("r2", createdMs: 1, updatedMs: 2))])
        #expect(try await roles(of: "ben") == ["own"])
    }

    /// Until the remote has a new role, the members of this role get no roles through it.
    @Test func membersOfAnUnsentRoleDoNotInheritOtherRoles() async throws {
        let id = try await write(.create(className: "_Role", body: Self.role("own")), as: ben)
        let own = Pointer(className: "_Role", objectId: id)
        let body: JSONObject = ["roles": ["__op": "AddRelation", "objects": [own.json]]]
        _ = try await write(.update(className: "_Role", objectId: "r1", body: body), as: .master)
        #expect(try await roles(of: "ben").isEmpty)
        let sending = try await store.sync.sending(for: .user("ben"))
        try await sending.settle([(try await sending.freeze(id), .applied("r2", createdMs: 1, updatedMs: 2))])
        #expect(try await roles(of: "ben") == ["own", "staff"])
    }

    /// The rules for writes also apply to a correction of a refused change, so it cannot rename a role.
    @Test func aCorrectionCannotRenameARole() async throws {
        let id = try await write(.create(className: "_Role", body: Self.role("own")), as: ben)
        let sending = try await store.sync.sending(for: .user("ben"))
        try await sending.settle([(try await sending.freeze(id), .applied("r2", createdMs: 1, updatedMs: 2))])
        _ = try await write(.update(className: "_Role", objectId: "r2", body: ["note": "x"]), as: ben)
        try await sending.settle([(try await sending.freeze("r2"), .rejected(code: 119, message: "no"))])
        let seq = try #require(try store.rejections(as: ben).first?.id)
        let error = await #expect(throws: ParseError.self) {
            try await store.retryRejection(seq, fields: ["name": "staff"], as: ben)
        }
        #expect(error?.code == .unchangeableField)
        #expect(try await roles(of: "ben") == ["own"])
    }
}
