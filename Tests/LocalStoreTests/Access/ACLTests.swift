import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// A standalone store enforces the ACL of an object for each kind of access to the object.
@Suite struct ACLTests {
    private static let mine: JSONValue = ["u1": ["read": true, "write": true]]

    private let store: LocalStore
    private let mine: String
    private let open: String
    private let me = Principal.signedIn("u1")
    private let other = Principal.signedIn("u2")

    init() async throws {
        store = try LocalStore.make()
        open = try await store.create(["n": 1], of: "Note")
        mine = try await store.create(["n": 2, "ACL": Self.mine], of: "Note")
    }

    private func ids(
        _ conditions: String = "{}", of className: String = "Note", as principal: Principal
    ) throws -> [String] {
        try store.find(className, ParseQuery(parameters: ["where": .string(conditions)]), as: principal).objects
            .map(\.objectId)
    }

    private func result(_ request: WriteRequest, as principal: Principal) async -> Result<WriteReceipt, any Error> {
        await store.perform([request], as: principal, atomically: false)[0]
    }

    private func update(_ id: String, _ body: JSONObject, as principal: Principal) async throws -> WriteReceipt {
        try await result(.update(className: "Note", objectId: id, body: body), as: principal).get()
    }

    @Test func objectsHiddenByAnACLAreNeitherFoundNorCounted() throws {
        let count = ParseQuery(limit: 1, wantsCount: true)
        for (principal, found) in [(me, [open, mine]), (other, [open]), (.public, [open]), (.master, [open, mine])] {
            #expect(try ids(as: principal) == found)
            #expect(try store.find("Note", count, as: principal).count == found.count)
            #expect(try (store.object("Note", mine, as: principal) != nil) == found.contains(mine))
        }
        let second = ParseQuery(order: [SortKey(path: try FieldPath("n"), descending: true)], limit: 1, skip: 1)
        #expect(try store.find("Note", second, as: other).objects.isEmpty)
        #expect(try store.find("Note", second, as: me).objects.map(\.objectId) == [open])
    }

    @Test func subqueriesFindReadableObjectsOnly() async throws {
        try await store.create(["note": Pointer(className: "Note", objectId: mine).json, "n": 2], of: "Tag")
        for conditions in [
            #"{"note":{"$inQuery":{"className":"Note","where":{"n":2}}}}"#,
            #"{"n":{"$select":{"key":"n","query":{"className":"Note","where":{"n":2}}}}}"#,
            #"{"note":{"$inQuery":{"className":"Note","where":{"n":{"$in":[2]}}}}}"#,
        ] {
            #expect(try ids(conditions, of: "Tag", as: me).count == 1)
            #expect(try ids(conditions, of: "Tag", as: other).isEmpty)
        }
        let none = #"{"note":{"$notInQuery":{"className":"Note","where":{"n":2}}}}"#
        #expect(try ids(none, of: "Tag", as: me).isEmpty)
        #expect(try ids(none, of: "Tag", as: other).count == 1)
    }

    @Test func relationMembersAreFoundOnlyIfTheOwnerIsReadable() async throws {
        let tag = try await store.create(["n": 1], of: "Tag")
        let add: JSONValue = ["__op": "AddRelation", "objects": [Pointer(className: "Tag", objectId: tag).json]]
        try await store.update(mine, ["tags": add], of: "Note")
        let conditions = JSONValue.object([
            "$relatedTo": ["object": Pointer(className: "Note", objectId: mine).json, "key": "tags"]
        ]).jsonText
        #expect(try ids(conditions, of: "Tag", as: me) == [tag])
        #expect(try ids(conditions, of: "Tag", as: other).isEmpty)
        #expect(try ids(conditions, of: "Tag", as: .master) == [tag])
    }

    @Test func theExplanationOfAQueryShowsTheACLConditionWithoutUserIds() throws {
        let statements = try store.explain("Note", ParseQuery(), as: me, timeout: .unlimited)
        #expect(statements.last?.sql.contains("acl") == true)
        #expect(statements.allSatisfy { !$0.sql.contains("u1") })
    }

    @Test func aWriteWithoutTheRightIsRefusedAsNotFound() async throws {
        for principal in [other, .public] {
            let requests: [WriteRequest] = [
                .update(className: "Note", objectId: mine, body: ["n": 3]), .delete(className: "Note", objectId: mine),
            ]
            for request in requests {
                let result = await result(request, as: principal)
                #expect(throws: ParseError.objectNotFound) { try result.get() }
            }
        }
        _ = try await update(mine, ["n": 3], as: me)
        #expect(try store.fields(mine, of: "Note")?["n"] == 3)
        _ = try await result(.delete(className: "Note", objectId: mine), as: me).get()
        #expect(try store.object("Note", mine) == nil)
    }

    @Test func anObjectMayBeWrittenWithoutTheRightToReadIt() async throws {
        let id = try await store.create(["n": 1, "ACL": ["u2": ["write": true]]], of: "Note")
        #expect(try store.object("Note", id, as: other) == nil)
        let receipt = try await update(id, ["n": .increment(5)], as: other)
        #expect(receipt.echoed["n"] == nil)
        #expect(try store.fields(id, of: "Note")?["n"] == 6)
        // The answer to a stale write would contain the state of the object, which this user may not read.
        let stale = WriteRequest.update(
            className: "Note", objectId: id, body: ["n": 1], terms: WriteTerms(match: .tags(["\"x\""])))
        let result = await result(stale, as: other)
        #expect(throws: StoreError.gone) { try result.get() }
    }

    @Test func aChangedACLTakesEffectAtOnce() async throws {
        _ = try await update(mine, ["ACL": ["u2": ["read": true]]], as: me)
        #expect(try store.object("Note", mine, as: me) == nil)
        #expect(try store.object("Note", mine, as: other) != nil)
        try await store.update(mine, ["ACL": ["*": ["read": true]]], of: "Note")
        #expect(try ids(as: .public) == [open, mine])
    }

    @Test(arguments: [JSONValue.null, false, 0, ""]) func aWriteIgnoresAFalsyACL(acl: JSONValue) async throws {
        _ = try await update(mine, ["n": 5, "ACL": acl], as: me)
        #expect(try store.fields(mine, of: "Note")?["ACL"] == Self.mine)
        #expect(try ids(as: .public) == [open])
        let id = try await store.create(["ACL": acl], of: "Note")
        #expect(try store.fields(id, of: "Note")?["ACL"] == nil)
    }

    @Test(arguments: [["__op": "Delete"], "all", [], ["u1": ["read": false]]] as [JSONValue])
    func anObjectWithAnEmptyACLIsAccessibleWithTheMasterKeyOnly(acl: JSONValue) async throws {
        _ = try await update(mine, ["ACL": acl], as: me)
        let id = try await store.create(["ACL": acl], of: "Note")
        for id in [mine, id] {
            #expect(try store.fields(id, of: "Note")?["ACL"] == [:])
            #expect(try store.object("Note", id, as: me) == nil)
        }
        #expect(try ids(as: me) == [open])
    }

    /// The replica queues and shows the ACL that the remote will store for the write.
    @Test func aReplicaSendsNoRemovalOfAnACL() async throws {
        let replica = try LocalStore.make(.replica)
        try await replica.pull([.make("a", ["ACL": Self.mine], of: "Note"), .make("b", ["ACL": Self.mine], of: "Note")])
        try await replica.update("a", ["n": 1, "ACL": .null], of: "Note")
        try await replica.update("b", ["ACL": ["__op": "Delete"]], of: "Note")
        #expect(try replica.fields("a", of: "Note") == ["n": 1, "ACL": Self.mine])
        #expect(try replica.fields("b", of: "Note") == ["ACL": [:]])
        let queued = try await replica.transactions.read { try $0.texts("SELECT operations FROM outbox ORDER BY seq") }
        #expect(queued == [#"{"n":1}"#, #"{"ACL":{}}"#])
    }

    /// The remote adds the entry of the user to each write of the user object without the master key.
    @Test(arguments: [(false, true), (true, false)]) func aUserInAReplicaKeepsTheRightsOnTheOwnUserObject(
        seesEverything: Bool, isKept: Bool
    ) async throws {
        let replica = try LocalStore.make(.replica) { $0.seesEverything = seesEverything }
        try await replica.pull([.make("u1", ["ACL": ["u1": ["read": true, "write": true]]], of: "_User")])
        try await replica.update("u1", ["ACL": ["__op": "Delete"]], of: "_User")
        let kept: JSONValue = ["u1": ["read": true, "write": true]]
        #expect(try replica.fields("u1", of: "_User")?["ACL"] == (isKept ? kept : [:]))
    }

    @Test func pulledACLsAreCanonical() async throws {
        let replica = try LocalStore.make(.replica)
        try await replica.pull([.make("a", ["ACL": ["*": ["read": 1], "u": [:]]], of: "Note")])
        #expect(try replica.fields("a", of: "Note") == ["ACL": ["*": ["read": true]]])
    }

    @Test func aRoleInAnACLGivesItsMembersTheRightToRead() async throws {
        let id = try await store.create(["ACL": ["role:R": ["read": true]]], of: "Note")
        #expect(try ids(as: .signedIn("u3", roles: ["Q", "R"])) == [open, id])
        #expect(try ids(as: .signedIn("role:R")) == [open])
        #expect(try store.object("Note", id, as: .signedIn("role:R")) == nil)
    }

    /// The SQL statement does not list the numbers of the readable ACLs, so there may be many.
    @Test func aUserReadsObjectsWithThousandsOfDifferentACLs() async throws {
        let requests = (0..<2100).map { n in
            WriteRequest.create(
                className: "Many", body: ["n": .int(n), "ACL": ["u1": ["read": true], "x\(n)": ["read": true]]])
        }
        for result in await store.perform(requests, atomically: true) { _ = try result.get() }
        let query = ParseQuery(limit: 3, wantsCount: true)
        for (principal, count) in [(me, 2100), (Principal.signedIn("x7"), 1), (other, 0)] {
            #expect(try store.find("Many", query, as: principal).count == count)
        }
        #expect(try store.find("Many", query, as: .signedIn("x7", roles: ["a", "b"])).objects.count == 1)
    }

    /// The number that an undone write gave an ACL may be given to another ACL.
    @Test func anUndoneWriteStoresNoACLNumber() async throws {
        let acl: JSONValue = ["u7": ["read": true]]
        let failing: [WriteRequest] = [
            .create(className: "Note", body: ["ACL": acl]), .delete(className: "Note", objectId: "missing"),
        ]
        for result in await store.perform(failing, atomically: true) {
            #expect(throws: (any Error).self) { try result.get() }
        }
        let theirs = try await store.create(["ACL": ["u8": ["read": true]]], of: "Note")
        let ours = try await store.create(["ACL": acl], of: "Note")
        #expect(try ids(as: .signedIn("u7")) == [open, ours])
        #expect(try ids(as: .signedIn("u8")) == [open, theirs])
    }

    @Test func aReplicaShowsACLsAndDoesNotEnforceThem() async throws {
        let replica = try LocalStore.make(.replica)
        try await replica.pull([.make("a", ["ACL": Self.mine], of: "Note")])
        #expect(try replica.object("Note", "a", as: .public) != nil)
        #expect(try replica.find("Note", ParseQuery(wantsCount: true), as: .public).count == 1)
        let update = WriteRequest.update(className: "Note", objectId: "a", body: ["n": 1])
        _ = try await replica.perform([update], as: .public, atomically: false)[0].get()
    }

    @Test(arguments: [StoreIdentity.standalone, .replica]) func theACLColumnOfARowFollowsTheVisibleACL(
        identity: StoreIdentity
    ) async throws {
        let store = try LocalStore.make(identity)
        let keys: () throws -> [Int64] = {
            try store.transactions.read { db in try db.rows("SELECT acl FROM objects ORDER BY id") { $0.integer(0) } }
        }
        if identity.remote != nil {
            try await store.pull([.make("a", ["ACL": Self.mine], of: "Note"), .make("b", [:], of: "Note")])
            #expect(try keys() == [1, 0])
            try await store.pull([.make("a", [:], of: "Note", updatedMs: 3000)])
            #expect(try keys() == [0, 0])
            try await store.update("b", ["ACL": ["*": ["read": true]]], of: "Note")
        } else {
            let id = try await store.create(["ACL": Self.mine], of: "Note")
            #expect(try keys() == [1])
            try await store.update(id, ["n": 1], of: "Note")
            #expect(try keys() == [1])
            try await store.update(id, ["ACL": ["*": ["read": true]]], of: "Note")
        }
        #expect(try keys().last == -2)
    }
}
