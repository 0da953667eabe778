import Foundation
import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import Testing

/// The remote of `PeopleStory`, as its operator uses it.
struct StoryRemote {
    enum Kind: String, Sendable, CaseIterable {
        /// A standalone gateway in its own process.
        case gateway
        /// The Parse Server of `TIDEGATE_CONTRACT_REMOTE`, with its master key.
        case ownServer

        static let all = allCases.filter { $0 == .gateway || StoryRemote.ownServer != nil }
    }

    /// The beginning of the server's URLs, without a path.
    let origin: String
    /// The mount path: empty, or `/parse`.
    let mount: String
    let applicationId: String
    let restKey: String?
    let masterKey: String
    let className: String
    private let hub: Daemon?
    private let directory: TemporaryDirectory?
    private let transport = CurlTransport()

    private static let ownServer: (url: String, applicationId: String, restKey: String?, masterKey: String)? = {
        guard OwnServer.isGiven, case .parse(let server)? = try? OwnServer().kind, let masterKey = server.masterKey
        else { return nil }
        return (server.serverURL, server.applicationId, server.restKey, masterKey)
    }()

    init(_ kind: Kind, className: String) async throws {
        self.className = className
        guard kind == .ownServer else {
            let directory = try TemporaryDirectory()
            let hub = try await Daemon(directory, ["--local-master-key", "hub"])
            (origin, mount, self.hub, self.directory) = (hub.url, "", hub, directory)
            (applicationId, restKey, masterKey) = ("demo", nil, "hub")
            return
        }
        let server = try #require(Self.ownServer)
        let parts = server.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        origin = parts.prefix(3).joined(separator: "/")
        mount = parts.count > 3 ? "/" + parts[3] : ""
        (applicationId, restKey, masterKey) = (server.applicationId, server.restKey, server.masterKey)
        (hub, directory) = (nil, nil)
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONObject? = nil
    ) async throws -> JSONObject {
        var headers: HTTPFields = [
            .parseApplicationId: applicationId, .parseMasterKey: masterKey, .contentType: "application/json",
        ]
        headers[.parseRESTKey] = restKey
        let answer = try await transport.send(
            HTTPClientRequest(
                method: method, url: origin + mount + path, headers: headers, body: body?.jsonBytes ?? [],
                isRepeatable: false))
        let json = try #require(try JSONReader.read(answer.body).object)
        try #require(answer.status.kind == .successful, "\(method) \(path): \(json.jsonText)")
        return json
    }

    /// All objects of a class that a condition selects.
    private func all(_ path: String, where conditions: JSONObject = [:]) async throws -> [JSONObject] {
        let filter = PercentCoding.encodedPathSegment(conditions.jsonText)
        return try await send(.get, "\(path)?limit=1000&where=\(filter)")["results"]?.array?.compactMap(\.object) ?? []
    }

    // MARK: Users

    /// - Returns: the id of the new user.
    func addUser(_ name: String, password: String) async throws -> String {
        let user = try await send(.post, "/users", ["username": .string(name), "password": .string(password)])
        return try #require(user["objectId"]?.string)
    }

    func setPassword(of userId: String, to password: String) async throws {
        _ = try await send(.put, "/users/\(userId)", ["password": .string(password)])
        try await endSessions(of: userId)
    }

    /// Locks a user out by the ACL `{}`, and ends the user's sessions.
    func lock(_ userId: String) async throws {
        _ = try await send(.put, "/users/\(userId)", ["ACL": [:]])
        try await endSessions(of: userId)
    }

    func unlock(_ userId: String) async throws {
        _ = try await send(.put, "/users/\(userId)", ["ACL": .object([userId: ["read": true, "write": true]])])
    }

    private func endSessions(of userId: String) async throws {
        let user = Pointer(className: "_User", objectId: userId).json
        for session in try await all("/sessions", where: ["user": user]) {
            _ = try await send(.delete, "/sessions/\(session["objectId"]?.string ?? "")")
        }
    }

    // MARK: Notes

    func addNote(_ text: String) async throws {
        _ = try await send(.post, "/classes/\(className)", ["text": .string(text)])
    }

    func notes(where conditions: JSONObject) async throws -> [JSONObject] {
        try await all("/classes/\(className)", where: conditions)
    }

    /// The content of a file.
    func content(ofFile name: String) async throws -> String {
        let answer = try await transport.send(
            HTTPClientRequest(method: .get, url: "\(origin)\(mount)/files/\(applicationId)/\(name)", isRepeatable: true)
        )
        return String(decoding: answer.body, as: UTF8.self)
    }

    /// The ACLs of the notes, by their texts; null for none.
    func notes() async throws -> [String: JSONValue] {
        let notes = try await all("/classes/\(className)").map { ($0["text"]?.string ?? "", $0["ACL"] ?? .null) }
        return Dictionary(notes) { first, _ in first }
    }

    /// Deletes the notes and the users of a story.
    func clean(_ userIds: [String]) async throws {
        for note in try await all("/classes/\(className)") {
            _ = try await send(.delete, "/classes/\(className)/\(note["objectId"]?.string ?? "")")
        }
        for userId in userIds { _ = try await send(.delete, "/users/\(userId)") }
    }
}
