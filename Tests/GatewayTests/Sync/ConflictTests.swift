import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

@Suite("Conflicts between local and remote changes")
struct ConflictTests {
    /// Makes an object that remote and replica both have. Then time passes.
    private func shared(_ body: JSONObject) async throws -> (World, String) {
        let world = try await World.make()
        let id = try await world.hub.store.create("Holiday", body)
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        return (world, id)
    }

    @Test func editsOfDifferentFieldsAreMerged() async throws {
        let (world, id) = try await shared(["a": 1, "b": 1])
        try await world.hub.store.update("Holiday", id, ["a": 2])
        try await world.replica.store.update("Holiday", id, ["b": 2])
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["a": 2, "b": 2])
        #expect(try world.replica.store.conflicts(resolved: true).isEmpty)
        try world.expectEqual()
    }

    @Test func conflictingEditsOfOneFieldKeepTheLocalValueAndAreRecorded() async throws {
        let (world, id) = try await shared(["a": 1])
        try await world.hub.store.update("Holiday", id, ["a": 2])
        try await world.replica.store.update("Holiday", id, ["a": 3])
        let summary = try await world.replica.sync()
        #expect(summary.settled == 1)
        #expect(summary.conflicts == 0)
        #expect(try world.hub.store.fields("Holiday", id) == ["a": 3])
        let record = try #require(try world.replica.store.conflicts(resolved: true).first)
        #expect(record.kind == .fields)
        #expect(record.fields == ["a"])
        #expect(record.remote?.contains("\"a\":2") == true)
        try world.expectEqual()
    }

    @Test(arguments: ["local", "remote"]) func aLocalEditOfARemotelyDeletedObjectIsAnOpenConflict(
        keep: String
    ) async throws {
        let (world, id) = try await shared(["a": 1])
        try await world.hub.store.delete("Holiday", id)
        try await world.replica.store.update("Holiday", id, ["a": 2])
        #expect(try await world.replica.sync().conflicts == 1)
        #expect(try world.replica.store.state("Holiday", id) == .conflict)
        #expect(try world.replica.store.fields("Holiday", id) == ["a": 2])
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        #expect(conflict.kind == .deletedRemotely)
        try await world.replica.store.resolveConflict(conflict.id, keep: keep, fields: nil)
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").count == (keep == "local" ? 1 : 0))
        try world.expectEqual()
    }

    @Test(arguments: ["local", "remote"]) func aLocalDeletionOfARemotelyEditedObjectIsAnOpenConflict(
        keep: String
    ) async throws {
        let (world, id) = try await shared(["a": 1])
        try await world.hub.store.update("Holiday", id, ["a": 2])
        try await world.replica.store.delete("Holiday", id)
        try await world.replica.sync()
        #expect(try world.replica.store.fields("Holiday", id) == ["a": 2])
        #expect(try world.hub.store.fields("Holiday", id) == ["a": 2])
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        #expect(conflict.kind == .deletedLocally)
        try await world.replica.store.resolveConflict(conflict.id, keep: keep, fields: nil)
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").count == (keep == "local" ? 0 : 1))
        try world.expectEqual()
    }

    /// A decision may give an object without `keep`. Its fields are set on top of the remote state, if there is one.
    @Test(arguments: [true, false]) func conflictCanBeResolvedByAnObjectWithoutASide(isDeletedThere: Bool) async throws
    {
        let (world, id) = try await shared(["a": 1, "b": 1])
        if isDeletedThere {
            try await world.hub.store.delete("Holiday", id)
            try await world.replica.store.update("Holiday", id, ["a": 2])
        } else {
            try await world.hub.store.update("Holiday", id, ["b": 2])
            try await world.replica.store.delete("Holiday", id)
        }
        try await world.replica.sync()
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        try await world.replica.store.resolveConflict(conflict.id, keep: nil, fields: ["a": 9])
        try await world.replica.sync()
        let objects = try world.hub.store.all("Holiday")
        #expect(objects.values.map { [$0["a"], $0["b"]] } == [[9, isDeletedThere ? nil : 2]])
        #expect(try world.replica.store.conflicts(resolved: true).first?.resolution == "object")
        #expect(try await world.replica.store.figures().pending == 0)
        try world.expectEqual()
    }

    @Test func deletionOnBothSidesIsNoConflict() async throws {
        let (world, id) = try await shared(["a": 1])
        try await world.hub.store.delete("Holiday", id)
        try await world.replica.store.delete("Holiday", id)
        try await world.replica.sync()
        #expect(try await world.replica.store.figures().pending == 0)
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        try world.expectEqual()
    }

    @Test func openConflictIsNeitherLostNorReportedAgainByFurtherSyncs() async throws {
        let (world, edited) = try await shared(["a": 1])
        let deleted = try await world.hub.store.create("Holiday", ["b": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        try await world.hub.store.delete("Holiday", edited)
        try await world.replica.store.update("Holiday", edited, ["a": 2])
        try await world.hub.store.update("Holiday", deleted, ["b": 2])
        try await world.replica.store.delete("Holiday", deleted)
        try await world.replica.sync()
        let open = try world.replica.store.conflicts(resolved: false)
        for _ in 0..<3 {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
        #expect(try world.replica.store.conflicts(resolved: false).map(\.id) == open.map(\.id))
        #expect(open.count == 2)
        #expect(try world.replica.store.fields("Holiday", edited) == ["a": 2])
        #expect(try world.replica.store.fields("Holiday", deleted) == ["b": 2])
        #expect(try world.hub.store.fields("Holiday", deleted) == ["b": 2])
    }

    @Test func conflictResolutionForTheRemoteSideWithValuesIsRefused() async throws {
        let world = try await World.make()
        let id = try await world.hub.store.create("Holiday", ["name": "a"])
        for n in 0..<4 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        try await world.hub.store.delete("Holiday", id)
        try await world.replica.store.update("Holiday", id, ["name": "b"])
        try await world.replica.sync()
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        await #expect(throws: ParseError.self) {
            try await world.replica.store.resolveConflict(conflict.id, keep: "remote", fields: ["name": "c"])
        }
        #expect(try world.replica.store.conflicts(resolved: false).count == 1)
        try await world.replica.store.resolveConflict(conflict.id, keep: "local", fields: ["name": "c"])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").values.contains { $0["name"] == "c" })
        #expect(try await world.replica.store.figures().pending == 0)
    }
}
