import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

struct RoleLookUpTests {
    private func add(_ className: String, _ ids: String...) -> JSONValue {
        ["__op": "AddRelation", "objects": .array(ids.map { Pointer(className: className, objectId: $0).json })]
    }

    private func roles(_ client: AccountClient, _ token: String) throws -> Set<String>? {
        try client.store.accounts.session(of: token)?.user.roles
    }

    @Test func nestedRolesAreFoundAndCyclesEnd() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let eve = try await client.signUp("eve")
        let store = client.store
        let editors = try await store.create("_Role", ["name": "editors", "ACL": [:], "users": add("_User", ada.id)])
        let staff = try await store.create("_Role", ["name": "staff", "ACL": [:], "roles": add("_Role", editors)])
        let all = try await store.create("_Role", ["name": "all", "ACL": [:], "roles": add("_Role", staff)])
        try await store.update("_Role", editors, ["roles": add("_Role", all)])
        _ = try await store.create("_Role", ["name": "others", "ACL": [:], "users": add("_User", eve.id)])
        #expect(try roles(client, ada.token) == ["editors", "staff", "all"])
        #expect(try roles(client, eve.token) == ["others"])
    }

    @Test func changeOfRolesTakesEffectAtOnce() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        #expect(try roles(client, ada.token) == [])
        #expect(client.store.transactions.sessions.count == 1)
        let role = try await client.store.create("_Role", ["name": "a", "ACL": [:], "users": add("_User", ada.id)])
        #expect(try roles(client, ada.token) == ["a"])
        try await client.store.update(
            "_Role", role,
            ["users": ["__op": "RemoveRelation", "objects": [Pointer(className: "_User", objectId: ada.id).json]]])
        #expect(try roles(client, ada.token) == [])
        try await client.store.update("_Role", role, ["users": add("_User", ada.id)])
        #expect(try roles(client, ada.token) == ["a"])
        try await client.store.delete("_Role", role)
        #expect(try roles(client, ada.token) == [])
    }

    @Test func sessionReadFromAnOutdatedSnapshotIsNotCached() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let digest = SessionDigest(of: ada.token)
        let old = try #require(try client.store.accounts.session(of: ada.token))
        let cache = SessionCache()
        // The session is deleted after a reader has read its row and before the row reaches the cache.
        let found = cache.session(digest: digest) {
            cache.note("_Session", old.user.sessionId)
            cache.endTransaction()
            return old
        }
        #expect(found == old)
        #expect(cache.count == 0)
        // Changes of other classes do not remove sessions from the cache.
        _ = cache.session(digest: digest) { old }
        cache.note("Post", "1")
        cache.note("_User", "another")
        cache.endTransaction()
        #expect(cache.count == 1)
        cache.note("_User", ada.id)
        cache.endTransaction()
        #expect(cache.count == 0)
    }

    @Test func theSessionCacheIsBounded() throws {
        let cache = SessionCache(weightMax: 160)
        for number in 0..<1000 {
            let user = SignedInUser(objectId: "u\(number)", roles: ["a", "b"], sessionId: "s\(number)")
            _ = cache.session(digest: SessionDigest(of: "d\(number)")) { OpenSession(user: user, expiresAt: nil) }
            #expect(cache.count <= 54)
        }
    }
}
