import Foundation
import HTTPTypes
import ParseModel
import Testing

/// A hub with two users and the class `Note`, and a replica at which they sign in.
final class PersonalReplicaWorld {
    let hubDirectory: TemporaryDirectory
    let replicaDirectory: TemporaryDirectory
    let keyDirectory: TemporaryDirectory
    var hub: Daemon
    var replica: Daemon
    let more: [String]

    init(_ more: [String] = []) async throws {
        self.more = more
        (hubDirectory, replicaDirectory) = (try TemporaryDirectory(), try TemporaryDirectory())
        keyDirectory = try TemporaryDirectory()
        hub = try await Self.hub(hubDirectory)
        replica = try await Self.replica(hub.url, replicaDirectory, keyDirectory, more)
    }

    private static func hub(_ directory: TemporaryDirectory, port: Int = 0) async throws -> Daemon {
        try await Daemon(
            directory, port: port,
            ["--password-memory-kib", "8", "--password-passes", "1", "--local-master-key", "hub"])
    }

    private static func replica(
        _ hub: String, _ directory: TemporaryDirectory, _ keys: TemporaryDirectory, _ more: [String]
    ) async throws -> Daemon {
        try await Daemon(
            directory,
            [
                "--remote", hub, "--app-id", "demo", "--class", "Note", "--people", "personal",
                "--session-key-file",
                keys.path + "/session-key", "--local-master-key", "replica",
            ] + more)
    }

    func stopHub() { hub.end(SIGKILL) }
    func startHub() async throws { hub = try await Self.hub(hubDirectory, port: hub.port) }

    func restartReplica() async throws {
        replica.end(SIGKILL)
        replica = try await Self.replica(hub.url, replicaDirectory, keyDirectory, more)
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

    /// The texts of the notes that a gateway shows.
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

    /// Sends a request with the replica's local master key.
    func asOwner(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil) async throws -> Daemon.Answer {
        try await replica.send(method, path, body ?? (method == .get ? nil : [:]), masterKey: "replica")
    }
}
