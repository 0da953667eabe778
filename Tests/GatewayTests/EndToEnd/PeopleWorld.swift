import Foundation
import HTTPTypes
import ParseModel
import Testing

/// A hub (the remote) with the class `Note`, and a personal replica at which users sign in. Both are real processes.
final class PeopleWorld {
    let hubDirectory: TemporaryDirectory
    let replicaDirectory: TemporaryDirectory
    let keyDirectory: TemporaryDirectory
    var hub: Daemon
    var replica: Daemon
    private var more: [String]

    init(_ more: [String] = []) async throws {
        self.more = more
        (hubDirectory, replicaDirectory) = (try TemporaryDirectory(), try TemporaryDirectory())
        keyDirectory = try TemporaryDirectory()
        hub = try await Self.hub(hubDirectory)
        replica = try await Self.replica(hub.url, replicaDirectory, keyDirectory, self.more)
    }

    private static func hub(_ directory: TemporaryDirectory, port: Int = 0) async throws -> Daemon {
        try await Daemon(
            directory, port: port, ["--local-master-key", "hub", "--local-maintenance-key", "imports"])
    }

    private static func replica(
        _ hub: String, _ directory: TemporaryDirectory, _ keys: TemporaryDirectory, _ more: [String]
    ) async throws -> Daemon {
        try await Daemon(
            directory,
            [
                "--remote", hub, "--app-id", "demo", "--class", "Note", "--session-key-file",
                keys.path + "/session-key", "--local-master-key", "replica", "--remote-livequery-url", "off",
            ] + more)
    }

    func stopHub() { hub.end(SIGKILL) }

    func stopReplica(_ signal: Int32 = SIGKILL) { replica.end(signal) }
    func startHub() async throws { hub = try await Self.hub(hubDirectory, port: hub.port) }

    /// Starts the hub and makes changes there. Meanwhile, syncing is paused.
    /// - Parameter userId: the user of a personal replica whose syncs are paused; nil for the syncs of the gateway itself.
    func startHub(pausing userId: String? = nil, _ change: (Daemon) async throws -> Void) async throws {
        let query = userId.map { "?user=\($0)" } ?? ""
        #expect(try await asOwner(.post, "/sync/pause\(query)").status == 200)
        try await startHub()
        try await change(hub)
        #expect(try await asOwner(.post, "/sync/resume\(query)").status == 200)
    }

    func restartReplica(_ more: [String]? = nil) async throws {
        replica.end(SIGKILL)
        if let more { self.more = more }
        replica = try await Self.replica(hub.url, replicaDirectory, keyDirectory, self.more)
    }

    /// Signs a user up through the replica.
    func signUp(_ name: String) async throws -> (id: String, token: String) {
        let answer = try await replica.send(
            .post, "/users", ["username": .string(name), "password": .string(name)])
        let fields = try #require(answer.json.object)
        return (
            try #require(fields["objectId"]?.string, "\(answer)"),
            try #require(fields["sessionToken"]?.string, "\(answer)")
        )
    }

    /// Creates a note that only its author can read.
    func note(_ text: String, by user: (id: String, token: String)) async throws -> Daemon.Answer {
        let acl: JSONValue = [user.id: ["read": true, "write": true]]
        return try await replica.send(
            .post, "/classes/Note", ["text": .string(text), "ACL": acl], token: user.token)
    }

    /// The texts of the notes that a gateway shows to a session.
    func notes(_ daemon: Daemon, _ token: String?) async throws -> [String] {
        let answer = try await daemon.send(.get, "/classes/Note?order=text", token: token)
        let results = try #require(answer.json.object?["results"]?.array, "\(answer)")
        return results.compactMap { $0.object?["text"]?.string }
    }

    func sync(_ token: String) async throws {
        let answer = try await replica.send(.post, "/sync?wait=true", [:], token: token)
        #expect(answer.status == 200, "\(answer)")
    }

    func pending(_ token: String?) async throws -> Int? {
        try await replica.send(.get, "/sync", token: token).json.object?["pending"]?.int
    }

    /// Logs a user in through the replica or another gateway.
    func logIn(_ name: String, _ password: String? = nil, at daemon: Daemon? = nil) async throws -> Daemon.Answer {
        try await (daemon ?? replica).send(
            .post, "/login", ["username": .string(name), "password": .string(password ?? name)])
    }

    /// The number of requests after which a test stops waiting for work in the background.
    static let attemptsMax = 1000

    /// Sends requests with a session until the gateway refuses it, because syncs of the replica end sessions in the
    /// background.
    /// - Returns: nil if the session does not end.
    func waitForEnd(of token: String, at daemon: Daemon) async throws -> Int? {
        for _ in 1...Self.attemptsMax {
            let answer = try await daemon.send(.get, "/users/me", token: token)
            if let code = answer.json.object?["code"]?.int { return code }
            _ = try await replica.send(.post, "/sync?wait=true", [:])
        }
        return nil
    }

    /// Sends a request with the replica's local master key.
    func asOwner(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil) async throws -> Daemon.Answer {
        try await replica.send(method, path, body ?? (method == .get ? nil : [:]), masterKey: "replica")
    }
}
