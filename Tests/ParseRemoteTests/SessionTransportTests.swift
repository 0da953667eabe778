import HTTPClient
import HTTPTypes
import ParseModel
import RemoteHTTP
import Testing

@testable import ParseRemote

@Suite("Requests under the sessions of a user")
struct SessionTransportTests {
    /// The open sessions of a user. A session that the server refuses ends.
    private actor Sessions: TokenSource {
        private(set) var open: [String]
        private(set) var doubted: [String] = []

        init(_ open: [String]) { self.open = open }

        func token() -> String? { open.first }

        func renewed(after refused: String?) -> String? {
            open.removeAll { $0 == refused }
            return open.first
        }

        func noteDoubt(about token: String) { doubted.append(token) }
    }

    private static let field = HTTPField.Name("X-Parse-Session-Token")!
    private static let request = HTTPClientRequest(
        method: .get, url: "http://127.0.0.1:1337/parse/users/me", isRepeatable: true)

    /// A server that accepts one session.
    private static func transport(accepting token: String?) -> ScriptedTransport {
        ScriptedTransport(answering: { request in
            request.headers[field] == token
                ? .success(.make(["objectId": "u"])) : .success(.make(400, ["code": 209, "error": "no"]))
        })
    }

    private static func tokens(_ transport: ScriptedTransport) async -> [String?] {
        await transport.sent.map { $0.headers[field] }
    }

    @Test func aRequestWithARefusedSessionIsRepeatedUnderTheNextSession() async throws {
        let (transport, sessions) = (Self.transport(accepting: "r:c"), Sessions(["r:a", "r:b", "r:c", "r:d"]))
        let answer = try await SessionTransport(transport: transport, sessions: sessions).send(Self.request)
        #expect(answer.status.code == 200)
        #expect(await Self.tokens(transport) == ["r:a", "r:b", "r:c"])
        #expect(await sessions.open == ["r:c", "r:d"])
    }

    /// A changed password ends all sessions of a user at the server.
    @Test func eachSessionThatTheServerRefusesIsEnded() async throws {
        let (transport, sessions) = (Self.transport(accepting: nil), Sessions(["r:a", "r:b"]))
        let answer = try await SessionTransport(transport: transport, sessions: sessions).send(Self.request)
        #expect(answer.status.code == 400)
        #expect(await Self.tokens(transport) == ["r:a", "r:b"])
        #expect(await sessions.open.isEmpty)
    }

    @Test func aRequestIsRepeatedForABoundedNumberOfRefusedSessions() async throws {
        struct Stubborn: TokenSource {
            func token() async -> String? { "r:a" }
            func renewed(after refused: String?) async -> String? { "r:a" }
        }
        let transport = Self.transport(accepting: nil)
        _ = try await SessionTransport(transport: transport, sessions: Stubborn()).send(Self.request)
        #expect(await Self.tokens(transport).count == 10)
    }

    /// A session can end while the server executes a batch. The items before that moment were executed, so the batch
    /// is not repeated.
    @Test(arguments: [(209, ["r:a"]), (101, [])]) func aSessionThatAnItemOfABatchRefusesIsChecked(
        code: Int, doubted: [String]
    ) async throws {
        let item: JSONValue = ["error": ["code": .number(JSONNumber(code)), "error": "no"]]
        let body: JSONValue = [["success": [:]], item]
        let transport = ScriptedTransport(answering: { _ in
            .success(
                HTTPClientResponse(
                    status: .ok, headers: [.contentType: "application/json"], body: Array(body.jsonText.utf8)))
        })
        let sessions = Sessions(["r:a"])
        let answer = try await SessionTransport(transport: transport, sessions: sessions).send(Self.request)
        #expect(answer.status.code == 200)
        #expect(await Self.tokens(transport) == ["r:a"])
        #expect(await sessions.doubted == doubted)
    }
}
