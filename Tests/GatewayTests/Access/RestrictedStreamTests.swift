import HTTPServer
import HTTPTypes
import ParseModel
import Testing

@testable import GatewayAPI

/// Tests that an open change stream follows changes of its reader's access rights.
@Suite(.timeLimit(.minutes(5))) struct RestrictedStreamTests {
    /// A client that collects the changes of a stream.
    private struct Reader {
        let stream: any HTTPBodyStream
        private let wakes: AsyncStream<Void>

        init(_ world: RightsWorld, token: String) async throws {
            var headers: HTTPFields = [.accept: "text/event-stream"]
            headers[try #require(HTTPField.Name("Host"))] = "127.0.0.1:1338"
            headers[try #require(HTTPField.Name("X-Parse-Session-Token"))] = token
            let reply = world.client.api.handle(
                HTTPServerRequest(
                    method: .get, path: "/changes", query: "since=latest&classes=Secret", headers: headers, body: []))
            guard case .stream(let stream) = await reply.response().content else {
                throw ParseError(.internalServerError, "no stream")
            }
            self.stream = stream
            let (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            self.wakes = wakes
            stream.setWaker { continuation.yield() }
        }

        /// Waits for changes, or for the end of the stream.
        func changes() async -> (kinds: [String], isOver: Bool) {
            var found = read()
            var iterator = wakes.makeAsyncIterator()
            while found.kinds.isEmpty, !found.isOver, !Task.isCancelled {
                _ = await iterator.next()
                found = read()
            }
            return found
        }

        /// The kinds of the changes so far, and whether the stream has ended.
        func read() -> (kinds: [String], isOver: Bool) {
            var text = ""
            while true {
                switch stream.next() {
                case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
                case .wait: return (Self.kinds(in: text), false)
                case .end: return (Self.kinds(in: text), true)
                }
            }
        }

        private static func kinds(in text: String) -> [String] {
            text.split(separator: "\n").filter { $0.hasPrefix("data: {\"number\"") }.compactMap { line in
                (try? JSONReader.read(String(line.dropFirst(6))).object)?["kind"]?.string
            }
        }
    }

    private let world: RightsWorld
    private let reader: Reader
    private let token: String

    init() async throws {
        world = try await RightsWorld()
        token = try #require(try await world.client.logIn("eve").token)
        reader = try await Reader(world, token: token)
        #expect(reader.read().kinds == [])
    }

    /// The stream does not show the change that was made while the reader had no access.
    @Test func changeStreamReportsLostReadAccessAsDeletionAndGainedAccessAsCreate() async throws {
        try await world.setACL([:])
        #expect(await reader.changes().kinds == ["delete"])
        _ = try await world.client.send("PUT", "/classes/Secret/\(world.secret)", ["n": 1], master: true)
        try await world.setACL(["*": ["read": true]])
        #expect(await reader.changes().kinds == ["create"])
        _ = try await world.client.send("PUT", "/classes/Secret/\(world.secret)", ["n": 2], master: true)
        #expect(await reader.changes().kinds == ["update"])
    }

    @Test func changeStreamReportsObjectsLostOrGainedByAChangeOfRoles() async throws {
        try await world.setACL(["role:Readers": ["read": true]])
        #expect(await reader.changes().kinds == ["delete"])
        let role = try await world.create("_Role", ["name": "Readers", "ACL": [:]])
        let eve = try world.pointer("_User", world.id(of: .eve))
        for (verb, kind) in [("AddRelation", "create"), ("RemoveRelation", "delete")] {
            let body: JSONObject = ["users": ["__op": .string(verb), "objects": [eve]]]
            _ = try await world.client.send("PUT", "/roles/\(role)", body, master: true)
            #expect(await reader.changes().kinds == [kind])
        }
    }

    @Test func changeStreamReportsObjectsLostOrGainedByClassPermissions() async throws {
        try await world.permit(["find": [:]])
        #expect(await reader.changes().kinds == ["delete"])
        try await world.permit(["find": ["requiresAuthentication": true]])
        #expect(await reader.changes().kinds == ["create"])
    }

    @Test func changeStreamEndsWithItsSession() async throws {
        _ = try await world.client.send("POST", "/logout", as: token)
        _ = try await world.client.send("PUT", "/classes/Secret/\(world.secret)", ["n": 1], master: true)
        #expect(reader.read() == ([], true))
    }
}
