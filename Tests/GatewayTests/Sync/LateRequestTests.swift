import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import Testing

/// Tests requests that arrive after their connection was lost, when newer changes of the object exist.
@Suite("Requests that arrive late")
struct LateRequestTests {
    private func written(_ world: World) -> Int {
        world.transport.requests.count { !$0.hasPrefix("GET") && $0.contains("/classes/Holiday") }
    }

    /// Matches creates of the class. Probes for chosen ids have no fields and do not match.
    private let isCreate: @Sendable (String, String, String) -> Bool = { method, path, body in
        method == "POST" && path.hasSuffix("/classes/Holiday") && body.contains(#""n""#)
    }

    private func pending(_ world: World) async throws -> Int { try await world.replica.store.figures().pending }

    /// Checks that the pending change is not sent before the late request arrives, nor during the grace period, and is
    /// sent afterwards.
    private func expectItWaits(_ world: World, until arrive: () async -> Void) async throws {
        let before = written(world)
        for _ in 0..<3 {
            #expect(try await world.replica.sync().deferred == 1)
            world.clock.advance(.seconds(3))
        }
        #expect(written(world) == before)
        #expect(try await pending(world) == 1)
        await arrive()
        try await world.replica.sync()
        world.clock.advance(.seconds(10))
        for _ in 0..<2 { try await world.replica.sync() }
        #expect(written(world) == before + 1)
        #expect(try await pending(world) == 0)
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        try world.expectEqual()
    }

    @Test func updateThatArrivesLateDoesNotOverwriteANewerOne() async throws {
        let world = try await World.make()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        world.transport.once(.late) { method, _, _ in method == "PUT" }
        try await world.replica.store.update("Holiday", id, ["n": 2])
        try await world.replica.sync()
        // The same update is idempotent, so it is sent again without waiting.
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 2])
        try await world.replica.store.update("Holiday", id, ["n": 3])
        try await expectItWaits(world) { await world.transport.arrive() }
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 3])
    }

    @Test func gracePeriodOfAnUnansweredRequestSurvivesARestart() async throws {
        let world = try await World.make()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        world.clock.advance(.seconds(30))
        let directory = try TemporaryDirectory()
        do {
            let replica = try await SyncedReplica(directory, transport: world.transport, clock: world.clock)
            try await replica.sync()
            world.transport.once(.replyLost) { method, _, _ in method == "PUT" }
            try await replica.store.update("Holiday", id, ["n": 2])
            try await replica.sync()
            try await replica.store.update("Holiday", id, ["n": 3])
            await replica.stop()
        }
        let reopened = try await SyncedReplica(directory, transport: world.transport, clock: world.clock)
        let before = written(world)
        #expect(try await reopened.sync().deferred == 1)
        #expect(written(world) == before)
        world.clock.advance(.seconds(12))
        #expect(try await reopened.sync().pushed == 1)
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 3])
    }

    @Test func deletionAfterARepeatedCreateWaitsForTheGracePeriod() async throws {
        let world = try await World.make(allowsChosenIds: true)
        try await world.replica.sync()
        world.transport.once(.late, isCreate)
        let id = try await world.replica.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").count == 1)
        try await world.replica.store.delete("Holiday", id)
        try await expectItWaits(world) { await world.transport.arrive() }
        #expect(try world.hub.store.all("Holiday").isEmpty)
    }

    /// Makes a create whose first request is still on its way and whose repetition was refused.
    private func lateAndThenRefused() async throws -> (World, id: String) {
        let world = try await World.make(allowsChosenIds: true)
        try await world.replica.sync()
        world.transport.once(.late, isCreate)
        let id = try await world.replica.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        world.transport.once(.answer(status: 400, body: #"{"code":142,"error":"too early"}"#), isCreate)
        try await world.replica.sync()
        #expect(try await world.replica.store.figures().rejections == 1)
        return (world, id)
    }

    @Test func deletionAfterACreateRefusedAtItsRepetitionWaitsForTheGracePeriod() async throws {
        let (world, id) = try await lateAndThenRefused()
        try await world.replica.store.delete("Holiday", id)
        try await expectItWaits(world) { await world.transport.arrive() }
        #expect(try world.hub.store.all("Holiday").isEmpty)
    }

    @Test func givenUpCreateThatArrivedLateKeepsEditsOfOthers() async throws {
        let (world, id) = try await lateAndThenRefused()
        await world.transport.arrive()
        world.clock.advance(.seconds(60))
        try await world.hub.store.update("Holiday", id, ["name": "theirs"])
        let rejection = try #require(try world.replica.store.rejections().first)
        try await world.replica.store.giveUpRejection(rejection.id)
        // The sync only pushes, so no pull shows the edit before the deletion is sent.
        try await world.replica.sync(SyncRequest(pulls: false))
        #expect(try world.hub.store.fields("Holiday", id)?["name"] == "theirs")
        #expect(try world.replica.store.conflicts(resolved: false).map(\.kind) == [.deletedLocally])
    }

    @Test func givenUpCreateThatArrivesLateIsDeletedAtTheRemote() async throws {
        let (world, _) = try await lateAndThenRefused()
        let rejection = try #require(try world.replica.store.rejections().first)
        try await world.replica.store.giveUpRejection(rejection.id)
        await world.transport.arrive()
        for _ in 0..<3 {
            world.clock.advance(.seconds(10))
            try await world.replica.sync()
        }
        #expect(try world.hub.store.all("Holiday").isEmpty)
    }

    @Test func correctionOfARefusedUpdateWaitsForTheGracePeriod() async throws {
        let world = try await World.make()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        world.transport.once(.late) { method, _, _ in method == "PUT" }
        try await world.replica.store.update("Holiday", id, ["n": 2])
        try await world.replica.sync()
        world.transport.once(.answer(status: 400, body: #"{"code":142,"error":"too early"}"#)) { method, _, _ in
            method == "PUT"
        }
        try await world.replica.sync()
        let rejection = try #require(try world.replica.store.rejections().first)
        try await world.replica.store.retryRejection(rejection.id, fields: ["n": 3])
        try await world.replica.sync()
        await world.transport.arrive()
        for _ in 0..<3 {
            world.clock.advance(.seconds(10))
            try await world.replica.sync()
        }
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 3])
        try world.expectEqual()
    }
}
