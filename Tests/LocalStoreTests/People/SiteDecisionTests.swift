import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Decisions in a site replica: authors decide about their own changes, and see only what they may read.
@Suite struct SiteDecisionTests {
    private let store: LocalStore
    private let ada = Principal.signedIn("ada")
    private let ben = Principal.signedIn("ben")

    init() async throws {
        store = try LocalStore.make(.replica) { $0.rights = .site }
        try await store.takeRemoteSchemas([ClassSchema("Note"), ClassSchema("_Role"), ClassSchema("_User")])
    }

    private func update(_ objectId: String, _ body: JSONObject, as principal: Principal) async throws {
        _ = try await store.perform(
            [.update(className: "Note", objectId: objectId, body: body)], as: principal, atomically: false)[0].get()
    }

    private func create(_ body: JSONObject, as principal: Principal) async throws -> String {
        try await store.perform([.create(className: "Note", body: body)], as: principal, atomically: false)[0].get()
            .objectId
    }

    private func fields(_ objectId: String) throws -> JSONObject? {
        try store.fields(objectId, of: "Note")
    }

    private func openConflict(of principal: Principal) throws -> ListedConflict? {
        try store.conflicts(resolved: false, as: principal).first
    }

    private func changes(as principal: Principal) throws -> [String] {
        try store.pendingChanges(as: principal).map { "\($0.step.phase) \($0.step.operations.json.jsonText)" }
    }

    /// The remote deletes an object that two users have changed.
    @Test func aRemoteDeletionIsAConflictForEachAuthor() async throws {
        try await store.pull([.make("row", ["n": 1], of: "Note")])
        try await update("row", ["v": 2], as: ada)
        try await update("row", ["w": 5], as: ben)
        _ = try await store.sync.apply([], gone: ["row"], of: "Note")
        #expect(try openConflict(of: ben) == nil)
        #expect(try changes(as: ben) == [#"held {"w":5}"#])
        let first = try #require(try openConflict(of: ada))
        await #expect(throws: StoreError.notFound(what: "open conflict \(first.id)")) {
            try await store.resolveConflict(first.id, keep: "local", fields: nil, as: ben)
        }
        try await store.resolveConflict(first.id, keep: "remote", fields: nil, as: ada)
        #expect(try openConflict(of: ada) == nil && store.conflicts(resolved: true, as: ada).map(\.id) == [first.id])
        let second = try #require(try openConflict(of: ben))
        #expect(second.kind == .deletedRemotely && second.id != first.id)
        #expect(try fields("row") == ["n": 1, "w": 5])
        try await store.resolveConflict(second.id, keep: "local", fields: nil, as: ben)
        #expect(try changes(as: ben) == [#"pending {"n":1,"w":5}"#])
        #expect(try changes(as: ada) == [])
    }

    /// Only one of the two changes is about the field that the remote has changed.
    @Test func anAuthorsDecisionForTheRemoteKeepsTheOtherChanges() async throws {
        try await store.configureClass("Note") { options, _ in options.policy = .manual }
        try await store.pull([.make("row", ["v": 1, "w": 1], of: "Note")])
        try await update("row", ["v": 2], as: ada)
        try await update("row", ["w": 5], as: ben)
        try await store.pull([.make("row", ["v": 3, "w": 1], of: "Note", updatedMs: 3000)])
        let conflict = try #require(try openConflict(of: ada))
        try await store.resolveConflict(conflict.id, keep: "remote", fields: ["x": 1], as: ada)
        #expect(try fields("row") == ["v": 3, "w": 5, "x": 1])
        #expect(try changes(as: ben) == [#"pending {"w":5}"#])
        #expect(try store.conflicts(resolved: false, as: .master).isEmpty)
    }

    @Test func aFieldThatBothAuthorsChangedIsAConflictForBoth() async throws {
        try await store.configureClass("Note") { options, _ in options.policy = .manual }
        try await store.pull([.make("row", ["v": 1], of: "Note")])
        try await update("row", ["v": 2], as: ada)
        try await update("row", ["v": 4], as: ben)
        try await store.pull([.make("row", ["v": 3], of: "Note", updatedMs: 3000)])
        try await store.resolveConflict(
            try #require(try openConflict(of: ada)).id, keep: "remote", fields: nil, as: ada)
        let second = try #require(try openConflict(of: ben))
        #expect(second.fields == ["v"] && second.remote?.contains(#""v":3"#) == true)
        #expect(second.base?.contains(#""v":1"#) == true && second.local?.contains(#""v":4"#) == true)
        try await store.resolveConflict(second.id, keep: "remote", fields: nil, as: ben)
        #expect(try fields("row") == ["v": 3])
        #expect(try store.pendingChanges(as: .master).isEmpty)
    }

    @Test func theAuthorOfADeletionDecidesAboutItsConflict() async throws {
        try await store.configureClass("Note") { options, _ in options.policy = .manual }
        try await store.pull([.make("row", ["v": 1], of: "Note")])
        try await update("row", ["w": 2], as: ada)
        _ = try await store.perform([.delete(className: "Note", objectId: "row")], as: ben, atomically: false)[0].get()
        try await store.pull([.make("row", ["v": 3], of: "Note", updatedMs: 3000)])
        #expect(try openConflict(of: ada) == nil)
        let conflict = try #require(try openConflict(of: ben))
        #expect(conflict.kind == .deletedLocally)
        try await store.resolveConflict(conflict.id, keep: "remote", fields: nil, as: ben)
        #expect(try fields("row") == ["v": 3, "w": 2])
        #expect(try changes(as: ada) == [#"pending {"w":2}"#])
    }

    @Test func undoingACreateKeepsTheObjectThatAnotherAuthorHasChanged() async throws {
        let id = try await create(["t": "new"], as: ada)
        try await update(id, ["w": 7], as: ben)
        try await store.undoPending(try #require(try store.pendingChanges(as: ada).first).id, as: ada)
        #expect(try fields(id) == ["w": 7])
        #expect(try store.pendingChanges(as: ben).map(\.step.kind) == [.create])
        #expect(try store.pendingChanges(as: ada).isEmpty)
    }

    // MARK: Rights

    @Test func aConflictShowsNoProtectedField() async throws {
        try await store.configureClass("Note") { options, _ in options.policy = .manual }
        var schema = ClassSchema("Note")
        schema.permissions = [
            "find": ["*": true], "get": ["*": true], "update": ["*": true], "addField": ["*": true],
            "protectedFields": ["*": ["pin"]],
        ]
        try await store.takeRemoteSchemas([schema])
        try await store.pull([.make("row", ["t": "a", "pin": "1234"], of: "Note")])
        try await update("row", ["t": "b"], as: ada)
        try await store.pull([.make("row", ["t": "c", "pin": "1234"], of: "Note", updatedMs: 3000)])
        let conflict = try #require(try openConflict(of: ada))
        for text in [conflict.base, conflict.local, conflict.remote] { #expect(text?.contains("1234") == false) }
        #expect(try openConflict(of: .master)?.local?.contains("1234") == true)
    }

    @Test func aConflictShowsNoStateThatTheUserMayNotRead() async throws {
        try await store.configureClass("Note") { options, _ in options.policy = .manual }
        try await store.pull([.make("row", ["t": "a"], of: "Note")])
        try await update("row", ["t": "b"], as: ada)
        try await update("row", ["secret": "bens", "ACL": ["ben": ["read": true, "write": true]]], as: ben)
        try await store.pull([.make("row", ["t": "c"], of: "Note", updatedMs: 3000)])
        let conflict = try #require(try openConflict(of: ada))
        #expect(conflict.local == nil && conflict.remote != nil)
    }

    /// A data directory of a site replica becomes one of a personal replica. The waiting changes in it keep their
    /// authors.
    @Test func changesOfAFormerSiteReplicaAreShownToTheMasterKeyOnly() async throws {
        let directory = try TemporaryDirectory()
        var site: LocalStore? = try LocalStore.make(.replica, in: directory) { $0.rights = .site }
        try await site?.takeRemoteSchemas([ClassSchema("Note")])
        let create = WriteRequest.create(
            className: "Note", body: ["t": "adas", "ACL": ["ada": ["read": true, "write": true]]])
        let id = try await site?.perform([create], as: ada, atomically: false)[0].get().objectId
        if let draft = try site?.draft("meow") {
            _ = try await site?.addFile(draft, name: "cat", contentType: "text/plain", as: ada)
        }
        site = nil
        let later = try LocalStore.make(.replica, in: directory) { $0.rights = .formerSite }
        let change = try #require(try later.pendingChanges(as: .master).first)
        #expect(try later.pendingChanges(as: .public).isEmpty)
        await #expect(throws: StoreError.notFound(what: "pending change \(change.id)")) {
            try await later.undoPending(change.id, as: .public)
        }
        #expect(try !later.fileRights.opens(try #require(try later.file("cat")), for: .public))
        #expect(try later.pendingChanges(as: .master).map(\.objectId) == [id])
        // Changes after the switch have the gateway as their author.
        _ = try await later.perform([.create(className: "Note", body: ["t": "own"])], as: .public, atomically: false)[0]
            .get()
        #expect(try later.pendingChanges(as: .public).count == 1)
    }
}
