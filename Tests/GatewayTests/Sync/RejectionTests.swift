import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests changes that the remote has refused permanently (rejections), and the syncs that continue beside them.
@Suite("Changes that the remote has rejected")
struct RejectionTests {
    private let world: World
    private let id: String

    /// Makes a rejection: the remote refuses an update that sets a numeric field to a text.
    init() async throws {
        world = try await World.make(classes: ["Holiday", "Country"])
        id = try await world.hub.store.create("Holiday", ["n": 1, "name": "a"])
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        try await world.replica.store.update("Holiday", id, ["n": "no number"])
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
    }

    private func rejection() throws -> PendingChange {
        try #require(try world.replica.store.rejections().first)
    }

    @Test func objectWithARejectedChangeStillReceivesRemoteChanges() async throws {
        try await world.hub.store.update("Holiday", id, ["name": "b"])
        try await world.replica.sync()
        #expect(try world.replica.store.fields("Holiday", id) == ["n": "no number", "name": "b"])
        #expect(try world.replica.store.state("Holiday", id) == .rejected)
        world.clock.advance(.seconds(60))
        try await world.hub.store.update("Holiday", id, ["n": 5])
        try await world.replica.sync()
        #expect(try world.replica.store.state("Holiday", id) == .rejected)
        try await world.replica.store.giveUpRejection(try rejection().id)
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 5, "name": "b"])
        try await world.replica.sync()
        try world.expectEqual()
    }

    @Test func rejectedChangeDoesNotStopPulls() async throws {
        for n in 0..<5 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        #expect(try await world.replica.sync().pulled == 5)
        #expect(try world.replica.store.all("Holiday").count == 6)
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        #expect(try await world.replica.sync().requests == 1)
    }

    @Test func retryOfARejectedChangeWithACorrectedObjectIsSent() async throws {
        let (_, list) = try await world.replica.send("GET /sync/rejections", clock: world.clock)
        let shown = try #require(list["results"]?.array?.first?.object)
        #expect(shown["code"] == 111)
        #expect(shown["objectId"] == .string(id))
        let number = try #require(shown["id"]?.int)
        let (status, _) = try await world.replica.send(
            "POST /sync/rejections/\(number)/retry", ["object": ["n": 7]], clock: world.clock)
        #expect(status == 200)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 7, "name": "a"])
        #expect(try world.replica.store.rejections().isEmpty)
        try world.expectEqual()
    }

    @Test func retryOfARejectedChangeWithoutACorrectionIsRefusedAgain() async throws {
        try await world.replica.store.retryRejection(try rejection().id, fields: nil)
        #expect(try await world.replica.sync().rejections == 1)
        #expect(try world.replica.store.rejections().count == 1)
    }

    @Test func rejectedChangeDelaysOnlyChangesThatDependOnIt() async throws {
        let holiday = try await world.replica.store.create("Holiday", ["n": "no number either"])
        let pointer = Pointer(className: "Holiday", objectId: holiday).json
        try await world.replica.store.create("Country", ["holiday": pointer])
        try await world.replica.store.create("Country", ["name": "Norway"])
        let summary = try await world.replica.sync()
        #expect((summary.pushed, summary.rejections) == (1, 1))
        #expect(try world.hub.store.all("Country").values.map { $0["name"] } == ["Norway"])
        let number = try #require(try world.replica.store.rejections().first { $0.objectId == holiday }?.id)
        try await world.replica.store.retryRejection(number, fields: ["n": 8])
        try await world.replica.sync()
        #expect(try world.hub.store.all("Country").count == 2)
        #expect(try await world.replica.store.figures().pending == 0)
        try world.expectEqual("Country")
    }

    @Test func remoteDeletionOfAnObjectWithARejectedChangeIsAConflict() async throws {
        try await world.hub.store.delete("Holiday", id)
        #expect(try await world.replica.sync().conflicts == 1)
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        try await world.replica.store.resolveConflict(conflict.id, keep: "remote", fields: nil)
        try await world.replica.sync()
        #expect(try world.replica.store.rejections().isEmpty)
        try world.expectEqual()
    }

    @Test func remoteEditOfAnObjectWithARejectedChangeIsAConflictUnderTheManualPolicy() async throws {
        try await world.replica.set(["policy": "manual"])
        try await world.hub.store.update("Holiday", id, ["n": 5])
        #expect(try await world.replica.sync().conflicts == 1)
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        try await world.replica.store.resolveConflict(conflict.id, keep: "local", fields: nil)
        #expect(try await world.replica.sync().rejections == 1)
        try await world.replica.store.retryRejection(try rejection().id, fields: ["n": 6])
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 6)
        try world.expectEqual()
    }

    @Test func localDeletionOfAnObjectWithARejectedChangeIsSent() async throws {
        try await world.replica.store.delete("Holiday", id)
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").isEmpty)
        #expect(try world.replica.store.rejections().isEmpty)
        try world.expectEqual()
    }

    /// The create was rejected because its answers were lost again and again. It had been executed nevertheless.
    @Test func correctionOfARejectedCreateThatHadArrivedUpdatesTheRemoteObject() async throws {
        let world = try await World.make(allowsChosenIds: true)
        try await world.replica.sync()
        let id = try await world.replica.store.create("Holiday", ["name": "wrong", "n": 1])
        world.transport.set { method, _, body in
            method == "POST" && body.contains("wrong") ? .requestLost : nil
        }
        for n in 0..<12 where try world.replica.store.rejections().isEmpty {
            try await world.replica.store.create("Holiday", ["n": .int(n)])
            _ = await world.replica.engine.startAndWait()
            world.clock.advance(.seconds(60))
        }
        let refused = try #require(try world.replica.store.rejections().first)
        world.transport.heal()
        try await world.hub.store.create("Holiday", ["objectId": .string(id), "name": "wrong", "n": 1])
        // The correction contains the whole object as a client reads it, with id and dates.
        var corrected = try #require(
            try world.replica.store.object("Holiday", id).map { try JSONReader.read($0.json) }?.object)
        corrected["name"] = "right"
        try await world.replica.store.retryRejection(refused.id, fields: corrected)
        for _ in 0..<3 {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
        #expect(try world.hub.store.fields("Holiday", id) == ["name": "right", "n": 1])
        try world.expectEqual()
    }
}
