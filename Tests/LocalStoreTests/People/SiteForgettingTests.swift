import Foundation
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Synchronization
import Testing

@testable import LocalStore

/// The removal of a user's changes from a site replica.
@Suite struct SiteForgettingTests {
    private let store: LocalStore
    private let ada = Principal.signedIn("ada")
    private let ben = Principal.signedIn("ben")

    init() async throws {
        store = try LocalStore.make(.replica) { $0.rights = .site }
        try await store.takeRemoteSchemas([ClassSchema("Note"), ClassSchema("_Role"), ClassSchema("_User")])
        try await store.pull([.make("known", ["n": 1], of: "Note")])
    }

    private func write(_ request: WriteRequest, as principal: Principal) async throws -> String {
        try await store.perform([request], as: principal, atomically: false)[0].get().objectId
    }

    @discardableResult
    private func create(_ body: JSONObject, as principal: Principal) async throws -> String {
        try await write(.create(className: "Note", body: body), as: principal)
    }

    private func update(_ objectId: String, _ body: JSONObject, as principal: Principal) async throws {
        _ = try await write(.update(className: "Note", objectId: objectId, body: body), as: principal)
    }

    private func delete(_ objectId: String, as principal: Principal) async throws {
        _ = try await write(.delete(className: "Note", objectId: objectId), as: principal)
    }

    private func forget(_ userId: String = "ada") async throws {
        try await store.people.forget(userId: userId) { _ in }
        #expect(try store.invariantViolations() == [])
        #expect(try await store.people.waitingWork(of: userId).isEmpty)
    }

    private func n(_ objectId: String) throws -> JSONValue? { try store.fields(objectId, of: "Note")?["n"] }

    private func sending() async throws -> any SyncStore { try await store.sync.sending(for: .user("ada")) }

    private func settle(_ objectId: String, _ settlement: Settlement) async throws {
        let sending = try await sending()
        try await sending.settle([(try await sending.freeze(objectId), settlement)])
    }

    @Test func onlyTheForgottenUsersChangesAreListedForRemoval() async throws {
        let id = try await create(["n": 2], as: ada)
        try await update("known", ["n": 3], as: ben)
        #expect(try await store.people.waitingWork(of: "ada").changes.map(\.objectId) == [id])
        #expect(try await store.people.waitingWork(of: "ben").changes.map(\.objectId) == ["known"])
        #expect(try await store.people.waitingWork(of: "kay").isEmpty)
    }

    @Test func aFailedCheckOfAForgottenUsersChangesRemovesNothing() async throws {
        try await update("known", ["n": 2], as: ada)
        let seen = Mutex(0)
        await #expect(throws: ParseError.objectNotFound) {
            try await store.people.forget(userId: "ada") { work in
                seen.withLock { $0 = work.changes.count }
                throw ParseError.objectNotFound
            }
        }
        #expect(seen.withLock { $0 } == 1)
        #expect(try n("known") == 2)
    }

    @Test func forgettingAUserRestoresTheRemoteStateOfObjects() async throws {
        let start = try store.changes(since: nil, classes: nil, limit: 1).next
        try await store.pull([.make("gone", ["n": 5], of: "Note")])
        let id = try await create(["n": 2], as: ada)
        try await update("known", ["n": 2], as: ada)
        try await delete("gone", as: ada)
        try await forget()
        #expect(try n("known") == 1)
        #expect(try n("gone") == 5)
        #expect(try store.object("Note", id) == nil)
        let kinds = try store.changes(since: start, classes: ["Note"], limit: 100).entries.suffix(3)
            .map { "\($0.kind) \($0.objectId)" }
        #expect(kinds.sorted() == ["create gone", "delete \(id)", "update known"])
        #expect(try await store.sync.waitingAuthors() == [])
    }

    @Test func forgettingAUserKeepsTheChangesOfOthers() async throws {
        try await update("known", ["n": 2, "a": 1], as: ada)
        try await update("known", ["b": 1], as: ben)
        try await forget()
        #expect(try store.fields("known", of: "Note") == ["n": 1, "b": 1])
        #expect(try store.steps(of: "known") == [#"update {"b":1}"#])
    }

    /// The object is not on the remote, so the change of the other author creates it.
    @Test func anotherAuthorsChangeOfAForgottenUsersNewObjectCreatesIt() async throws {
        let id = try await create(["n": 2, "count": 7], as: ada)
        try await update(id, ["text": "by ben", "count": .increment(1)], as: ben)
        try await update(id, ["more": 1], as: .master)
        try await forget()
        #expect(try store.fields(id, of: "Note") == ["text": "by ben", "count": 1, "more": 1])
        #expect(try store.steps(of: id) == [#"create {"text":"by ben","count":1}"#, #"update {"more":1}"#])
        #expect(try await store.sync.waitingAuthors() == [.user("ben")])
    }

    @Test func anotherAuthorsDeletionOfAForgottenUsersNewObjectIsNotSent() async throws {
        let id = try await create(["n": 2], as: ada)
        try await delete(id, as: ben)
        try await forget()
        #expect(try store.steps(of: id) == [])
        #expect(try await store.sync.waitingAuthors() == [])
    }

    @Test func forgettingAUserDropsRejectionsAndRequestsOfUnknownOutcome() async throws {
        try await store.pull([.make("refused", ["n": 1], of: "Note")])
        let id = try await create(["n": 2], as: ada)
        for object in ["known", "refused"] { try await update(object, ["n": 2], as: ada) }
        try await settle("refused", .rejected(code: 101, message: "no"))
        try await settle(id, .unknown(reason: "cut"))
        try await settle("known", .unknown(reason: "cut"))
        #expect(try await store.people.waitingWork(of: "ada").changes.count == 3)
        try await forget()
        for object in ["known", "refused"] { #expect(try n(object) == 1) }
        #expect(try store.object("Note", id) == nil)
        // The next sync reads the row that the remote may have changed.
        #expect(try await store.sync.provisionalIds(of: "Note") == ["known"])
        try await store.pull([.make("known", ["n": 2], of: "Note", updatedMs: 3000)])
        #expect(try n("known") == 2)
    }

    /// The answer to a request arrives after the removal.
    @Test func anAnswerForARemovedChangeIsIgnored() async throws {
        try await update("known", ["n": 2], as: ada)
        let sending = try await sending()
        let entry = try await sending.freeze("known")
        try await forget()
        try await sending.settle([(entry, .applied("known", updatedMs: 3000))])
        #expect(try n("known") == 1)
        #expect(try store.invariantViolations() == [])
    }

    @Test func forgettingAUserClosesTheUsersConflicts() async throws {
        try await store.configureClass("Note") { options, _ in options.policy = .manual }
        try await update("known", ["n": 2], as: ada)
        try await store.pull([.make("known", ["n": 3], of: "Note", updatedMs: 3000)])
        #expect(try await store.people.waitingWork(of: "ada").conflicts.count == 1)
        try await forget()
        #expect(try n("known") == 3)
        #expect(try store.conflicts(resolved: false).isEmpty)
        #expect(try store.conflicts(resolved: true).map(\.resolution) == ["remote"])
    }

    @Test func aConflictAboutTheChangesOfOthersStaysOpen() async throws {
        try await store.configureClass("Note") { options, _ in options.policy = .manual }
        try await update("known", ["n": 2], as: ada)
        try await update("known", ["n": 4], as: ben)
        try await store.pull([.make("known", ["n": 3], of: "Note", updatedMs: 3000)])
        try await forget()
        #expect(try store.conflicts(resolved: false, as: ben).count == 1)
        #expect(try await store.people.waitingWork(of: "ben").conflicts.count == 1)
    }

    @Test func forgettingAUserRemovesObjectsThatTheRemoteHasDeleted() async throws {
        try await update("known", ["n": 2], as: ada)
        try await store.pull([.make("other", ["n": 1], of: "Note")], gone: ["known"])
        #expect(try store.conflicts(resolved: false).map(\.kind) == [.deletedRemotely])
        try await forget()
        #expect(try store.object("Note", "known") == nil)
        #expect(try store.conflicts(resolved: false).isEmpty)
    }

    @Test func forgettingAUserRemovesTheUsersFiles() async throws {
        for name in ["own", "loose", "shared"] {
            _ = try await store.addFile(try store.draft(name), name: name, contentType: "text/plain", as: ada)
        }
        try await create(["file": .file("own")], as: ada)
        try await create(["file": .file("shared")], as: ada)
        try await create(["file": .file("shared")], as: ben)
        #expect(try await store.people.waitingWork(of: "ada").files.map(\.name) == ["loose", "own", "shared"])
        #expect(try await store.people.waitingWork(of: "ben").files.map(\.name) == ["shared"])
        try await forget()
        #expect(try store.file("own") == nil)
        #expect(try store.file("loose") == nil)
        #expect(try store.text(of: "shared") == "shared")
    }
}
