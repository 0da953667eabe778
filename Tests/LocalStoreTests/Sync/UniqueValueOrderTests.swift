import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Tests the order in which changes with unique values, such as the name of a role, are sent.
@Suite("Order of changes with unique values")
struct UniqueValueOrderTests {
    private static let acl: JSONValue = ["*": ["read": true, "write": true]]

    private func roles(isSite: Bool) async throws -> LocalStore {
        let store = try LocalStore.make(.replica) { if isSite { $0.rights = .site } }
        try await store.takeRemoteSchemas([ClassSchema("_Role"), ClassSchema("_User")])
        try await store.pull([.make("r1", ["name": "crew", "ACL": Self.acl], of: "_Role")])
        return store
    }

    private func write(_ request: WriteRequest, as principal: Principal, in store: LocalStore) async throws -> String {
        try await store.perform([request], as: principal, atomically: false)[0].get().objectId
    }

    private func role(_ name: String) -> WriteRequest {
        .create(className: "_Role", body: ["name": .string(name), "ACL": Self.acl])
    }

    private func settle(
        _ settlement: Settlement, in queue: any SyncStore, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let first = try #require(try await queue.outbox(limit: 1).first, sourceLocation: sourceLocation)
        let entry = try #require(
            try await queue.freeze([first], at: ParseDate(milliseconds: 1)).first, sourceLocation: sourceLocation)
        try await queue.settle([(entry, settlement)])
    }

    @Test func aRoleWaitsForTheDeletionOfTheRoleWithItsName() async throws {
        let store = try await roles(isSite: false)
        _ = try await write(.delete(className: "_Role", objectId: "r1"), as: .master, in: store)
        let id = try await write(role("crew"), as: .master, in: store)
        let other = try await write(role("others"), as: .master, in: store)
        let queue = store.sync(as: .gateway)
        #expect(try await queue.outbox(limit: 10).map(\.objectId) == ["r1", other])
        try await settle(.unknown(reason: "time-out"), in: queue)
        #expect(try await queue.outbox(limit: 10).map(\.objectId) == [other])
        let deletion = try #require(try await queue.unknownOutcomes().first)
        try await queue.settle([(deletion, .deletionDone)])
        #expect(try await queue.outbox(limit: 10).map(\.objectId) == [id, other])
    }

    /// Each author's changes are sent under a session of its own, first those of the master key.
    @Test func aRoleWaitsForAnotherAuthorsDeletionOfTheRoleWithItsName() async throws {
        let store = try await roles(isSite: true)
        let ben = Principal.signedIn("ben")
        _ = try await write(.delete(className: "_Role", objectId: "r1"), as: ben, in: store)
        let id = try await write(role("crew"), as: .master, in: store)
        let queue = store.sync(as: .gateway)
        #expect(try await queue.outbox(limit: 10).isEmpty)
        try await settle(.deletionDone, in: try await queue.sending(for: .user("ben")))
        #expect(try await queue.outbox(limit: 10).map(\.objectId) == [id])
    }

    /// A refused deletion does not free the name. The server then refuses the create, and both refusals are listed.
    @Test func aRefusedDeletionDoesNotDelayARoleWithTheSameName() async throws {
        let store = try await roles(isSite: false)
        _ = try await write(.delete(className: "_Role", objectId: "r1"), as: .master, in: store)
        let id = try await write(role("crew"), as: .master, in: store)
        let queue = store.sync(as: .gateway)
        try await settle(.rejected(code: 119, message: "Permission denied"), in: queue)
        #expect(try await queue.outbox(limit: 10).map(\.objectId) == [id])
    }

    /// The role is made, deleted and made again before anything is sent, and the first create has no answer.
    @Test func aCreateOfUnknownOutcomeReservesItsName() async throws {
        let store = try LocalStore.make(.replica)
        try await store.takeRemoteSchemas([ClassSchema("_Role"), ClassSchema("_User")])
        let queue = store.sync(as: .gateway)
        let first = try await write(role("crew"), as: .master, in: store)
        try await settle(.unknown(reason: "time-out"), in: queue)
        _ = try await write(.delete(className: "_Role", objectId: first), as: .master, in: store)
        let second = try await write(role("crew"), as: .master, in: store)
        #expect(try await queue.outbox(limit: 10).isEmpty)
        let create = try #require(try await queue.unknownOutcomes().first)
        try await queue.settle([(create, .deletionDone)])
        #expect(try await queue.outbox(limit: 10).map(\.objectId) == [second])
    }

    @Test func anInstallationWaitsForTheDeletionOfTheOneWithItsInstallationId() async throws {
        let store = try LocalStore.make(.replica)
        let body: JSONObject = ["installationId": "phone", "deviceType": "ios", "deviceToken": "0f"]
        try await store.pull([.make("i1", body, of: "_Installation")])
        _ = try await write(.delete(className: "_Installation", objectId: "i1"), as: .master, in: store)
        _ = try await write(.create(className: "_Installation", body: body), as: .master, in: store)
        #expect(try await store.sync(as: .gateway).outbox(limit: 10).map(\.objectId) == ["i1"])
    }
}
