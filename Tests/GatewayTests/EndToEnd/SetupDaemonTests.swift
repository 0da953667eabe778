import Foundation
import ParseModel
import Testing

/// Tests that a person can connect a new gateway to a remote, or load the sample data, while it runs.
@Suite("First steps of a new gateway", .timeLimit(.minutes(5)))
struct SetupDaemonTests {
    private let directories: [TemporaryDirectory]
    private let hub: Daemon

    init() async throws {
        directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        hub = try await Daemon(directories[0])
        try await hub.send(.post, "/classes/Holiday", ["name": "Easter"])
    }

    private var connection: JSONValue {
        ["remote": .string(hub.url), "appId": "demo", "restKey": "a\"quoted\"key", "classes": ["Holiday"]]
    }

    private func mode(of daemon: Daemon) async throws -> JSONValue? {
        // The gateway does not answer while it restarts.
        try? await daemon.send(.get, "/sync").json.object?["mode"]
    }

    @Test func newGatewayIsConnectedWhileItRunsAndStaysConnected() async throws {
        var daemon = try await Daemon(directories[1])
        #expect(try await daemon.send(.get, "/setup").json == ["isNew": true])
        let check = try await daemon.send(.post, "/setup/check", connection)
        #expect(check.json.object?["healthy"] == true && check.json.object?["classes"] == ["Holiday"])
        let answer = try await daemon.send(.post, "/setup/connect", connection)
        let token = try #require(answer.json.object?["ownerToken"])
        try await until { try await mode(of: daemon) == "replica" }
        #expect(try await daemon.send(.post, "/owner/session", ["token": token]).status == 200)
        try await until { try await daemon.holidays().count == 1 }
        #expect(try await daemon.send(.get, "/setup").status == 403)
        #expect(try await daemon.send(.post, "/setup/connect", connection).status == 403)

        #expect(daemon.end(SIGTERM) == 0)
        daemon = try await Daemon(directories[1])
        #expect(try await mode(of: daemon) == "replica")
        #expect(try await daemon.holidays().count == 1)
        let attributes = try FileManager.default.attributesOfItem(atPath: directories[1].path + "/connection.yaml")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func otherSourcesOfTheRemoteTakePrecedenceOverTheSavedConnection() async throws {
        try Data("remote: \"http://127.0.0.1:9\"\napp-id: \"other\"\n".utf8)
            .write(to: URL(filePath: directories[1].path + "/connection.yaml"))
        let daemon = try await Daemon.replica(of: hub.url, directories[1])
        #expect(try await daemon.sync().status == 200)
        #expect(try await daemon.holidays().count == 1)
    }

    @Test func gatewayWithDataIsNotConnected() async throws {
        let daemon = try await Daemon(directories[1])
        let id = try await daemon.create(["name": "here"])
        #expect(try await daemon.send(.get, "/setup").json == ["isNew": false])
        for path in ["/setup/check", "/setup/connect", "/setup/samples"] {
            #expect(try await daemon.send(.post, path, connection).json.object?["code"] == 119, "\(path)")
        }
        #expect(try await daemon.send(.get, "/classes/Holiday/\(id)").status == 200)
    }

    @Test func wrongConnectionsAreRefusedAndNotSaved() async throws {
        let daemon = try await Daemon(directories[1])
        let wrong: [JSONValue] = [
            [:], ["remote": "ftp://example.org"], ["remote": .string(hub.url), "appId": 1],
            ["remote": .string(hub.url), "appId": "a\nb"], ["remote": .string(hub.url), "classes": "Holiday"],
            ["remote": .string(hub.url), "appId": "demo", "classes": ["no class"]],
        ]
        for body in wrong { #expect(try await daemon.send(.post, "/setup/connect", body).status == 400, "\(body)") }
        #expect(!FileManager.default.fileExists(atPath: directories[1].path + "/connection.yaml"))
        #expect(try await daemon.send(.get, "/setup").json == ["isNew": true])
        let silent = try await daemon.send(.post, "/setup/check", ["remote": "http://127.0.0.1:9", "appId": "demo"])
        #expect(
            silent.status == 200 && silent.json.object?["healthy"] == false && silent.json.object?["classes"] == .null)
    }

    @Test func sampleDataIsLoadedOnce() async throws {
        let daemon = try await Daemon(directories[1])
        #expect(try await daemon.send(.post, "/setup/samples", [:]).status == 200)
        #expect(try await daemon.holidays().count == 12)
        #expect(try await daemon.send(.post, "/setup/samples", [:]).status == 400)
    }

    @Test func classesOfTheRemoteAreListed() async throws {
        let replica = try await Daemon.replica(of: hub.url, directories[1], ["--people", "off"])
        #expect(try await replica.send(.get, "/sync/remote-classes").json == ["classes": ["Holiday"]])
        hub.end(SIGTERM)
        #expect(try await replica.send(.get, "/sync/remote-classes").json == ["classes": nil])
    }
}
