import Foundation
import ParseModel
import Testing

/// Tests that a running replica listens to the live queries of its remote, unless the settings forbid it.
@Suite("Reports of the remote to a running replica", .timeLimit(.minutes(5)))
struct ListeningDaemonTests {
    private static func listening(_ replica: Daemon) async throws -> JSONObject {
        try #require(try await replica.send(.get, "/sync").json.object?["listening"]?.object)
    }

    /// A hub offers its change feed and a LiveQuery. A replica uses the LiveQuery if it is given its address.
    @Test(arguments: ["changeFeed", "liveQuery"])
    func changesOfTheRemoteArriveWithoutACallOrAnInterval(way: String) async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0])
        let address = hub.url.replacing("http", with: "ws") + "/"
        let replica = try await Daemon(
            directories[1],
            [
                "--remote", hub.url, "--app-id", "demo", "--class", "Holiday", "--people", "off", "--pull-interval",
                "86400",
            ] + (way == "liveQuery" ? ["--remote-livequery-url", address + "parse"] : []))
        try await until { try await Self.listening(replica)["state"] == "listening" }
        #expect(try await Self.listening(replica)["way"]?.string == way)
        let made = try await hub.send(.post, "/classes/Holiday", ["name": "here"])
        let path = "/classes/Holiday/\(try #require(made.json.object?["objectId"]?.string))"
        try await until { try await replica.send(.get, path).status == 200 }
        #expect(try await hub.send(.delete, path).status == 200)
        try await until { try await replica.send(.get, path).status != 200 }
        #expect(try await replica.send(.post, "/sync/pause", [:]).status == 200)
        try await until { try await Self.listening(replica)["state"] == "off" }
        #expect(try await Self.listening(replica)["since"]?.string.flatMap { ParseDate(iso: $0) } != nil)
    }

    @Test func aReplicaListensAgainAfterTheHubWasKilled() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let first = try await Daemon(directories[0])
        let replica = try await Daemon(
            directories[1],
            [
                "--remote", first.url, "--app-id", "demo", "--class", "Holiday", "--people", "off", "--pull-interval",
                "86400",
            ])
        try await until { try await Self.listening(replica)["state"] == "listening" }
        first.end(SIGKILL)
        try await until { try await Self.listening(replica)["state"] == "connecting" }
        let hub = try await Daemon(directories[0], port: first.port)
        let made = try await hub.send(.post, "/classes/Holiday", ["name": "here"])
        let path = "/classes/Holiday/\(try #require(made.json.object?["objectId"]?.string))"
        try await until { try await replica.send(.get, path).status == 200 }
        try await until { try await Self.listening(replica)["state"] == "listening" }
        #expect(try await hub.send(.delete, path).status == 200)
        try await until { try await replica.send(.get, path).status != 200 }
    }

    @Test func aReplicaOpensNoConnectionIfTheSettingsSayOff() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0])
        let replica = try await Daemon.replica(of: hub.url, directories[1])
        #expect(try await replica.sync().status == 200)
        #expect(try await Self.listening(replica) == ["state": "off"])
    }
}
