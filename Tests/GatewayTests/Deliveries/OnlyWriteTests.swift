import GatewayAPI
import HTTPTypes
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import Testing

@testable import Gateway

/// Tests writes that go to the remote at once or nowhere.
@Suite("Writes that never queue")
struct OnlyWriteTests {
    private func makeWorld(isTakingIds: Bool = false) async throws -> World {
        let world = try await World.make(allowsChosenIds: isTakingIds)
        try await world.replica.sync()
        return world
    }

    private func send(
        _ world: World, _ line: String, _ body: JSONObject? = nil, isImpatient: Bool = false
    ) async throws -> DeliveryClient.Answer {
        try await world.client(isImpatient: isImpatient).send(line, body, prefer: DeliveryClient.only)
    }

    private func expectNoTrace(_ world: World, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let store = world.replica.store
        #expect(try await store.waitingWork().isEmpty, sourceLocation: sourceLocation)
        #expect(try store.rejections().isEmpty, sourceLocation: sourceLocation)
        #expect(try store.invariantViolations() == [], sourceLocation: sourceLocation)
    }

    /// Syncs after the grace period of an unanswered request.
    private func prove(_ world: World) async throws {
        world.transport.heal()
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
    }

    // MARK: Online

    @Test(arguments: [false, true]) func writesAreOnTheRemoteWhenTheyAreAnswered(isTakingIds: Bool) async throws {
        let world = try await makeWorld(isTakingIds: isTakingIds)
        let created = try await send(world, "POST /classes/Holiday", ["n": 1])
        #expect(created.status == 201 && created.state == "synced", "\(created.body)")
        #expect(created.applied == "tidegate-remote=only")
        let id = try #require(created.body["objectId"]?.string)
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 1])
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 1])
        // States of one millisecond have the same name.
        world.clock.advance(.seconds(1))
        let updated = try await send(world, "PUT /classes/Holiday/\(id)", ["n": ["__op": "Increment", "amount": 2]])
        #expect(updated.status == 200 && updated.state == "synced", "\(updated.body)")
        #expect(updated.body["n"] == 3)
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 3])
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 3])
        world.clock.advance(.seconds(1))
        let deleted = try await send(world, "DELETE /classes/Holiday/\(id)")
        #expect(deleted.status == 200 && deleted.state == "synced", "\(deleted.body)")
        #expect(try world.hub.store.all("Holiday").isEmpty)
        #expect(try world.replica.store.all("Holiday").isEmpty)
        try await expectNoTrace(world)
        try await world.replica.sync()
        try world.expectEqual()
    }

    @Test func earlierWritesAreSentFirst() async throws {
        let world = try await makeWorld()
        let day = try await world.replica.store.create("Holiday", ["n": 1])
        let pointer = Pointer(className: "Holiday", objectId: day)
        let answer = try await send(world, "POST /classes/Holiday", ["day": pointer.json])
        #expect(answer.status == 201, "\(answer.body)")
        let theirs = try #require(try world.replica.store.object("Holiday", day)?.objectId)
        let id = try #require(answer.body["objectId"]?.string)
        #expect(try world.hub.store.fields("Holiday", id)?["day"]?.object?["objectId"] == .string(theirs))
    }

    @Test func clientsSeeTheChangeOnlyAfterTheRemoteHasTakenIt() async throws {
        let world = try await makeWorld()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        let position = try world.replica.store.changes(since: nil, classes: nil, limit: 1).next
        // The first request reads the object.
        let gate = world.transport.close(after: 1)
        let waiting = Task { try await send(world, "PUT /classes/Holiday/\(id)", ["n": 2]) }
        await gate.untilReached()
        #expect(try await world.replica.store.waitingWork().changes.map(\.step.phase) == [.inFlight])
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 1])
        #expect(try world.replica.store.state("Holiday", id) == .synced)
        gate.open()
        #expect(try await waiting.value.status == 200)
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 2])
        let changes = try world.replica.store.changes(since: position, classes: nil, limit: 10).entries
        #expect(changes.count == 1)
    }

    /// The client of the edit has not seen the change that was on its way.
    @Test(arguments: [false, true]) func editDuringAWriteMeetsItAsAConflict(isAnswerLost: Bool) async throws {
        let world = try await makeWorld()
        let id = try await world.hub.store.create("Holiday", ["seat": "free"])
        try await world.replica.set(["policy": "manual"])
        try await world.replica.sync()
        world.clock.advance(.seconds(1))
        if isAnswerLost { world.loseNextWrite(.replyLost) }
        let gate = world.transport.close(after: 1)
        let waiting = Task { try await send(world, "PUT /classes/Holiday/\(id)", ["seat": "Ada's"]) }
        await gate.untilReached()
        try await world.replica.store.update("Holiday", id, ["seat": "Ben's"])
        gate.open()
        #expect(try await waiting.value.status == (isAnswerLost ? 504 : 200))
        try await prove(world)
        #expect(try world.hub.store.fields("Holiday", id) == ["seat": "Ada's"])
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        #expect(conflict.kind == .fields && conflict.fields == ["seat"])
        #expect(try world.replica.store.invariantViolations() == [])
    }

    // MARK: Offline and refused

    @Test func offlineWriteLeavesNoTrace() async throws {
        let world = try await makeWorld()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        world.transport.set { _, _, _ in .refused }
        for (line, body) in [
            ("POST /classes/Holiday", ["n": 2] as JSONObject), ("PUT /classes/Holiday/\(id)", ["n": 3]),
            ("DELETE /classes/Holiday/\(id)", [:]),
        ] {
            let answer = try await send(world, line, body)
            #expect(answer.status == 503 && answer.code == 100, "\(line): \(answer.body)")
            try await expectNoTrace(world)
        }
        world.transport.heal()
        try await prove(world)
        #expect(try world.hub.store.all("Holiday").count == 1)
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 1])
        try world.expectEqual()
    }

    @Test func writeIsNotSentWhileSyncingIsPaused() async throws {
        let world = try await makeWorld()
        try await world.replica.engine.pause()
        let answer = try await send(world, "POST /classes/Holiday", ["n": 1])
        #expect(answer.status == 503 && answer.code == 100)
        try await expectNoTrace(world)
    }

    @Test func writeThatIsNotSentInTimeLeavesNoTrace() async throws {
        let world = try await makeWorld()
        let answer = try await send(world, "POST /classes/Holiday", ["n": 1], isImpatient: true)
        guard answer.status != 504 else { return }
        #expect(answer.status == 503 && answer.code == 100, "\(answer.body)")
        try await prove(world)
        #expect(try world.hub.store.all("Holiday").isEmpty)
        try await expectNoTrace(world)
    }

    @Test func refusalIsTheAnswerAndNoRejection() async throws {
        let world = try await makeWorld()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        let created = try await send(world, "POST /classes/Holiday", ["n": "text"])
        #expect(created.status == 400 && created.code == 111, "\(created.body)")
        #expect(created.body["error"] == "schema mismatch for Holiday.n; expected Number but got String")
        #expect(created.state == nil)
        try await expectNoTrace(world)
        try await world.replica.sync()
        try await world.hub.store.delete("Holiday", id)
        let updated = try await send(world, "PUT /classes/Holiday/\(id)", ["n": 2])
        #expect(updated.status == 404 && updated.code == 101, "\(updated.body)")
        try await prove(world)
        try await expectNoTrace(world)
        #expect(try world.hub.store.all("Holiday").isEmpty)
    }

    @Test func objectWithAPendingChangeThatCannotBeSentRefusesTheWrite() async throws {
        let world = try await makeWorld()
        try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        let id = try await world.replica.store.create("Holiday", ["n": "text"])
        try await world.replica.sync()
        let answer = try await send(world, "PUT /classes/Holiday/\(id)", ["n": 2])
        #expect(answer.status == 409 && answer.code == 124, "\(answer.body)")
        #expect(try world.replica.store.rejections().count == 1)
        #expect(try world.hub.store.all("Holiday").count == 1)
    }

    @Test func staleWriteIsRefused() async throws {
        let world = try await makeWorld()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        let answer = try await world.client().send(
            "PUT /classes/Holiday/\(id)", ["n": 2], prefer: DeliveryClient.only, ["If-Match": "\"1-1\""])
        #expect(answer.status == 412, "\(answer.body)")
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 1])
        try await expectNoTrace(world)
    }

    /// A seat that was just booked elsewhere is not overwritten.
    @Test func editThatTheGatewayHasNotShownIsNotOverwritten() async throws {
        let world = try await makeWorld()
        let id = try await world.hub.store.create("Holiday", ["seat": "free", "n": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(1))
        try await world.hub.store.update("Holiday", id, ["seat": "Ada's"])
        let answer = try await send(world, "PUT /classes/Holiday/\(id)", ["seat": "Ben's"])
        #expect(answer.status == 412, "\(answer.body)")
        #expect(answer.body["object"]?.object?["seat"] == "Ada's")
        #expect(try world.hub.store.fields("Holiday", id)?["seat"] == "Ada's")
        let other = try await send(world, "PUT /classes/Holiday/\(id)", ["n": ["__op": "Increment", "amount": 1]])
        #expect(other.status == 200, "\(other.body)")
        try await expectNoTrace(world)
    }

    @Test func fileThatIsNotOnTheRemoteRefusesTheWrite() async throws {
        let world = try await makeWorld()
        let file = try await FileClient(api: world.replica.api(world.clock)).upload("cat.png", "meow")
        let answer = try await send(world, "POST /classes/Holiday", ["image": file])
        #expect(answer.status == 400 && answer.code == 130, "\(answer.body)")
        #expect(try await world.replica.store.waitingWork().changes.isEmpty)
    }

    // MARK: Lost answers

    @Test(arguments: [false, true], [false, true]) func lostAnswerOfACreateIsResolvedByAProof(
        isTakingIds: Bool, isExecuted: Bool
    ) async throws {
        let world = try await makeWorld(isTakingIds: isTakingIds)
        world.loseNextWrite(isExecuted ? .replyLost : .requestLost)
        let answer = try await send(world, "POST /classes/Holiday", ["n": 1])
        #expect(answer.status == 504 && answer.code == 100 && answer.state == "unknown", "\(answer.body)")
        let entry = try #require(answer.body["entry"]?.string)
        let local = try #require(answer.body["objectId"]?.string)
        let pending = try await world.client().send("GET \(entry)")
        #expect(pending.status == 200 && pending.body["remote"] == "only", "\(pending.body)")
        #expect(try world.replica.store.all("Holiday").isEmpty)
        try await prove(world)
        #expect(try world.hub.store.all("Holiday").count == (isExecuted ? 1 : 0))
        #expect(try world.replica.store.all("Holiday").count == (isExecuted ? 1 : 0))
        #expect((try world.replica.store.object("Holiday", local) == nil) != isExecuted)
        #expect(try await world.client().send("GET \(entry)").status == 404)
        try await expectNoTrace(world)
        try world.expectEqual()
    }

    @Test(arguments: [false, true]) func lostAnswerOfAnUpdateIsResolvedByAProof(isExecuted: Bool) async throws {
        let world = try await makeWorld()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        for (change, value) in [
            (["n": 5] as JSONObject, 5), (["n": ["__op": "Increment", "amount": 2]], isExecuted ? 7 : 3),
        ] {
            world.clock.advance(.seconds(5))
            world.loseNextWrite(isExecuted ? .replyLost : .requestLost)
            let before = try world.replica.store.fields("Holiday", id)
            let answer = try await send(world, "PUT /classes/Holiday/\(id)", change)
            #expect(answer.status == 504 && answer.state == "unknown", "\(answer.body)")
            #expect(try world.replica.store.fields("Holiday", id) == before)
            try await prove(world)
            let left = try world.replica.store.conflicts(resolved: false)
            guard left.isEmpty else {
                // Without an operation id, the remote's row cannot prove that the increment was executed.
                #expect(isExecuted && left.map(\.kind) == [.wasThisApplied])
                try await world.replica.store.decisions.resolveConflict(
                    left[0].id, keep: "applied", fields: nil, match: nil, as: .master)
                continue
            }
            #expect(try world.hub.store.fields("Holiday", id)?["n"]?.int == (isExecuted ? value : 1))
            try await expectNoTrace(world)
        }
        try await world.replica.sync()
        try world.expectEqual()
    }

    @Test(arguments: [false, true]) func lostAnswerOfADeletionIsResolvedByAProof(isExecuted: Bool) async throws {
        let world = try await makeWorld()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.hub.store.create("Holiday", ["n": 2])
        try await world.replica.sync()
        world.loseNextWrite(isExecuted ? .replyLost : .requestLost)
        let answer = try await send(world, "DELETE /classes/Holiday/\(id)")
        #expect(answer.status == 504 && answer.state == "unknown", "\(answer.body)")
        #expect(try world.replica.store.object("Holiday", id) != nil)
        try await prove(world)
        #expect((try world.replica.store.object("Holiday", id) == nil) == isExecuted)
        try await expectNoTrace(world)
        try world.expectEqual()
    }

    @Test func lateRequestCountsAsExecutedWhenItArrivesWithinTheGracePeriod() async throws {
        let world = try await makeWorld(isTakingIds: true)
        world.loseNextWrite(.late)
        #expect(try await send(world, "POST /classes/Holiday", ["n": 1]).status == 504)
        world.transport.heal()
        try await world.replica.sync()
        // The remote does not have the object yet, and the request may still arrive.
        #expect(try await world.replica.store.waitingWork().changes.count == 1)
        await world.transport.arrive()
        try await prove(world)
        #expect(try world.replica.store.all("Holiday").count == 1)
        try await expectNoTrace(world)
        try world.expectEqual()
    }

    @Test func editDuringAnUnknownDeletionMeetsTheDeletionAsAConflict() async throws {
        let world = try await makeWorld()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.hub.store.create("Holiday", ["n": 2])
        try await world.replica.sync()
        world.loseNextWrite(.replyLost)
        #expect(try await send(world, "DELETE /classes/Holiday/\(id)").status == 504)
        try await world.replica.store.update("Holiday", id, ["n": 3])
        try await prove(world)
        #expect(try world.replica.store.conflicts(resolved: false).map(\.kind) == [.deletedRemotely])
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 3])
        #expect(try world.replica.store.invariantViolations() == [])
    }

    // MARK: Crashes

    /// A crash after the change was stored as in flight: the remote may have it.
    @Test(arguments: [false, true]) func crashDuringTheRequestIsResolvedByAProof(isExecuted: Bool) async throws {
        let world = try await makeWorld()
        let directory = try TemporaryDirectory()
        var replica: SyncedReplica? = try await SyncedReplica(directory, transport: world.transport, clock: world.clock)
        try await replica?.sync()
        let begun = try await replica?.store.onceWrites.begin(
            .create(className: "Holiday", body: ["n": 1]), as: .master, at: world.clock.environment.now()
        ) { $0 }
        #expect(begun?.entry.step.phase == .inFlight)
        if isExecuted { try await world.hub.store.create("Holiday", ["n": 1]) }
        await replica?.stop()
        replica = nil
        let reopened = try await SyncedReplica(directory, transport: world.transport, clock: world.clock)
        #expect(try reopened.store.all("Holiday").isEmpty)
        try await reopened.sync()
        world.clock.advance(.seconds(30))
        try await reopened.sync()
        #expect(try reopened.store.all("Holiday").count == (isExecuted ? 1 : 0))
        #expect(try world.hub.store.all("Holiday").count == (isExecuted ? 1 : 0))
        #expect(try await reopened.store.waitingWork().isEmpty)
        #expect(try reopened.store.invariantViolations() == [])
    }

    /// A crash during this wait leaves no trace.
    @Test func nothingIsStoredWhileTheChangeWaitsForEarlierOnes() async throws {
        let world = try await makeWorld()
        let gate = world.transport.close()
        let id = try await world.replica.store.create("Holiday", ["n": 1])
        let waiting = Task { try await send(world, "POST /classes/Holiday", ["n": 2]) }
        await gate.untilReached()
        #expect(try await world.replica.store.waitingWork().changes.map(\.objectId) == [id])
        gate.open()
        #expect(try await waiting.value.status == 201)
    }

    // MARK: Batches and decisions

    @Test func itemsOfABatchGoToTheRemoteOneByOne() async throws {
        let world = try await makeWorld()
        try await world.hub.store.create("Holiday", ["n": 1])
        let items: [JSONValue] = [
            ["method": "POST", "path": "/classes/Holiday", "body": ["n": 2]],
            ["method": "POST", "path": "/classes/Holiday", "body": ["n": "text"]],
            ["method": "POST", "path": "/classes/Holiday", "body": ["n": 3]],
        ]
        let answer = try await send(world, "POST /batch", ["requests": .array(items)])
        #expect(answer.status == 200 && answer.state == "synced")
        #expect(answer.items.map { $0["success"] != nil } == [true, false, true])
        #expect(answer.items[1]["error"]?.object?["code"] == 111)
        #expect(try world.hub.store.all("Holiday").count == 3)
        world.transport.set { _, _, _ in .refused }
        let offline = try await send(world, "POST /batch", ["requests": .array(items)])
        #expect(offline.items.map { $0["error"]?.object?["code"] } == [100, 100, 100])
        #expect(offline.state == nil)
        try await expectNoTrace(world)
        let transaction = try await send(world, "POST /batch", ["requests": .array(items), "transaction": true])
        #expect(transaction.status == 400, "\(transaction.body)")
    }

    @Test func userMayDecideToSendAnUnprovableChangeAgain() async throws {
        let world = try await makeWorld()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(5))
        world.loseNextWrite(.requestLost)
        let answer = try await send(world, "PUT /classes/Holiday/\(id)", ["n": ["__op": "Increment", "amount": 1]])
        #expect(answer.status == 504)
        try await world.hub.store.update("Holiday", id, ["other": 1])
        try await prove(world)
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        try await world.replica.store.decisions.resolveConflict(
            conflict.id, keep: "sendAgain", fields: nil, match: nil, as: .master)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 2, "other": 1])
        try await expectNoTrace(world)
    }
}
