import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Changes in the store of a site replica that the remote has refused, or that a user has undone.
@Suite("Refused changes in a site replica")
struct SiteRefusalTests {
    private let store: LocalStore
    private let ada = Principal.signedIn("ada")
    private let ben = Principal.signedIn("ben")
    private static let ofBoth: JSONValue = [
        "ada": ["read": true, "write": true], "ben": ["read": true, "write": true],
    ]
    private static let ofAda: JSONValue = ["ada": ["read": true, "write": true]]
    private static let ofBen: JSONValue = ["ben": ["read": true, "write": true]]

    init() async throws {
        store = try LocalStore.make(.replica) { $0.rights = .site }
        try await store.takeRemoteSchemas([ClassSchema("Note"), ClassSchema("_Role"), ClassSchema("_User")])
    }

    private func write(_ request: WriteRequest, as principal: Principal) async throws -> String {
        try await store.perform([request], as: principal, atomically: false)[0].get().objectId
    }

    private func update(_ objectId: String, _ body: JSONObject, of className: String = "Note") async throws {
        _ = try await write(.update(className: className, objectId: objectId, body: body), as: ben)
    }

    /// Lets the remote refuse the changes that wait.
    private func refuse(_ objectId: String) async throws -> Int64 {
        let sending = try await store.sync.sending(for: .user("ben"))
        let refusal = Settlement.rejected(code: 101, message: "Object not found.")
        try await sending.settle([(try await sending.freeze(objectId), refusal)])
        return try #require(try store.rejections(as: ben).first?.id)
    }

    private func mayRead(_ objectId: String, _ principal: Principal) throws -> Bool {
        try store.object("Note", objectId, as: principal) != nil
            && store.find("Note", ParseQuery(), as: principal).objects.contains { $0.objectId == objectId }
    }

    private func code(_ work: () async throws -> Void) async throws -> Int? {
        do {
            try await work()
            return nil
        } catch let error as ParseError {
            return error.code.rawValue
        }
    }

    @Test func aRefusedACLDoesNotChangeRights() async throws {
        try await store.pull([.make("n1", ["n": 1, "ACL": Self.ofBoth], of: "Note")])
        try await update("n1", ["ACL": ["ben": ["read": true, "write": true], "*": ["read": true]], "n": 2])
        #expect(try mayRead("n1", .public) && !mayRead("n1", ada) == false)
        try await update("n1", ["ACL": Self.ofBen])
        #expect(try !mayRead("n1", ada) && !mayRead("n1", .public))
        let position = try store.changes(since: nil, classes: nil, limit: 1).next
        let rejection = try await refuse("n1")
        #expect(try mayRead("n1", ada) && mayRead("n1", ben) && !mayRead("n1", .public))
        let entries = try store.changes(since: position, classes: ["Note"], limit: 10, as: ada).entries
        #expect(entries.map { "\($0.kind) \($0.objectId)" } == ["create n1"])
        // Once the refused change waits to be sent again, its ACL applies again.
        try await store.retryRejection(rejection, fields: nil, as: ben)
        #expect(try !mayRead("n1", ada))
    }

    /// The entries that the change feed shows a user after a position.
    private func feed(since position: Int64, _ principal: Principal) throws -> [String] {
        try store.changes(since: position, classes: ["Note"], limit: 10, as: principal).entries
            .map { "\($0.kind) \($0.objectId)" }
    }

    /// The role of Ben, `staff`, with a note that its members read.
    private func makeRole() async throws {
        try await store.pull([
            .make(
                "r1", ["name": "staff", "ACL": Self.ofBen, "users": ["__type": "Relation", "className": "_User"]],
                of: "_Role")
        ])
        try await setMembers(["ben"])
        try await store.pull([.make("secret", ["ACL": ["role:staff": ["read": true]]], of: "Note")])
        #expect(try store.people.roles(of: "ben") == ["staff"])
    }

    private func setMembers(_ ids: [String]) async throws {
        try await store.sync.setBaseMembers(
            [
                BaseMembers(
                    owner: Pointer(className: "_Role", objectId: "r1"), field: "users", memberClass: "_User",
                    memberIds: ids)
            ],
            at: .init(milliseconds: 1), overlap: .zero)
    }

    /// The conflict about the role opens before the role is saved.
    @Test func theFeedReportsObjectsOfARoleInConflictAsDeleted() async throws {
        try await makeRole()
        try await update("r1", ["note": "x"], of: "_Role")
        let position = try store.changes(since: nil, classes: nil, limit: 1).next
        _ = try await store.sync.apply([], gone: ["r1"], of: "_Role")
        #expect(try store.conflicts(resolved: false, as: ben).map(\.kind) == [.deletedRemotely])
        #expect(try store.people.roles(of: "ben").isEmpty)
        #expect(try feed(since: position, ben) == ["delete secret"])
    }

    /// While a change of the role is refused, only the members on the remote have the role.
    @Test func theFeedShowsTheRemotesMembersOfARefusedRole() async throws {
        try await makeRole()
        try await update("r1", ["note": "x"], of: "_Role")
        _ = try await refuse("r1")
        let position = try store.changes(since: nil, classes: nil, limit: 1).next
        try await setMembers(["ada"])
        #expect(try store.people.roles(of: "ada") == ["staff"] && store.people.roles(of: "ben").isEmpty)
        #expect(try feed(since: position, ben) == ["delete secret"])
        #expect(try feed(since: position, ada) == ["create secret"])
    }

    @Test func aRefusedMembershipInARoleGivesNoRights() async throws {
        try await store.pull([.make("r1", ["name": "staff", "ACL": Self.ofBen], of: "_Role")])
        let member: JSONObject = ["__type": "Pointer", "className": "_User", "objectId": "ben"]
        try await update("r1", ["users": ["__op": "AddRelation", "objects": [.object(member)]]], of: "_Role")
        #expect(try store.people.roles(of: "ben") == ["staff"])
        _ = try await refuse("r1")
        #expect(try store.people.roles(of: "ben").isEmpty)
    }

    @Test func aRoleThatTheRemoteHasDeletedGivesNoRights() async throws {
        try await store.pull([.make("r1", ["name": "staff", "ACL": Self.ofBen], of: "_Role")])
        let member: JSONObject = ["__type": "Pointer", "className": "_User", "objectId": "ben"]
        try await update("r1", ["users": ["__op": "AddRelation", "objects": [.object(member)]]], of: "_Role")
        _ = try await store.sync.apply([], gone: ["r1"], of: "_Role")
        #expect(try store.conflicts(resolved: false, as: ben).map(\.kind) == [.deletedRemotely])
        #expect(try store.people.roles(of: "ben").isEmpty)
    }

    /// A user who has lost the right can also not make the refused change locally.
    @Test(arguments: [nil, ["n": 7], ["ACL": ["ben": ["read": true, "write": true]]]] as [JSONObject?])
    func sendingARefusedChangeAgainNeedsTheRightToMakeIt(fields: JSONObject?) async throws {
        try await store.pull([.make("n1", ["n": 1, "ACL": Self.ofBoth], of: "Note")])
        try await update("n1", ["n": 2])
        let rejection = try await refuse("n1")
        try await store.pull([.make("n1", ["n": 1, "ACL": Self.ofAda], of: "Note", updatedMs: 9000)])
        #expect(try await code { try await store.retryRejection(rejection, fields: fields, as: ben) } == 101)
        #expect(try !mayRead("n1", ben) && mayRead("n1", ada))
        try await store.retryRejection(rejection, fields: fields, as: .master)
    }

    @Test(arguments: ["password", "username", "email", "emailVerified", "authData"])
    func aCorrectionCannotChangeLogInFieldsOfAUser(field: String) async throws {
        try await store.pull([.make("ben", ["username": "ben", "n": 1, "ACL": Self.ofBen], of: "_User")])
        try await update("ben", ["n": 2], of: "_User")
        let rejection = try await refuse("ben")
        for principal in [ben, .master] {
            #expect(
                try await code {
                    try await store.retryRejection(rejection, fields: ["n": 3, field: "x"], as: principal)
                } == 119)
        }
        // A client may send the object as it has read it.
        try await store.retryRejection(rejection, fields: ["n": 3, "username": "ben"], as: ben)
        let view = try store.object("_User", "ben", as: .master)?.fields(of: "_User")
        #expect(view?["n"] == 3 && view?["password"] == nil)
    }

    @Test func anotherAuthorsChangeKeepsTheACLOfAnUndoneCreate() async throws {
        let id = try await write(.create(className: "Note", body: ["n": 1, "ACL": Self.ofBoth]), as: ada)
        try await update(id, ["secret": "x"])
        let seq = try #require(try store.pendingChanges(as: ada).first?.id)
        try await store.undoPending(seq, as: ada)
        #expect(try mayRead(id, ben) && !mayRead(id, .public))
        let entry = try #require(try await store.sync.sending(for: .user("ben")).outbox(limit: 10).first)
        #expect(entry.step.kind == .create && entry.step.operations["ACL"] == .set(Self.ofBoth))
    }

    /// The right to delete an object is not the right to read it.
    @Test func aPendingDeletionShowsItsAuthorNoUnreadableObject() async throws {
        let acl: JSONValue = ["ada": ["read": true, "write": true], "ben": ["write": true]]
        try await store.pull([.make("n1", ["n": 1, "ACL": acl], of: "Note")])
        _ = try await write(.delete(className: "Note", objectId: "n1"), as: ben)
        #expect(try store.pendingChanges(as: ben).map(\.base) == [nil])
        #expect(try store.pendingChanges(as: .master).first?.base?.contains("\"n\":1") == true)
    }

    @Test func aPendingEditDoesNotUnlockALockedUser() async throws {
        try await store.pull([.make("ben", ["username": "ben", "ACL": Self.ofBen], of: "_User")])
        try await update("ben", ["ACL": ["ben": ["read": true, "write": true], "*": ["read": true]]], of: "_User")
        try await store.pull([.make("ben", ["username": "ben", "ACL": [:]], of: "_User", updatedMs: 9000)])
        #expect(try !store.people.mayWork("ben") && !store.people.isLeaving("ben"))
    }

    @Test func aRemovedUserWithAPendingEditMayNotWork() async throws {
        try await store.pull([.make("ben", ["username": "ben", "ACL": Self.ofBen], of: "_User")])
        try await update("ben", ["n": 2], of: "_User")
        _ = try await store.sync.apply([], gone: ["ben"], of: "_User")
        #expect(try !store.people.mayWork("ben") && !store.people.isLeaving("ben"))
    }

    /// The rights that the gateway checks before it sends a user's change with the remote's master key.
    @Test func theRightsForSendingAnAuthorsChangeFollowTheRemotesState() async throws {
        try await store.pull([.make("n1", ["n": 1, "ACL": Self.ofBoth], of: "Note")])
        try await store.pull([.make("n2", ["n": 1, "ACL": Self.ofAda], of: "Note")])
        let people = store.people
        for (id, expected) in [("n1", nil), ("n2", 101)] as [(String, Int?)] {
            for request in [
                WriteRequest.update(className: "Note", objectId: id, body: ["n": 2]),
                .delete(className: "Note", objectId: id),
            ] {
                #expect(try people.refusal(of: request, by: "ben")?.code.rawValue == expected)
            }
        }
        #expect(try people.refusal(of: .create(className: "Note", body: [:]), by: "ben") == nil)
        // A membership that the remote has not stored yet gives no right.
        try await store.pull([.make("n3", ["ACL": ["role:staff": ["write": true]]], of: "Note")])
        try await store.pull([.make("r1", ["name": "staff", "ACL": Self.ofBen], of: "_Role")])
        let member: JSONObject = ["__type": "Pointer", "className": "_User", "objectId": "ben"]
        try await update("r1", ["users": ["__op": "AddRelation", "objects": [.object(member)]]], of: "_Role")
        #expect(try people.roles(of: "ben") == ["staff"])
        #expect(try people.refusal(of: .delete(className: "Note", objectId: "n3"), by: "ben")?.code == .objectNotFound)
        #expect(try people.refusal(of: .create(className: "Unknown", body: [:]), by: "ben") != nil)
    }
}
