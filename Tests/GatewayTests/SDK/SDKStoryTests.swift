import GatewayAPI
import HTTPTypes
import ParseRemote
import RemoteService
import SyncEngine
import Testing

@testable import Gateway

/// The requests of SDKs, sent to a standalone gateway and to a replica with an unreachable remote.
@Suite("Requests of SDKs")
struct SDKStoryTests {
    @Test(arguments: SDKStory.all + SignInStory.all)
    func theRequestsOfEachSDKAreAnswered(_ story: SDKStory) async throws {
        let directory = try TemporaryDirectory()
        let clock = TestClock()
        let hub = try Hub(directory, clock: clock)
        var replay = SDKReplay(hub.api, clock: clock)
        #expect(await replay.tell(story) == [])
        withExtendedLifetime(directory) {}
    }

    @Test(arguments: SDKStory.all)
    func theRequestsOfEachSDKAreAnsweredOfflineAndSentLater(_ story: SDKStory) async throws {
        let world = try await World.make(classes: ["Country", "Day"], isOffline: true)
        let remote = ParseRemote(
            configuration: .init(
                serverURL: "http://localhost:1337/parse", applicationId: "app", replicaId: "replica"),
            transport: world.transport)
        let forwarder = RemoteForwarder(
            service: remote.calls!, masterKey: nil, circuit: RemoteCircuit(environment: TestClock().advancing)
        ) { false }
        var replay = SDKReplay(world.replica.api(world.clock, remote: forwarder), clock: world.clock, isOffline: true)
        #expect(await replay.tell(story) == [])
        world.transport.heal()
        try await world.replica.sync()
        #expect(try world.hub.store.all("Country").count == 1)
        try world.expectEqual("Country")
        try world.expectEqual("Day")
    }

    @Test(arguments: [
        SDKAnswer(201, ["code": 101]), SDKAnswer(404, ["code": 1]), SDKAnswer(404, ["code": 101, "more": "<any>"]),
        SDKAnswer(404, ["error": "<date>"]), SDKAnswer(404, []),
    ])
    func theReplayReportsAnUnexpectedAnswer(_ answer: SDKAnswer) async throws {
        let directory = try TemporaryDirectory()
        let clock = TestClock()
        let hub = try Hub(directory, clock: clock)
        let request = SDKRequest(does: "fetches", line: "GET /classes/Day/a", headers: [:], body: "", answer: answer)
        var replay = SDKReplay(hub.api, clock: clock)
        #expect(await replay.tell(SDKStory(sdk: "none", sources: [], requests: [request])).count == 1)
        withExtendedLifetime(directory) {}
    }
}
