import GatewayAPI
import HTTPServer
import HTTPTypes
import ParseModel
import SyncEngine
import Testing

/// Tests reads of a user in a personal replica before the first sync of a class.
@Suite("Reads before the first sync of a user's data")
struct FirstReadTests {
    private static let user = SpaceUser(objectId: "ada") { ["objectId": "ada"] }
    private static let list = "GET /classes/Holiday?order=n"

    /// Makes a remote with two objects and a replica whose first sync could not reach it.
    private func unreached() async throws -> World {
        let world = try await World.make(isOffline: true) { hub, _ in
            for n in 1...2 { try await hub.store.create("Holiday", ["n": .int(n)]) }
        }
        _ = try await world.replica.failingSync()
        return world
    }

    private func api(_ world: World, isImpatient: Bool = false) -> GatewayAPI {
        world.replica.api(world.clock, isImpatient: isImpatient, user: Self.user)
    }

    private func numbers(_ answer: JSONObject) -> [Int] {
        answer["results"]?.array?.compactMap { $0.object?["n"]?.int } ?? []
    }

    private func expectUnfetched(_ answer: (Int, JSONObject), sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(answer.0 == 503 && answer.1["code"] == 100, "\(answer)", sourceLocation: sourceLocation)
        let reason = answer.1["error"]?.string ?? ""
        #expect(
            reason.hasPrefix("The data of this user has not been fetched yet: "), "\(reason)",
            sourceLocation: sourceLocation)
    }

    @Test func aListWaitsForTheFirstSync() async throws {
        let world = try await unreached()
        world.transport.heal()
        let gate = world.transport.close()
        async let answer = api(world).send(Self.list)
        await gate.untilReached()
        gate.open()
        #expect(numbers(try await answer.1) == [1, 2])
    }

    @Test func liveQueryAndItsFindWaitForTheFirstSync() async throws {
        let world = try await unreached()
        world.transport.heal()
        let gate = world.transport.close()
        let probe = try await LiveProbe.connected(to: api(world))
        probe.send(["op": "subscribe", "requestId": 1, "query": ["className": "Holiday", "where": [:]]])
        probe.send(["op": "query", "requestId": 1])
        await gate.untilReached()
        gate.open()
        _ = try await probe.message("subscribed")
        let found = try await probe.message("result")
        #expect(Set(numbers(found)) == [1, 2])
        // The objects of the first sync are no events.
        try await world.replica.store.create("Holiday", ["n": 3])
        #expect(try await probe.events(1) == ["create 1 3"])
    }

    @Test func liveQueryBeforeTheFirstSyncIsRefusedOffline() async throws {
        let world = try await unreached()
        let probe = try await LiveProbe.connected(to: api(world))
        let refused = try await probe.subscribe(1, ["className": "Holiday", "where": [:]])
        #expect(refused["code"] == 100)
        #expect(refused["reconnect"] == true)
        #expect(try await probe.subscribe(2, ["className": "Other", "where": [:]])["op"] == "subscribed")
    }

    @Test(arguments: ["GET", "PUT", "DELETE"])
    func aRequestByIdWaitsForTheFirstSync(method: String) async throws {
        let world = try await unreached()
        world.transport.heal()
        let id = try #require(try world.hub.store.all("Holiday").keys.first)
        let answer = try await api(world).send("\(method) /classes/Holiday/\(id)", method == "PUT" ? ["n": 3] : nil)
        #expect(answer.0 == 200, "\(answer)")
    }

    @Test func listBeforeTheFirstSyncIsRefusedOffline() async throws {
        let world = try await unreached()
        let api = api(world)
        expectUnfetched(try await api.send(Self.list))
        for method in ["GET", "PUT", "DELETE"] {
            expectUnfetched(try await api.send("\(method) /classes/Holiday/unknown", method == "PUT" ? [:] : nil))
        }
        // A class that is not synced needs no first sync, so it is read at once.
        #expect(try await api.send("GET /classes/Other").0 == 200)
    }

    @Test func locallyCreatedObjectsAreReadOfflineBeforeTheFirstSync() async throws {
        let world = try await unreached()
        let api = api(world)
        let made = try await api.send("POST /classes/Holiday", ["n": 5])
        let id = try #require(made.1["objectId"]?.string, "\(made)")
        #expect(try await api.send("PUT /classes/Holiday/\(id)", ["n": 6]).0 == 200)
        #expect(try await api.send("GET /classes/Holiday/\(id)").1["n"] == 6)
        expectUnfetched(try await api.send(Self.list))
        #expect(try await api.send("DELETE /classes/Holiday/\(id)").0 == 200)
    }

    @Test func batchItemThatNeedsTheFirstSyncIsRefusedWithoutTheOthers() async throws {
        let world = try await unreached()
        let items: [JSONValue] = [
            ["method": "GET", "path": "/classes/Holiday"],
            ["method": "PUT", "path": "/classes/Holiday/unknown", "body": ["n": 3]],
            ["method": "POST", "path": "/classes/Holiday", "body": ["n": 4]],
        ]
        let answer = await api(world).handle(
            HTTPServerRequest(
                method: .post, path: "/batch", headers: [HTTPField.Name("Host")!: "localhost"],
                body: (["requests": .array(items)] as JSONObject).jsonBytes)
        ).response()
        let results = try #require(try JSONReader.read(answer.body).array).compactMap(\.object)
        #expect(results.map { $0["error"]?.object?["code"] } == [100, 100, nil])
    }

    @Test func theWaitForTheFirstSyncEndsWithTheTimeLimitOfForwardedCalls() async throws {
        let world = try await unreached()
        world.transport.heal()
        let gate = world.transport.close()
        let answer = try await api(world, isImpatient: true).send(Self.list)
        expectUnfetched(answer)
        #expect(answer.1["error"]?.string?.contains("was not complete within 10") == true)
        gate.open()
    }

    @Test func aReadDoesNotWaitForTheFirstSyncWhileSyncingIsPaused() async throws {
        let world = try await unreached()
        try await world.replica.engine.pause()
        _ = world.transport.takeSent()
        expectUnfetched(try await api(world).send(Self.list))
        #expect(world.transport.takeSent().isEmpty)
    }

    @Test func pulledClassIsReadOffline() async throws {
        let world = try await unreached()
        world.transport.heal()
        try await world.replica.sync()
        world.transport.set { _, _, _ in .refused }
        _ = try await world.replica.failingSync()
        #expect(numbers(try await api(world).send(Self.list).1) == [1, 2])
        #expect(try await api(world).send("GET /classes/Holiday/unknown").1["code"] == 101)
        // Another named pull of a synced class does not make reads wait again.
        try await world.replica.set(["pulls": [["name": "all"], ["name": "big", "where": ["n": ["$gt": 5]]]]])
        #expect(numbers(try await api(world).send(Self.list).1) == [1, 2])
    }

    /// The remote refuses to list the class, so a first sync would bring no objects.
    @Test func classThatTheRemoteRefusesToListIsReadWithoutWaitingForTheFirstSync() async throws {
        let world = try await unreached()
        let refusal = #"{"code":119,"error":"Permission denied for action find on class Holiday."}"#
        world.transport.set { _, path, _ in
            path == "/classes/Holiday" ? .answer(status: 400, body: refusal) : nil
        }
        _ = await world.replica.attempt()
        #expect(try await api(world).send(Self.list).0 == 200)
    }

    @Test func classWhosePullFailsIsReadWithoutFurtherWaiting() async throws {
        let world = try await unreached()
        world.transport.heal()
        // This query is valid only for dates. Only the server knows that the field is a number, and refuses it.
        let bad: JSONObject = ["n": ["$lt": ["$relativeTime": "1 day ago"]]]
        try await world.replica.set(["pulls": [["name": "bad", "where": .object(bad)]]])
        expectUnfetched(try await api(world).send(Self.list))
    }

    /// A replica without users does not let reads wait. Its clients see in `GET /sync` whether the first sync is
    /// complete.
    @Test func aReplicaWithoutUsersAnswersReadsBeforeTheFirstSync() async throws {
        let world = try await unreached()
        #expect(try await world.replica.send(Self.list, clock: world.clock).0 == 200)
    }
}
