import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests objects that the remote accepts but hides from this gateway by their ACL.
@Suite("Objects hidden by ACL")
struct HiddenObjectTests {
    private static let acl: JSONValue = ["someone": ["read": true, "write": true]]

    private let world: World

    init() async throws {
        world = try await World.make()
        for n in 0..<3 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        try await world.replica.sync()
    }

    private func sync() async throws -> SyncSummary {
        world.clock.advance(.seconds(60))
        return try await world.replica.sync()
    }

    /// Creates an object that the remote accepts and hides from the replica, whose requests have no user.
    private func hidden(_ options: JSONObject = [:]) async throws -> String {
        try await world.replica.set(options)
        _ = try await sync()
        let local = try await world.replica.store.create("Holiday", ["n": 10, "ACL": Self.acl])
        try await world.replica.sync(SyncRequest(pulls: false))
        return try #require(try world.replica.store.object("Holiday", local)?.objectId)
    }

    @Test(arguments: [[:], ["pulls": [["name": "some", "where": ["n": ["$gte": 0]]]]]] as [JSONObject])
    func objectsThatAnACLHidesAtTheRemoteAreKeptLocally(options: JSONObject) async throws {
        let id = try await hidden(options)
        for _ in 0..<3 { _ = try await sync() }
        #expect(try world.replica.store.object("Holiday", id) != nil)
        #expect(try world.replica.store.all("Holiday").count == 4)
        #expect(try world.replica.store.removals().isEmpty)
        #expect(try await sync().requests == 1)
    }

    @Test func deletionsByOthersAreFoundBesideObjectsHiddenByACL() async throws {
        let id = try await hidden()
        let gone = try #require(try world.hub.store.all("Holiday").first { $0.value["n"] == 1 }?.key)
        try await world.hub.store.delete("Holiday", gone)
        #expect(try await sync().removed == 1)
        #expect(try world.replica.store.object("Holiday", id) != nil)
        #expect(try world.replica.store.object("Holiday", gone) == nil)
    }

    @Test func auditDoesNotRemoveObjectsHiddenByACL() async throws {
        let id = try await hidden()
        let summary = try await world.replica.sync(SyncRequest(audits: true))
        #expect(summary.removed + summary.repaired == 0)
        #expect(try world.replica.store.object("Holiday", id) != nil)
    }

    /// Checks that the pending change is rejected with code 101, which the server answers if the ACL allows neither
    /// reading nor writing.
    private func expectRefused(_ id: String) async throws {
        #expect(try await sync().rejections == 1)
        #expect(try world.replica.store.rejections().map(\.code) == [101])
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        #expect(try world.replica.store.conflicts(resolved: true).isEmpty)
        let refused = try #require(try world.replica.store.rejections().first)
        #expect(refused.error?.hasPrefix("Object not found. ") == true)
        try await world.replica.store.giveUpRejection(refused.id)
        #expect(try world.replica.store.fields("Holiday", id)?["n"] == 10)
    }

    @Test(arguments: ["merge", "remote", "local"])
    func refusedEditOfAnObjectHiddenByACLIsRejectedWithoutAConflict(policy: String) async throws {
        let id = try await hidden(["policy": .string(policy)])
        try await world.replica.store.update("Holiday", id, ["n": 11])
        try await expectRefused(id)
    }

    @Test func refusedDeletionOfAnObjectHiddenByACLIsNotTakenForSuccess() async throws {
        let id = try await hidden()
        try await world.replica.store.delete("Holiday", id)
        try await expectRefused(id)
    }

    /// The ACL may allow writing without reading, so a read before the write would prove nothing.
    @Test func editOfAnObjectHiddenByACLIsSentWithoutAPrecedingRead() async throws {
        try await world.replica.set([:])
        _ = try await sync()
        let local = try await world.replica.store.create("Holiday", ["n": 10, "ACL": ["*": ["write": true]]])
        try await world.replica.sync(SyncRequest(pulls: false))
        let id = try #require(try world.replica.store.object("Holiday", local)?.objectId)
        try await world.replica.store.update("Holiday", id, ["n": 11])
        try await world.replica.sync(SyncRequest(pulls: false))
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 11)
        #expect(try await world.replica.store.figures().pending == 0)
    }

    /// The object may have been deleted, or the remote's list may lag behind its writes.
    @Test func newPublicObjectMissingAtTheRemoteIsKeptAtFirst() async throws {
        try await world.replica.store.create("Holiday", ["n": 10, "ACL": ["*": ["read": true]]])
        try await world.replica.sync(SyncRequest(pulls: false))
        let made = try #require(try world.hub.store.all("Holiday").first { $0.value["n"] == 10 }?.key)
        try await world.hub.store.delete("Holiday", made)
        _ = try await sync()
        #expect(try world.replica.store.all("Holiday").count == 4)
    }
}
