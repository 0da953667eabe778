import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

/// The change feed reports to each reader the objects that become readable and unreadable for this reader.
@Suite struct RestrictedFeedTests {
    private let store: LocalStore
    private let me = Principal.signedIn("u1")
    private let other = Principal.signedIn("u2")
    private static let mine: JSONValue = ["u1": ["read": true, "write": true]]
    private static let theirs: JSONValue = ["u2": ["read": true]]

    init() throws { store = try LocalStore.make() }

    private func position() throws -> Int64 { try store.changes(since: nil, classes: nil, limit: 1).next }

    /// The entries of a class after a position, as `kind id`.
    private func entries(
        since: Int64 = 0, of className: String = "Note", as principal: Principal
    ) throws -> [String] {
        try store.changes(since: since, classes: [className], limit: 5000, as: principal).entries
            .map { "\($0.kind) \($0.objectId)" }
    }

    private func permit(_ permissions: JSONObject?) async throws {
        _ = try await store.changeSchema("Note") { before in
            var schema = before ?? ClassSchema("Note")
            schema.permissions = permissions
            return SchemaChange(schema)
        }
    }

    private func role(_ name: String, _ relations: JSONObject = [:]) async throws -> String {
        var body: JSONObject = ["name": .string(name), "ACL": [:]]
        for (field, value) in relations { body[field] = value }
        return try await store.create(body, of: "_Role")
    }

    private static func change(_ verb: String, _ className: String, _ ids: String...) -> JSONValue {
        [
            "__op": .string(verb),
            "objects": .array(ids.map { Pointer(className: className, objectId: $0).json }),
        ]
    }

    /// The principal of a user with the roles that the store knows.
    private func signedIn(_ id: String) throws -> Principal {
        .signedIn(id, roles: try store.transactions.read { try RoleMembership(db: $0).roles(of: id) })
    }

    // MARK: ACLs

    @Test func theFeedReportsALostACLRightAsADeletionAndAGainedOneAsACreate() async throws {
        let id = try await store.create(["ACL": Self.mine], of: "Note")
        let start = try position()
        try await store.update(id, ["ACL": Self.theirs], of: "Note")
        for since in [0, start] {
            #expect(try entries(since: since, as: me).last == "delete \(id)")
            #expect(try entries(since: since, as: other) == ["create \(id)"])
        }
        try await store.update(id, ["n": 1], of: "Note")
        #expect(try entries(as: other) == ["create \(id)", "update \(id)"])
        #expect(try entries(as: .public) == [])
        try await store.delete(id, of: "Note")
        #expect(try entries(as: other).last == "delete \(id)")
        #expect(try entries(since: start, as: me) == ["delete \(id)"])
        #expect(try entries(as: .public) == [])
    }

    /// A feed entry shows the present state of its object, which the reader may no longer read.
    @Test func anEarlierFeedEntryDoesNotShowAnObjectThatBecameUnreadable() async throws {
        let id = try await store.create(["secret": 1, "ACL": Self.mine], of: "Note")
        try await store.update(id, ["ACL": Self.theirs], of: "Note")
        let seen = try store.changes(since: 0, classes: nil, limit: 10, as: me).entries
        #expect(seen.map(\.kind) == [.create, .delete])
        #expect(seen.allSatisfy { $0.json == nil })
    }

    @Test func pagesOfTheFeedSkipEntriesOfUnreadableObjects() async throws {
        for _ in 0..<6 { try await store.create(["ACL": Self.theirs], of: "Note") }
        let id = try await store.create(["ACL": Self.mine], of: "Note")
        let page = try store.changes(since: 0, classes: nil, limit: 1, as: me)
        #expect(page.entries.map(\.objectId) == [id])
        #expect(try store.changes(since: page.next, classes: nil, limit: 1, as: me).entries.isEmpty)
        let last = try position()
        #expect(try store.changes(since: 0, classes: nil, limit: 1, as: .public).next == last)
    }

    // MARK: Permissions

    @Test func changedClassPermissionsAreDeletionsAndCreatesInTheFeed() async throws {
        let open = try await store.create(["n": 1], of: "Note")
        let mine = try await store.create(["n": 1, "ACL": Self.mine], of: "Note")
        let deleted = try await store.create(["n": 1], of: "Note")
        let start = try position()
        try await store.delete(deleted, of: "Note")
        try await permit(["find": ["u1": true]])
        #expect(try entries(since: start, as: me) == ["delete \(deleted)"])
        let lost = ["delete \(deleted)", "delete \(open)"]
        #expect(try entries(since: start, as: other) == lost)
        #expect(try entries(since: start, as: .public) == lost)
        let closed = try position()
        try await store.update(open, ["n": 2], of: "Note")
        #expect(try entries(since: closed, as: other) == [])
        try await permit(nil)
        #expect(try entries(since: closed, as: other) == ["create \(open)"])
        #expect(try entries(since: closed, as: me) == ["update \(open)"])
        #expect(try entries(since: start, as: .master) == ["delete \(deleted)", "update \(open)"])
        _ = mine
    }

    @Test func changedPointerPermissionsAreDeletionsAndCreatesInTheFeed() async throws {
        try await permit(["find": ["pointerFields": ["owner"]], "readUserFields": ["readers"]])
        let me1 = Pointer(className: "_User", objectId: "u1").json
        let id = try await store.create(["owner": me1], of: "Note")
        let start = try position()
        try await store.update(id, ["owner": Pointer(className: "_User", objectId: "u2").json], of: "Note")
        #expect(try entries(since: start, as: me) == ["delete \(id)"])
        #expect(try entries(since: start, as: other) == ["create \(id)"])
        try await store.update(id, ["readers": [me1]], of: "Note")
        #expect(try entries(since: start, as: me) == ["delete \(id)", "create \(id)"])
        try await store.delete(id, of: "Note")
        #expect(try entries(since: start, as: me).last == "delete \(id)")
        #expect(try entries(as: .public) == [])
    }

    @Test func protectedFieldsAreLeftOutOfTheFeed() async throws {
        try await store.create(["secret": 1, "n": 2], of: "Note")
        try await permit(["find": ["*": true], "protectedFields": ["*": ["secret"]]])
        let text = try #require(try store.changes(since: 0, classes: nil, limit: 1, as: me).entries.first?.json)
        #expect(!text.contains("secret"))
        #expect(text.contains("\"n\":2"))
    }

    @Test func theFeedAppliesTheRightsOfBuiltInClasses() async throws {
        let mine = try await store.create(["user": Pointer(className: "_User", objectId: "u1").json], of: "_Session")
        try await store.create(["installationId": "i", "deviceType": "ios"], of: "_Installation")
        #expect(try entries(of: "_Session", as: me) == ["create \(mine)"])
        #expect(try entries(of: "_Session", as: other) == [])
        #expect(try entries(of: "_Session", as: .public) == [])
        #expect(try entries(of: "_Installation", as: me) == [])
        let id = try await store.create(
            ["username": "ada", "email": "a@b.c", "ACL": ["*": ["read": true]]], of: "_User")
        let text = try store.changes(since: 0, classes: ["_User"], limit: 1, as: other).entries.first?.json
        #expect(text?.contains("ada") == true && text?.contains("a@b.c") == false)
        #expect(
            try store.changes(since: 0, classes: ["_User"], limit: 1, as: .signedIn(id)).entries.first?.json?
                .contains("a@b.c") == true)
    }

    // MARK: Roles

    @Test func theFeedReportsChangedRolesAsDeletionsAndCreates() async throws {
        let readers = try await role("Readers")
        let staff = try await role("Staff", ["users": Self.change("AddRelation", "_User", "u1")])
        let acl: JSONValue = ["role:Readers": ["read": true]]
        let kept = try await store.create(["ACL": acl], of: "Note")
        let deleted = try await store.create(["ACL": acl], of: "Note")
        var start = try position()
        // Members of the role Staff also have the role Readers.
        try await store.update(readers, ["roles": Self.change("AddRelation", "_Role", staff)], of: "_Role")
        #expect(try entries(since: start, as: signedIn("u1")) == ["create \(kept)", "create \(deleted)"])
        #expect(try entries(since: start, as: other) == [])
        start = try position()
        try await store.delete(deleted, of: "Note")
        try await store.update(staff, ["users": Self.change("RemoveRelation", "_User", "u1")], of: "_Role")
        #expect(try entries(since: start, as: signedIn("u1")) == ["delete \(deleted)", "delete \(kept)"])
        // A request that started before its user lost the role.
        let late = Principal.signedIn("u1", roles: ["Readers", "Staff"])
        #expect(try entries(since: start, as: late) == ["delete \(deleted)", "delete \(kept)"])
    }

    @Test func theDeletionOfARoleReportsLostObjectsAsDeleted() async throws {
        let id = try await role("Readers", ["users": Self.change("AddRelation", "_User", "u1", "u2")])
        let note = try await store.create(["ACL": ["role:Readers": ["read": true], "u2": ["read": true]]], of: "Note")
        let start = try position()
        try await store.delete(id, of: "_Role")
        #expect(try entries(since: start, as: signedIn("u1")) == ["delete \(note)"])
        #expect(try entries(since: start, as: signedIn("u2")) == [])
    }

    @Test func aNewMemberOfARoleInThePermissionsGetsCreatesInTheFeed() async throws {
        let note = try await store.create(["n": 1], of: "Note")
        let id = try await role("Readers")
        try await permit(["find": ["role:Readers": true]])
        let start = try position()
        try await store.update(id, ["users": Self.change("AddRelation", "_User", "u1")], of: "_Role")
        #expect(try entries(since: start, as: signedIn("u1")) == ["create \(note)"])
    }

    // MARK: Many objects

    @Test func aRightsChangeOfManyObjectsInvalidatesFeedPositions() async throws {
        let requests = (0..<1001).map { n in
            WriteRequest.create(
                className: "Note", body: ["n": .int(n), "ACL": ["role:R": ["read": true], "u2": ["read": true]]])
        }
        for result in await store.perform(requests, atomically: true) { _ = try result.get() }
        let id = try await role("R")
        var start = try position()
        try await store.update(id, ["users": Self.change("AddRelation", "_User", "u1")], of: "_Role")
        #expect(throws: StoreError.self) { try entries(since: start, as: signedIn("u1")) }
        #expect(try entries(since: position(), as: signedIn("u1")) == [])
        #expect(try entries(since: start, as: other) == [])
        start = try position()
        try await permit(["find": ["u2": true]])
        #expect(throws: StoreError.self) { try entries(since: start, as: signedIn("u1")) }
        #expect(try entries(since: start, as: other) == [])
        #expect(try entries(since: start, as: .master) == [])
    }
}
