import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Removes the changes of a user from a site replica after other users have changed the user's new object.
@Suite("Removal of users whose objects others have changed")
struct ForgottenAuthorTests {
    private static func user(_ id: String) -> Principal {
        .user(SignedInUser(objectId: id, roles: [], sessionId: SessionDigest(of: id).text))
    }

    /// A site replica in which Ada has created an object that Ben has changed, and the request for Ada's create got no
    /// answer.
    private func site() async throws -> (LocalStore, OutboxEntry) {
        let store = try LocalStore.make(.replica) { $0.rights = .site }
        try await store.takeRemoteSchemas([ClassSchema("Holiday")])
        let created = try await store.perform(
            [.create(className: "Holiday", body: ["n": 1])], as: Self.user("ada"), atomically: false)
        let id = try #require(created.first?.get().objectId)
        _ = try await store.perform(
            [.update(className: "Holiday", objectId: id, body: ["m": 2])], as: Self.user("ben"), atomically: false)
        let queue = try await store.sync(as: .gateway).sending(for: .user("ada"))
        let first = try #require(try await queue.outbox(limit: 1).first)
        let entry = try #require(try await queue.freeze([first], at: ParseDate(milliseconds: 1)).first)
        try await queue.settle([(entry, .unknown(reason: "time-out", at: nil, code: nil))])
        return (store, entry)
    }

    @Test func aForgottenUsersCreateOfUnknownOutcomeIsKeptIfOthersChangedTheObject() async throws {
        let (store, entry) = try await site()
        await #expect(throws: StoreError.self) { try await store.people.forget(userId: "ada") { _ in } }
        let queue = store.sync(as: .gateway)
        #expect(try await queue.sending(for: .user("ada")).unknownOutcomes().map(\.id) == [entry.id])
        // The remote does not have the object.
        try await queue.sending(for: .user("ada")).settle([(entry, .notExecuted(wasAttempted: false, error: nil))])
        try await store.people.forget(userId: "ada") { _ in }
        let left = try await queue.sending(for: .user("ben")).outbox(limit: 10)
        #expect(left.map(\.step.kind) == [.create])
        #expect(left.first?.step.operations.json == ["m": 2])
    }
}
