import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import Testing

@Suite("Lost requests and replies of an in-memory table server")
struct TableLossTests {
    @Test(arguments: [TableRemote.Fault.replyLost, .requestLost])
    func tableCreateWithALostRequestOrReplyIsExecutedOnce(fault: TableRemote.Fault) async throws {
        let world = try await TableWorld.sharing(["n": 1])
        world.remote.once(fault, .create)
        let id = try await world.store.create("Holiday", ["n": 2])
        try await world.sync()
        try await world.sync()
        #expect(world.remote.live("Holiday") == ["row": ["n": 1], id: ["n": 2]])
        #expect(world.count("push create") == (fault == .replyLost ? 1 : 2))
        try await world.expectInStep()
    }

    /// The object has no later local changes, so it is removed without a conflict.
    @Test func objectIsRemovedIfItsRowWasDeletedAfterALostCreateReply() async throws {
        let world = try await TableWorld.sharing(["n": 1])
        world.remote.once(.replyLost, .create)
        let id = try await world.store.create("Holiday", ["n": 2])
        world.remote.afterEachPush { [remote = world.remote] in remote.delete("Holiday", id) }
        #expect(try await world.sync().conflicts == 0)
        #expect(try world.store.object("Holiday", id) == nil)
        #expect(world.count("push create") == 1)
        try await world.expectInStep()
    }

    @Test(arguments: ["local", "remote"])
    func localEditIsAConflictIfTheRowWasDeletedAfterALostCreateReply(keep: String) async throws {
        let world = try await TableWorld.sharing(["n": 1])
        world.remote.once(.replyLost, .create)
        let id = try await world.store.create("Holiday", ["n": 2])
        world.remote.afterEachPush { [remote = world.remote] in
            remote.delete("Holiday", id)
            remote.isCut = true
        }
        _ = try await world.failingSync()
        try await world.store.update("Holiday", id, ["n": 3])
        world.remote.afterEachPush {}
        world.remote.isCut = false
        #expect(try await world.sync().conflicts == 1)
        let conflict = try #require(try world.store.conflicts(resolved: false).first)
        #expect(conflict.kind == .deletedRemotely)
        #expect(try world.store.fields("Holiday", id) == ["n": 3])
        world.clock.advance(.seconds(30))
        try await world.store.resolveConflict(conflict.id, keep: keep, fields: nil)
        try await world.sync()
        #expect(world.remote.fields("Holiday", id) == (keep == "local" ? ["n": 3] : nil))
        try await world.expectInStep()
    }

    @Test(arguments: [TableRemote.Fault.replyLost, .requestLost])
    func tableUpdateAfterALostReplyUsesTheNewRowVersion(fault: TableRemote.Fault) async throws {
        let world = try await TableWorld.sharing(["n": 1])
        world.remote.once(fault, .update)
        try await world.store.update("Holiday", "row", ["n": 2])
        try await world.sync()
        try await world.sync()
        #expect(world.remote.fields("Holiday", "row") == ["n": 2])
        let sent = fault == .replyLost ? 1 : 2
        #expect(world.count("push update") == sent)
        try await world.store.update("Holiday", "row", ["n": 3])
        #expect(try await world.sync().settled == 0)
        #expect(world.count("push update") == sent + 1)
        try await world.expectInStep()
    }

    @Test func unchangedRowVersionProvesThatAnIncrementNeverArrived() async throws {
        let world = try await TableWorld.sharing(["n": 1])
        world.remote.once(.requestLost, .update)
        try await world.store.update("Holiday", "row", ["n": ["__op": "Increment", "amount": 1]])
        // During the grace period, the request may still be in flight.
        try await world.sync()
        #expect(world.count("push update") == 1)
        world.clock.advance(.seconds(30))
        try await world.sync()
        #expect(world.remote.fields("Holiday", "row") == ["n": 2])
        #expect(world.count("push update") == 2)
        try await world.expectInStep()
    }

    @Test func incrementOfUnknownOutcomeIsAConflictIfTheRowVersionChanged() async throws {
        let world = try await TableWorld.sharing(["n": 1])
        world.remote.once(.replyLost, .update)
        try await world.store.update("Holiday", "row", ["n": ["__op": "Increment", "amount": 1]])
        try await world.sync()
        let conflict = try #require(try world.store.conflicts(resolved: false).first)
        #expect(conflict.kind == .wasThisApplied)
        try await world.store.resolveConflict(conflict.id, keep: "applied", fields: nil)
        try await world.sync()
        #expect(world.remote.fields("Holiday", "row") == ["n": 2])
        #expect(world.count("push update") == 1)
        try await world.expectInStep()
    }

    /// Makes an open conflict of the kind `wasThisApplied` about a row that the remote then deletes. A pull returns
    /// the tombstone only once.
    private func conflictAboutADeletedRow(_ fault: TableRemote.Fault) async throws -> (TableWorld, ListedConflict) {
        let world = try await TableWorld.sharing(["n": 1])
        world.remote.once(fault, .update)
        try await world.store.update("Holiday", "row", ["n": ["__op": "Increment", "amount": 1]])
        try await world.sync(SyncRequest(pulls: false))
        if fault == .requestLost {
            world.remote.put("Holiday", "row", ["n": 5])
            try await world.sync()
        }
        let question = try #require(try world.store.conflicts(resolved: false).first)
        #expect(question.kind == .wasThisApplied)
        world.remote.delete("Holiday", "row")
        for _ in 0..<2 { try await world.sync() }
        #expect(try world.store.conflicts(resolved: false).map(\.id) == [question.id])
        world.clock.advance(.seconds(30))
        return (world, question)
    }

    @Test func objectIsRemovedIfItsRowWasDeletedAndItsIncrementIsDecidedAsApplied() async throws {
        let (world, question) = try await conflictAboutADeletedRow(.replyLost)
        try await world.store.resolveConflict(question.id, keep: "applied", fields: nil)
        #expect(try world.store.object("Holiday", "row") == nil)
        try await world.sync()
        #expect(world.remote.live("Holiday").isEmpty)
        try await world.expectInStep()
    }

    @Test(arguments: ["local", "remote"])
    func incrementDecidedToBeSentAgainConflictsWithTheDeletionOfItsRow(keep: String) async throws {
        let (world, question) = try await conflictAboutADeletedRow(.requestLost)
        try await world.store.resolveConflict(question.id, keep: "sendAgain", fields: nil)
        let conflict = try #require(try world.store.conflicts(resolved: false).first)
        #expect(conflict.kind == .deletedRemotely)
        try await world.store.resolveConflict(conflict.id, keep: keep, fields: nil)
        try await world.sync()
        #expect(world.remote.fields("Holiday", "row") == (keep == "local" ? ["n": 6] : nil))
        try await world.expectInStep()
    }

    /// A pull returns a tombstone only once. A client that undoes its own deletion must not see the earlier state
    /// again.
    @Test(arguments: [ConflictKind.wasThisApplied, .deletedRemotely])
    func objectDeletedRemotelyStaysRemovedAfterItsLocalDeletionIsUndone(conflict: ConflictKind) async throws {
        let (world, question) = try await conflictAboutADeletedRow(.requestLost)
        if conflict == .deletedRemotely {
            try await world.store.resolveConflict(question.id, keep: "sendAgain", fields: nil)
        }
        #expect(try world.store.conflicts(resolved: false).map(\.kind) == [conflict])
        try await world.store.delete("Holiday", "row")
        let deletion = try #require(try world.store.pendingChanges().first { $0.step.kind == .delete })
        try await world.store.undoPending(deletion.id)
        #expect(try world.store.object("Holiday", "row") == nil)
        try await world.sync()
        #expect(world.remote.live("Holiday").isEmpty)
        try await world.expectInStep()
    }

    @Test(arguments: [TableRemote.Fault.replyLost, .requestLost])
    func aTombstoneProvesADeletionWithALostReply(fault: TableRemote.Fault) async throws {
        let world = try await TableWorld.sharing(["n": 1])
        world.remote.once(fault, .delete)
        try await world.store.delete("Holiday", "row")
        try await world.sync()
        try await world.sync()
        #expect(world.remote.live("Holiday").isEmpty)
        #expect(world.count("push delete") == (fault == .replyLost ? 1 : 2))
        try await world.expectInStep()
    }

    @Test func editByAnotherDeviceIsDetectedAfterALostRequestOrReply() async throws {
        let world = try await TableWorld.sharing(["a": 1, "b": 1])
        world.remote.once(.requestLost, .update)
        try await world.store.update("Holiday", "row", ["a": 2])
        try await world.sync(SyncRequest(pulls: false))
        world.remote.put("Holiday", "row", ["a": 3, "b": 3])
        try await world.sync()
        try await world.sync()
        #expect(world.remote.fields("Holiday", "row") == ["a": 2, "b": 3])
        #expect(try world.store.conflicts(resolved: true).first?.remote?.contains("\"a\":3") == true)
        try await world.expectInStep()
    }
}
