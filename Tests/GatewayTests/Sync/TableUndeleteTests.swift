import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests a table row that is deleted remotely and edited locally. A user must decide which side to keep.
@Suite("Undeletion of remotely deleted table rows")
struct TableUndeleteTests {
    private let world: TableWorld

    init() async throws {
        world = try await TableWorld.sharing(["a": 1, "b": 1])
        world.remote.delete("Holiday", "row")
        try await world.store.update("Holiday", "row", ["a": 2, "b": ["__op": "Delete"]])
        #expect(try await world.sync().conflicts == 1)
        world.remote.forgetRequests()
        world.clock.advance(.seconds(30))
    }

    private func decide(_ keep: String) async throws {
        let conflict = try #require(try world.store.conflicts(resolved: false).first)
        #expect(conflict.kind == .deletedRemotely)
        try await world.store.resolveConflict(conflict.id, keep: keep, fields: nil)
    }

    @Test func objectKeptOverARemoteDeletionIsUndeletedUnderItsId() async throws {
        try await decide("local")
        let summary = try await world.sync()
        #expect(summary.pushed == 1)
        #expect(summary.rejections == 0)
        #expect(world.remote.requests.prefix(4) == ["push create", "fetch", "push undelete", "pull"])
        #expect(world.remote.live("Holiday") == ["row": ["a": 2]])
        try await world.expectInStep()
    }

    @Test func objectGivenUpAfterARemoteDeletionIsRemovedLocally() async throws {
        try await decide("remote")
        try await world.sync()
        #expect(world.remote.live("Holiday").isEmpty)
        try await world.expectInStep()
    }

    @Test func objectWithAnUndecidedDeletionConflictStaysLocalAndDeletedAtTheRemote() async throws {
        for _ in 0..<2 {
            try await world.sync()
            world.clock.advance(.seconds(30))
        }
        #expect(world.remote.live("Holiday").isEmpty)
        #expect(try world.store.fields("Holiday", "row") == ["a": 2])
        #expect(try world.store.conflicts(resolved: false).count == 1)
    }

    @Test(arguments: [TableRemote.Fault.refused, .unauthorized])
    func undeleteThatWasNotExecutedStaysPending(fault: TableRemote.Fault) async throws {
        try await decide("local")
        world.remote.once(fault, .undelete)
        _ = try await world.failingSync()
        #expect(try await world.store.figures().rejections == 0)
        #expect(try await world.store.figures().pending == 1)
        world.clock.advance(.seconds(30))
        try await world.sync()
        #expect(world.remote.live("Holiday") == ["row": ["a": 2]])
        try await world.expectInStep()
    }

    @Test(arguments: [TableRemote.Fault.replyLost, .requestLost])
    func undeleteWithALostRequestOrReplySucceeds(fault: TableRemote.Fault) async throws {
        try await decide("local")
        world.remote.once(fault, .undelete)
        try await world.sync()
        try await world.sync()
        #expect(world.remote.live("Holiday") == ["row": ["a": 2]])
        #expect(world.count("push undelete") == (fault == .replyLost ? 1 : 2))
        try await world.expectInStep()
    }

    @Test func anEditOfARowThatAnotherDeviceHasUndeletedIsSent() async throws {
        try await decide("local")
        world.remote.put("Holiday", "row", ["a": 1, "c": 3])
        try await world.sync()
        try await world.sync()
        try await world.expectInStep()
        #expect(try await world.store.figures().rejections == 0)
    }
}
