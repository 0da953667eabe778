import GatewayAPI
import HTTPTypes
import ParseModel
import RemoteService
import Synchronization
import Testing

/// Tests forwarded reads whose `include` the remote refuses. The gateway then reads the included objects itself.
@Suite struct ForwardedIncludesTests {
    /// A fake Parse Server with a few rows. It refuses an `include` over its limits as Parse Server 9 does, and
    /// returns at most one row for a query by a list of ids.
    private final class Server: RemoteCalls {
        private let depthMax: Int
        private let text: String
        private let named: RemoteLimits.Values
        private let heard = Mutex<[JSONObject]>([])
        static let author: JSONValue = ["__type": "Pointer", "className": "Author", "objectId": "ann"]
        static let country: JSONValue = ["__type": "Pointer", "className": "Country", "objectId": "no"]
        static let hidden: JSONValue = ["__type": "Pointer", "className": "Author", "objectId": "gone"]

        init(depthMax: Int, text: String = "Permission denied", named: RemoteLimits.Values = .init()) {
            (self.depthMax, self.text, self.named) = (depthMax, text, named)
        }

        var limits: RemoteLimits.Values { named }
        var bodies: [JSONObject] { heard.withLock { $0 } }

        private static let rows: [String: [JSONObject]] = [
            "_User": [
                ["objectId": "b1", "title": "One", "author": author, "readers": [author, hidden]],
                ["objectId": "b2", "title": "Two"],
            ],
            "Author": [["objectId": "ann", "name": "Ann", "born": country]],
            "Country": [["objectId": "no", "code": "NO"]],
        ]

        func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer {
            let body = (try? JSONReader.read(call.body).object) ?? [:]
            heard.withLock { $0.append(body) }
            let depth =
                (body["include"]?.string ?? "").split(separator: ",").map { $0.split(separator: ".").count }.max() ?? 0
            if depth > depthMax { return answer(400, ["code": 102, "error": .string(text)]) }
            let segments = call.target.split(separator: "/")
            let path =
                segments[0] == "users"
                ? ["_User"] + segments.dropFirst().map(String.init) : segments.dropFirst().map(String.init)
            guard let rows = Self.rows[path[0]] else {
                return answer(400, ["code": 119, "error": "Permission denied"])
            }
            if path.count > 1, let row = rows.first(where: { $0["objectId"] == .string(path[1]) }) {
                return answer(200, row)
            }
            let ids = body["where"]?.object?["objectId"]?.object?["$in"]?.array
            let found = rows.filter { row in ids?.contains(row["objectId"] ?? .null) ?? true }
            return answer(200, ["results": .array((ids == nil ? found : Array(found.prefix(1))).map { .object($0) })])
        }

        private func answer(_ status: Int, _ body: JSONObject) -> RemoteAnswer {
            RemoteAnswer(
                status: .init(code: status), headers: [.contentType: "application/json"], body: body.jsonBytes,
                location: nil)
        }
    }

    private func read(_ server: Server, _ line: String) async throws -> (status: Int, body: JSONObject) {
        let answer = await Gateway.make(sync: FakeSync(), remote: server).send(line)
        return (answer.status, try #require(try answer.json.object))
    }

    private static let joined: JSONObject = [
        "objectId": "b1", "title": "One",
        "author": [
            "objectId": "ann", "name": "Ann",
            "born": ["objectId": "no", "code": "NO", "__type": "Object", "className": "Country"],
            "__type": "Object", "className": "Author",
        ],
    ]

    @Test func includeRefusedByTheRemoteIsJoinedByTheGateway() async throws {
        let server = Server(depthMax: 1)
        let answer = try await read(server, "GET /users?include=author.born&excludeKeys=readers")
        #expect(answer.status == 200)
        #expect(answer.body["results"] == [.object(Self.joined), ["objectId": "b2", "title": "Two"]])
        #expect(server.bodies.count == 4)
    }

    @Test func includeOfOneObjectRefusedByTheRemoteIsJoinedByTheGateway() async throws {
        let answer = try await read(Server(depthMax: 0), "GET /users/b1?include=author.born&keys=title,author")
        #expect(answer.body == Self.joined)
    }

    /// As on a Parse Server, an included list omits pointers to objects that the caller cannot read.
    @Test func refusedIncludeOfAPointerListIsJoinedByTheGateway() async throws {
        let answer = try await read(Server(depthMax: 0), "GET /users?include=readers&keys=readers")
        let readers = answer.body["results"]?.array?.first?.object?["readers"]?.array
        #expect(readers?.map { $0.object?["name"] } == ["Ann"])
    }

    /// If the remote's limit is known, the gateway does not send the `include` that the remote would refuse.
    @Test func includeBeyondTheRemotesKnownDepthIsNotSent() async throws {
        let server = Server(depthMax: 1, named: .init(includeDepth: 1))
        let answer = try await read(server, "GET /users?include=author.born&excludeKeys=readers")
        #expect(answer.body["results"]?.array?.first == .object(Self.joined))
        #expect(!server.bodies.contains { $0["include"] != nil })
        _ = try await read(server, "GET /users?include=author")
        #expect(server.bodies.last?["include"] == "author")
    }

    @Test func remoteRefusalNotAboutIncludesIsReturned() async throws {
        let server = Server(depthMax: -1, text: "bad query")
        let answer = try await read(server, "GET /users?include=author")
        #expect(answer.status == 400)
        #expect(answer.body == ["code": 102, "error": "bad query"])
    }
}
