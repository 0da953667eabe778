import ParseModel
import SyncEngine
import Testing

/// Tests a remote URL at which a server of another kind answers.
@Suite("Remotes of another kind of server")
struct ForeignRemoteTests {
    private let world: World

    init() async throws {
        world = try await World.make()
        try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
    }

    private func lastError() async throws -> JSONObject {
        let (_, status) = try await world.replica.send("GET /sync", clock: world.clock)
        #expect(status["online"] == false)
        return try #require(status["lastError"]?.object)
    }

    @Test(arguments: [
        (200, "<!doctype html><title>Welcome</title>"), (200, "It works!"), (404, "<h1>Not Found</h1>"),
        (404, #"{"message":"no such route"}"#), (405, ""), (301, ""),
        (501, "<p>Unsupported method"),
    ])
    func remoteAnswerOfAnotherKindOfServerIsReportedWithAHintToDoctor(status: Int, body: String) async throws {
        world.transport.set { _, _, _ in .answer(status: status, body: body) }
        guard case .foreign = try await world.replica.failingSync() else {
            Issue.record("not taken for another server")
            return
        }
        let error = try await lastError()
        #expect(error["kind"] == "foreign")
        let message = try #require(error["message"]?.string)
        #expect(message.hasPrefix("The server at the remote's address is of another kind: "))
        #expect(message.hasSuffix("'tidegate doctor' tells more."))
        let (waited, answer) = try await world.replica.send("POST /sync?wait=true", clock: world.clock)
        #expect(waited == 503)
        #expect(answer["error"]?.string?.contains("is of another kind") == true)
        world.transport.heal()
        try await world.replica.sync()
    }

    @Test(arguments: [(200, #"{"results":[{"objectId":"#), (200, ""), (502, "<html>Bad Gateway</html>"), (500, "")])
    func anErrorOfAParseServerIsNotReportedAsAnotherKindOfServer(status: Int, body: String) async throws {
        world.transport.set { _, _, _ in .answer(status: status, body: body) }
        let error = try await world.replica.failingSync()
        if case .foreign = error { Issue.record("\(error)") }
        #expect(try await lastError()["kind"] != "foreign")
    }
}
