import GatewayAPI
import HTTPTypes
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import Testing

@testable import Gateway

/// Tests writes whose client waits until the remote has taken them.
@Suite("Writes that wait for the remote")
struct ConfirmedWriteTests {
    private let world: World

    init() async throws {
        world = try await World.make()
        try await world.replica.sync()
    }

    private func send(
        _ line: String, _ body: JSONObject? = nil, isImpatient: Bool = false
    ) async throws
        -> DeliveryClient.Answer
    {
        try await world.client(isImpatient: isImpatient).send(line, body, prefer: DeliveryClient.confirm)
    }

    @Test func confirmedCreateAnswersWithTheRemotesId() async throws {
        let answer = try await send("POST /classes/Holiday", ["n": 1])
        #expect(answer.status == 201, "\(answer.body)")
        #expect(answer.applied == "tidegate-remote=confirm")
        #expect(answer.state == "synced")
        let theirs = try #require(try world.hub.store.all("Holiday").first)
        #expect(answer.body["objectId"] == .string(theirs.key))
        #expect(answer.body["createdAt"] == theirs.value["createdAt"])
        #expect(answer.headers[.location]?.hasSuffix("/classes/Holiday/\(theirs.key)") == true)
        #expect(try world.replica.store.state("Holiday", theirs.key) == .synced)
    }

    @Test func confirmedUpdateAnswersWithTheRemotesResultOfTheOperation() async throws {
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        try await world.hub.store.update("Holiday", id, ["n": 10])
        let answer = try await send("PUT /classes/Holiday/\(id)", ["n": ["__op": "Increment", "amount": 1]])
        #expect(answer.status == 200 && answer.state == "synced", "\(answer.body)")
        #expect(answer.body["n"] == 11)
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 11)
    }

    @Test func confirmedDeletionIsDoneOnTheRemote() async throws {
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        let answer = try await send("DELETE /classes/Holiday/\(id)")
        #expect(answer.status == 200 && answer.state == "synced", "\(answer.body)")
        #expect(try world.hub.store.all("Holiday").isEmpty)
    }

    @Test func confirmedWriteIsQueuedWhenTheTimeIsOver() async throws {
        world.transport.set { _, _, _ in .refused }
        let answer = try await send("POST /classes/Holiday", ["n": 1], isImpatient: true)
        #expect(answer.status == 201 && answer.state == "queued", "\(answer.body)")
        #expect(answer.applied == "tidegate-remote=confirm")
        let id = try #require(answer.body["objectId"]?.string)
        #expect(try world.replica.store.state("Holiday", id) == .created)
        world.transport.heal()
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").count == 1)
    }

    @Test func confirmedWriteIsQueuedAtOnceWhileSyncingIsPaused() async throws {
        try await world.replica.engine.pause()
        let answer = try await send("POST /classes/Holiday", ["n": 1])
        #expect(answer.status == 201 && answer.state == "queued")
    }

    @Test func refusedConfirmedWriteAnswersInTheRemotesWordsAndStaysARejection() async throws {
        try await world.hub.store.create("Holiday", ["n": 1])
        let answer = try await send("POST /classes/Holiday", ["n": "text"])
        let refused = try #require(try world.replica.store.rejections().first)
        #expect(answer.status == 400 && answer.code == 111, "\(answer.body)")
        #expect(answer.body["error"]?.string == refused.error)
        #expect(answer.state == "rejected")
        #expect(answer.body["entry"] == .string("/sync/rejections/\(refused.id)"))
        #expect(answer.headers[HTTPField.Name("Link")!] == "</sync/rejections/\(refused.id)>; rel=\"describedby\"")
        #expect(answer.body["objectId"] == .string(refused.objectId))
    }

    @Test func confirmedWriteInConflictAnswersWithTheConflict() async throws {
        try await world.replica.set(["policy": "manual"])
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(1))
        try await world.hub.store.update("Holiday", id, ["n": 2])
        let answer = try await send("PUT /classes/Holiday/\(id)", ["n": 3])
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        #expect(answer.status == 409 && answer.state == "conflict", "\(answer.body)")
        #expect(answer.body["entry"] == .string("/sync/conflicts/\(conflict.id)"))
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 2)
    }

    /// The other field of the write is on the remote.
    @Test func confirmedWriteThatAPolicyHasOverruledInPartIsNoSuccess() async throws {
        try await world.replica.set(["policy": "remote"])
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(1))
        try await world.hub.store.update("Holiday", id, ["n": 2])
        let answer = try await send("PUT /classes/Holiday/\(id)", ["n": 3, "m": 4])
        let conflict = try #require(try world.replica.store.conflicts(resolved: true).first)
        #expect(answer.status == 409 && answer.state == "conflict", "\(answer.body)")
        #expect(answer.body["entry"] == .string("/sync/conflicts/\(conflict.id)"))
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 2, "m": 4])
    }

    /// The update becomes a part of the create that restores the object.
    @Test func confirmedUpdateOfAnObjectThatTheRemoteHasDeletedRestoresIt() async throws {
        try await world.replica.set(["policy": "local"])
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.hub.store.create("Holiday", ["n": 2])
        try await world.replica.sync()
        try await world.hub.store.delete("Holiday", id)
        world.clock.advance(.seconds(1))
        let answer = try await send("PUT /classes/Holiday/\(id)", ["n": 3])
        #expect(answer.status == 200 && answer.state == "synced", "\(answer.body)")
        #expect(try world.hub.store.all("Holiday").values.contains { $0["n"] == 3 })
    }

    @Test func confirmedWriteThatIsUndoneMeanwhileIsNoSuccess() async throws {
        let gate = world.transport.close()
        let waiting = Task { try await send("POST /classes/Holiday", ["n": 1]) }
        await gate.untilReached()
        let pending = try #require(try world.replica.store.decisions.pendingChanges(as: .master).first)
        #expect(pending.step.phase == .pending)
        try await world.replica.store.decisions.undoPending(pending.id, match: nil, as: .master)
        gate.open()
        let answer = try await waiting.value
        #expect(answer.status == 409 && answer.state == "withdrawn", "\(answer.body)")
        #expect(try world.hub.store.all("Holiday").isEmpty)
    }

    /// The remote has executed the create, and its answer is lost. A read shows the object.
    @Test func confirmedWriteWithALostAnswerIsSyncedOnceAReadHasProvedIt() async throws {
        world.transport.once(.replyLost) { method, _, body in
            method != "GET" && !body.contains(#""GET""#) && !body.contains("createdAt")
        }
        let answer = try await send("POST /classes/Holiday", ["n": 1])
        #expect(answer.status == 201 && answer.state == "synced", "\(answer.body)")
        #expect(try world.hub.store.all("Holiday").keys.first == answer.body["objectId"]?.string)
    }

    @Test func eachItemOfAConfirmedBatchIsAnsweredLikeASingleWrite() async throws {
        try await world.hub.store.create("Holiday", ["n": 1])
        let items: [JSONValue] = [
            ["method": "POST", "path": "/classes/Holiday", "body": ["n": 2]],
            ["method": "POST", "path": "/classes/Holiday", "body": ["n": "text"]],
        ]
        let answer = try await send("POST /batch", ["requests": .array(items)])
        #expect(answer.status == 200 && answer.state == "synced")
        let id = try #require(answer.items[0]["success"]?.object?["objectId"]?.string)
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 2])
        let refused = answer.items[1]["error"]?.object
        #expect(refused?["code"] == 111)
        #expect(refused?["state"] == "rejected")
        #expect(refused?["entry"]?.string?.hasPrefix("/sync/rejections/") == true)
    }

    @Test func confirmedTransactionIsQueuedAsAWhole() async throws {
        let item: JSONValue = ["method": "POST", "path": "/classes/Holiday", "body": ["n": 2]]
        let answer = try await send("POST /batch", ["requests": [item, item], "transaction": true])
        #expect(answer.status == 200 && answer.state == "synced", "\(answer.body)")
        #expect(try world.hub.store.all("Holiday").count == 2)
    }

    @Test func standaloneGatewayHasTakenEachWriteAtOnce() async throws {
        let client = DeliveryClient(api: world.hub.api)
        for prefer in [DeliveryClient.confirm, DeliveryClient.only] {
            let answer = try await client.send("POST /classes/Holiday", ["n": 1], prefer: prefer)
            #expect(answer.status == 201 && answer.state == "synced")
            #expect(answer.applied.map(prefer.hasPrefix) == true)
        }
        let item: JSONValue = ["method": "POST", "path": "/classes/Holiday", "body": ["n": 2]]
        let batch = try await client.send(
            "POST /batch", ["requests": [item], "transaction": true], prefer: DeliveryClient.only)
        #expect(batch.status == 200 && batch.state == "synced")
    }

    // MARK: The wish

    @Test func contextCarriesTheWishAndIsForwardedWithoutIt() async throws {
        let client = world.client()
        let wish: JSONValue = ["tidegate": ["remote": "confirm", "wait": 10], "own": 1]
        let inBody = try await client.send("POST /classes/Holiday", ["n": 1, "_context": wish])
        #expect(inBody.status == 201 && inBody.state == "synced", "\(inBody.body)")
        let inHeader = try await client.send(
            "POST /classes/Holiday", ["n": 2], ["X-Parse-Cloud-Context": wish.jsonText])
        #expect(inHeader.status == 201 && inHeader.state == "synced")
        for object in try world.hub.store.all("Holiday").values { #expect(object["_context"] == nil) }
    }

    @Test(arguments: [
        "tidegate-remote=maybe", "tidegate-remote", "tidegate-remote=confirm, wait=soon",
        "tidegate-remote=only;x, wait=-1",
    ]) func wrongPreferenceIsRefusedAndChangesNothing(prefer: String) async throws {
        let answer = try await world.client().send("POST /classes/Holiday", ["n": 1], prefer: prefer)
        #expect(answer.status == 400 && answer.code == 102, "\(answer.body)")
        #expect(try world.replica.store.all("Holiday").isEmpty)
    }

    @Test(arguments: [
        ["tidegate": "only"] as JSONObject, ["tidegate": ["remote": "maybe"]], ["tidegate": ["remote": true]],
        ["tidegate": ["remote": "only", "wait": "10"]],
    ]) func wrongContextIsRefusedAndChangesNothing(context: JSONObject) async throws {
        let answer = try await world.client().send("POST /classes/Holiday", ["n": 1, "_context": .object(context)])
        #expect(answer.status == 400 && answer.code == 102, "\(answer.body)")
        #expect(try world.replica.store.all("Holiday").isEmpty)
    }

    @Test(arguments: [
        "respond-async, wait=100", "wait=soon", "tidegate-other=1", #"x="a, tidegate-remote=only""#,
    ]) func otherPreferencesAreIgnored(prefer: String) async throws {
        let answer = try await world.client().send("POST /classes/Holiday", ["n": 1], prefer: prefer)
        #expect(answer.status == 201 && answer.state == nil && answer.applied == nil)
    }

    @Test(arguments: [
        #"TIDEGATE-Remote="confirm" ; x=1, WAIT = 5"#, "respond-async, tidegate-remote=confirm, tidegate-remote=only",
    ]) func preferenceMayHaveEveryFormOfTheRFC(prefer: String) async throws {
        let answer = try await world.client().send("POST /classes/Holiday", ["n": 1], prefer: prefer)
        #expect(answer.status == 201 && answer.applied == "tidegate-remote=confirm", "\(answer.body)")
    }
}
