import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests conflicts of a class with the policy `manual`, which wait for a user's decision.
@Suite("Conflicts under the policy manual")
struct ManualConflictTests {
    private let world: World
    private let id: String

    /// Makes a conflict: both sides have changed `a`, the remote also `b`, and the replica also `c`.
    init() async throws {
        world = try await World.make()
        try await world.replica.set(["policy": "manual"])
        id = try await world.hub.store.create("Holiday", ["a": 1, "b": 1, "c": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        try await world.hub.store.update("Holiday", id, ["a": 2, "b": 2])
        try await world.replica.store.update("Holiday", id, ["a": 3, "c": 3])
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
    }

    private func conflict() throws -> ListedConflict {
        try #require(try world.replica.store.conflicts(resolved: false).first)
    }

    @Test func manualConflictShowsBaseLocalAndRemoteStateAndSendsNothing() async throws {
        let conflict = try conflict()
        #expect(conflict.fields == ["a"])
        #expect(conflict.base?.contains("\"a\":1") == true)
        #expect(conflict.local?.contains("\"a\":3") == true)
        #expect(conflict.remote?.contains("\"a\":2") == true)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["a": 2, "b": 2, "c": 1])
        #expect(try world.replica.store.fields("Holiday", id) == ["a": 3, "b": 2, "c": 3])
        #expect(try world.replica.store.state("Holiday", id) == .conflict)
    }

    @Test func aDecisionWithTheTagOfAnEarlierStateIsRefused() async throws {
        let seen = try conflict()
        try await world.hub.store.update("Holiday", id, ["a": 7])
        try await world.replica.sync()
        await #expect(throws: StoreError.self) {
            try await world.replica.store.resolveConflict(seen.id, keep: "local", fields: nil, match: .tags([seen.tag]))
        }
        let (status, _) = try await world.replica.send(
            "POST /sync/decisions",
            [
                "decisions": [
                    ["list": "conflicts", "id": .int(Int(seen.id)), "decision": "local", "tag": .string(seen.tag)],
                    ["list": "conflicts", "id": .int(Int(seen.id)), "decision": "local", "object": 3],
                ]
            ],
            clock: world.clock)
        #expect(status == 200)
        let present = try conflict()
        #expect(present.remote?.contains("\"a\":7") == true)
        try await world.replica.store.resolveConflict(
            present.id, keep: "local", fields: nil, match: .tags([present.tag]))
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
    }

    @Test func anUndoWithTheTagOfAnEarlierStateLeavesTheLaterEdit() async throws {
        let other = try await world.replica.store.create("Holiday", ["a": 1])
        let seen = try #require(try world.replica.store.pendingChanges().first { $0.objectId == other })
        try await world.replica.store.update("Holiday", other, ["a": 2])
        await #expect(throws: StoreError.self) {
            try await world.replica.store.undoPending(seen.id, match: .tags([seen.tag]))
        }
        #expect(try world.replica.store.fields("Holiday", other) == ["a": 2])
        let present = try #require(try world.replica.store.pendingChanges().first { $0.objectId == other })
        try await world.replica.store.undoPending(present.id, match: .tags([present.tag]))
    }

    @Test(
        arguments: [
            ("local", nil, ["a": 3, "b": 2, "c": 3]), ("merge", nil, ["a": 3, "b": 2, "c": 3]),
            ("remote", nil, ["a": 2, "b": 2, "c": 1]), ("merge", ["a": 9], ["a": 9, "b": 2, "c": 3]),
            ("local", ["b": 9], ["a": 3, "b": 9, "c": 3]), ("remote", ["c": 9], ["a": 2, "b": 2, "c": 9]),
            (nil, ["a": 9], ["a": 9, "b": 2, "c": 1]),
        ] as [(String?, JSONObject?, JSONObject)])
    func aManualConflictIsResolvedByADecision(keep: String?, object: JSONObject?, result: JSONObject) async throws {
        var body = JSONObject()
        body["keep"] = keep.map { .string($0) }
        body["object"] = object.map { .object($0) }
        let (status, _) = try await world.replica.send(
            "POST /sync/conflicts/\(try conflict().id)", body, clock: world.clock)
        #expect(status == 200)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id) == result)
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        #expect(try await world.replica.store.figures().pending == 0)
        try world.expectEqual()
    }

    @Test func manualConflictIsUpdatedWithANewerRemoteState() async throws {
        let number = try conflict().id
        try await world.hub.store.update("Holiday", id, ["a": 20])
        try await world.replica.sync()
        let conflict = try conflict()
        #expect(conflict.id == number)
        #expect(conflict.remote?.contains("\"a\":20") == true)
        #expect(conflict.base?.contains("\"a\":1") == true)
        try await world.replica.store.resolveConflict(conflict.id, keep: "remote", fields: nil)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["a": 20, "b": 2, "c": 1])
        try world.expectEqual()
    }

    @Test func aRemoteDeletionTurnsAManualConflictIntoADeletionConflict() async throws {
        try await world.hub.store.delete("Holiday", id)
        try await world.replica.sync()
        let conflict = try conflict()
        #expect(conflict.kind == .deletedRemotely)
        #expect(try world.replica.store.conflicts(resolved: false).count == 1)
        try await world.replica.store.resolveConflict(conflict.id, keep: "local", fields: nil)
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").values.first?["a"] == 3)
        try world.expectEqual()
    }

    @Test func aLocalEditDuringAManualConflictIsNotSentAndBecomesPartOfIt() async throws {
        try await world.replica.store.update("Holiday", id, ["a": 4])
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id)?["a"] == 2)
        try await world.replica.store.resolveConflict(try conflict().id, keep: "local", fields: nil)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id)?["a"] == 4)
        try world.expectEqual()
    }

    @Test func openManualConflictsSurviveFurtherSyncs() async throws {
        let number = try conflict().id
        for _ in 0..<3 {
            world.clock.advance(.seconds(30))
            let summary = try await world.replica.sync()
            #expect(summary.conflicts == 0)
        }
        #expect(try conflict().id == number)
        #expect(try await world.replica.store.figures().conflicts == 1)
    }
}
