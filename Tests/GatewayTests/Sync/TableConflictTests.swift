import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

@Suite("Conflicts with a table server")
struct TableConflictTests {
    @Test func remoteEditOfATableRowIsMergedAndSentInTheSameSync() async throws {
        let world = try await TableWorld.sharing(["a": 1, "b": 1])
        world.remote.put("Holiday", "row", ["a": 1, "b": 2])
        try await world.store.update("Holiday", "row", ["a": 2])
        let summary = try await world.sync()
        #expect(summary.pushed == 1)
        #expect(summary.deferred == 0)
        #expect(world.remote.requests.prefix(3) == ["push update", "push update", "pull"])
        #expect(world.remote.fields("Holiday", "row") == ["a": 2, "b": 2])
        #expect(try world.store.conflicts(resolved: true).isEmpty)
        try await world.expectInStep()
    }

    @Test func conflictingEditsOfATableRowKeepTheLocalValueAndAreRecorded() async throws {
        let world = try await TableWorld.sharing(["a": 1])
        world.remote.put("Holiday", "row", ["a": 2])
        try await world.store.update("Holiday", "row", ["a": 3])
        #expect(try await world.sync().settled == 1)
        #expect(world.remote.fields("Holiday", "row") == ["a": 3])
        let record = try #require(try world.store.conflicts(resolved: true).first)
        #expect(record.fields == ["a"])
        #expect(record.remote?.contains("\"a\":2") == true)
        try await world.expectInStep()
    }

    @Test func localAndRemoteIncrementsOfATableRowAddUp() async throws {
        let world = try await TableWorld.sharing(["n": 1])
        world.remote.put("Holiday", "row", ["n": 11])
        try await world.store.update("Holiday", "row", ["n": ["__op": "Increment", "amount": 1]])
        try await world.sync()
        #expect(world.remote.fields("Holiday", "row") == ["n": 12])
        try await world.expectInStep()
    }

    /// The row version shows that the new value is another client's edit, and not a value that the acknowledgement
    /// omitted.
    @Test func remoteEditRightAfterAPushIsRecordedAsAConflict() async throws {
        let world = try await TableWorld.sharing(["a": 1])
        try await world.store.update("Holiday", "row", ["a": 2])
        try await world.sync(SyncRequest(pulls: false))
        world.remote.put("Holiday", "row", ["a": 3])
        try await world.store.update("Holiday", "row", ["a": 4])
        #expect(try await world.sync().settled == 1)
        #expect(try world.store.conflicts(resolved: true).first?.remote?.contains("\"a\":3") == true)
        #expect(world.remote.fields("Holiday", "row") == ["a": 4])
        try await world.expectInStep()
    }

    @Test func tableRowOfUnknownVersionIsReadBeforeAWrite() async throws {
        let world = try await TableWorld.sharing(["a": 1, "b": 1], tellsVersions: false)
        try await world.store.update("Holiday", "row", ["a": 2])
        try await world.sync(SyncRequest(pulls: false))
        world.remote.put("Holiday", "row", ["a": 2, "b": 2])
        world.remote.forgetRequests()
        try await world.store.update("Holiday", "row", ["b": ["__op": "Increment", "amount": 1]])
        try await world.sync()
        #expect(world.remote.requests.prefix(3) == ["fetch", "push update", "pull"])
        #expect(world.remote.fields("Holiday", "row") == ["a": 2, "b": 3])
        try await world.expectInStep()
    }

    @Test func writeOfARowThatKeepsChangingIsDeferredToTheNextSync() async throws {
        let world = try await TableWorld.sharing(["a": 1, "b": 0])
        try await world.store.update("Holiday", "row", ["a": 2])
        world.remote.put("Holiday", "row", ["a": 1, "b": 1])
        world.remote.afterEachPush { [remote = world.remote] in
            remote.put("Holiday", "row", ["a": 1, "b": .int(remote.requests.count)])
        }
        let summary = try await world.sync()
        #expect(summary.deferred == 1)
        #expect(world.count("push update") == 5)
        #expect(try world.store.fields("Holiday", "row")?["a"] == 2)
        world.remote.afterEachPush {}
        try await world.sync()
        #expect(world.remote.fields("Holiday", "row")?["a"] == 2)
        try await world.expectInStep()
    }

    @Test func aConflictUnderTheManualPolicyWaitsForADecision() async throws {
        let world = try await TableWorld.sharing(["a": 1])
        try await world.store.configureClass("Holiday") { options, _ in options.policy = .manual }
        world.remote.put("Holiday", "row", ["a": 2])
        try await world.store.update("Holiday", "row", ["a": 3])
        #expect(try await world.sync().conflicts == 1)
        #expect(world.count("push update") == 1)
        #expect(world.remote.fields("Holiday", "row") == ["a": 2])
        let conflict = try #require(try world.store.conflicts(resolved: false).first)
        try await world.store.resolveConflict(conflict.id, keep: "local", fields: nil)
        try await world.sync()
        #expect(world.remote.fields("Holiday", "row") == ["a": 3])
        try await world.expectInStep()
    }

    @Test(arguments: ["local", "remote"]) func aLocalDeletionOfARemotelyEditedRowIsAnOpenConflict(
        keep: String
    ) async throws {
        let world = try await TableWorld.sharing(["a": 1])
        world.remote.put("Holiday", "row", ["a": 2])
        try await world.store.delete("Holiday", "row")
        #expect(try await world.sync().conflicts == 1)
        #expect(world.remote.fields("Holiday", "row") == ["a": 2])
        let conflict = try #require(try world.store.conflicts(resolved: false).first)
        #expect(conflict.kind == .deletedLocally)
        try await world.store.resolveConflict(conflict.id, keep: keep, fields: nil)
        try await world.sync()
        #expect((world.remote.fields("Holiday", "row") == nil) == (keep == "local"))
        try await world.expectInStep()
    }

    @Test func deletionOfATableRowOnBothSidesIsNoConflict() async throws {
        let world = try await TableWorld.sharing(["a": 1])
        world.remote.delete("Holiday", "row")
        try await world.store.delete("Holiday", "row")
        #expect(try await world.sync().conflicts == 0)
        try await world.expectInStep()
    }
}
