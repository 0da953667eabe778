import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Tests which objects are canaries: known objects that a sync reads to test whether the remote shows objects at all.
@Suite("Objects for a test read of the remote")
struct CanaryTests {
    /// The canaries (known objects) that are read to verify the absence of another object, after a request on the only
    /// known object got no answer.
    private func canaries(afterLosing write: WriteRequest) async throws -> [String] {
        let store = try LocalStore.make(.replica)
        _ = try await store.pull([.make("known", ["n": 1])])
        try await store.write(write)
        _ = try await store.push("known", .unknown(reason: "time-out"))
        return try await store.sync.canaries(of: "Holiday", besides: ["missing"], max: 3).flatMap { $0 }.map(\.objectId)
    }

    @Test func anObjectWithAnUpdateOfUnknownOutcomeIsChosenForTheReadTest() async throws {
        let update = WriteRequest.update(className: "Holiday", objectId: "known", body: ["n": 2])
        #expect(try await canaries(afterLosing: update) == ["known"])
    }

    @Test func anObjectThatALostRequestMayHaveHiddenIsNotChosenForTheReadTest() async throws {
        let delete = WriteRequest.delete(className: "Holiday", objectId: "known")
        #expect(try await canaries(afterLosing: delete).isEmpty)
        let hide = WriteRequest.update(className: "Holiday", objectId: "known", body: ["ACL": [:]])
        #expect(try await canaries(afterLosing: hide).isEmpty)
    }

    @Test func anObjectIsNotChosenWhileAConflictAboutItsRemoteDeletionIsOpen() async throws {
        let store = try LocalStore.make(.replica)
        _ = try await store.pull([.make("known", ["n": 1])])
        try await store.write(.update(className: "Holiday", objectId: "known", body: ["n": 2]))
        #expect(try await store.sync.canaries(of: "Holiday", besides: [], max: 3).count == 1)
        _ = try await store.sync.apply([], gone: ["known"], of: "Holiday")
        #expect(try store.conflicts(resolved: false).map(\.kind) == [.deletedRemotely])
        #expect(try await store.sync.canaries(of: "Holiday", besides: [], max: 3).isEmpty)
    }

    /// The deletion is sent whatever a user decides, but the object no longer counts as known to exist.
    @Test(arguments: [true, false]) func aDeletedObjectIsNotChosenAfterADecisionAboutItsRemoval(
        isKept: Bool
    ) async throws {
        let store = try LocalStore.make(.replica)
        _ = try await store.pull([.make("known", ["n": 1])])
        try await store.delete("known")
        func canaries() async throws -> [String] {
            try await store.sync.canaries(of: "Holiday", besides: [], max: 3).flatMap { $0 }.map(\.objectId)
        }
        #expect(try await canaries() == ["known"])
        try await store.sync.holdRemoval(of: ["known"], in: "Holiday", total: 1)
        let id = try #require(try store.removals().first).id
        if isKept { try await store.keepRemoval(id) } else { try await store.confirmRemoval(id) }
        #expect(try await canaries().isEmpty)
        #expect(try store.steps(of: "known") == ["delete {}"])
    }
}
