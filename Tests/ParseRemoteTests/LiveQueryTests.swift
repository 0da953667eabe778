import HTTPClient
import HTTPTypes
import ParseModel
import RemoteHTTP
import RemoteService
import SyncModel
import Synchronization
import Testing

@testable import ParseRemote

@Suite("LiveQuery connections to a Parse Server", .timeLimit(.minutes(5)))
struct LiveQueryTests {
    /// The sessions of a user, of whom the test may take one away.
    private final class Sessions: TokenSource {
        private let current: Mutex<String?>
        init(_ token: String?) { current = Mutex(token) }
        func change(to token: String?) { current.withLock { $0 = token } }
        func token() async -> String? { current.withLock { $0 } }
        func renewed(after refused: String?) async -> String? { nil }
    }

    /// Real time, except that the waits for answers never end, or end at once.
    private static func environment(waitsForAnswers: Bool = true) -> Environment {
        Environment(
            now: { ParseDate(milliseconds: 0) }, uptime: { .zero }, random: { .random(in: 0...(.max)) },
            sleep: { span in
                let isAnswerTime = span == LiveQueryAccess.answerTime
                if isAnswerTime, !waitsForAnswers { return }
                try await Task.sleep(for: isAnswerTime ? .seconds(3600) : span)
            })
    }

    private static func signals(
        at url: String, masterKey: String? = nil, sessions: (any TokenSource)? = nil, waitsForAnswers: Bool = true
    ) throws -> any RemoteChangeSignals {
        let access = LiveQueryAccess(
            url: url, environment: environment(waitsForAnswers: waitsForAnswers),
            connectTimeout: .seconds(15))
        let remote = ParseRemote(
            configuration: .init(
                serverURL: "http://127.0.0.1:9/parse", applicationId: "app", restKey: "rest-key-1",
                masterKey: masterKey, replicaId: "replica-1", sessions: sessions, liveQuery: access),
            transport: ScriptedTransport(answering: { _ in .failure(.notSent(reason: "not asked")) }))
        return try #require(remote.changeSignals)
    }

    private static let holidays = PullQuery(className: "Holiday", keys: ["objectId"])
    private static let mine = PullQuery(className: "Birthday", conditions: ["n": ["$gt": 1]], keys: ["objectId"])

    private func expectError(
        _ expected: RemoteSignalsError, _ signals: any RemoteChangeSignals,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(throws: expected, sourceLocation: sourceLocation) { try await signals.connect() }
    }

    private func until(_ condition: () -> Bool) async throws {
        while !condition() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    // MARK: Messages

    @Test func theClientSendsItsKeysAndSubscribesToEachQuery() async throws {
        let server = try LiveQueryServer()
        let listener = try await Self.signals(at: server.url, masterKey: "master-1").connect()
        #expect(server.targets == ["/parse"])
        listener.listen(to: [Self.holidays, Self.mine])
        #expect(await listener.next() == .listening(refused: []))
        #expect(
            server.received == [
                ["op": "connect", "applicationId": "app", "restAPIKey": "rest-key-1", "masterKey": "master-1"],
                [
                    "op": "subscribe", "requestId": 1,
                    "query": ["className": "Holiday", "where": [:], "keys": ["objectId"]],
                ],
                [
                    "op": "subscribe", "requestId": 2,
                    "query": ["className": "Birthday", "where": ["n": ["$gt": 1]], "keys": ["objectId"]],
                ],
            ])
        listener.close()
        #expect(await listener.next() == nil)
        await server.stop()
    }

    @Test func aUserListensUnderTheOwnSession() async throws {
        let server = try LiveQueryServer()
        let sessions = Sessions("r:token-1")
        let listener = try await Self.signals(at: server.url, sessions: sessions).connect()
        listener.listen(to: [Self.holidays])
        #expect(await listener.next() == .listening(refused: []))
        #expect(server.received.map { $0["sessionToken"] } == ["r:token-1", "r:token-1"])
        #expect(await listener.isCurrent())
        sessions.change(to: "r:token-2")
        #expect(await !listener.isCurrent())
        sessions.change(to: nil)
        #expect(await !listener.isCurrent())
        await expectError(.noSession, try Self.signals(at: server.url, sessions: sessions))
        #expect(server.targets.count == 1)
        await server.stop()
    }

    @Test(arguments: ["create", "update", "enter", "leave", "delete"])
    func anEventIsReportedWithoutItsData(op: String) async throws {
        let server = try LiveQueryServer()
        let listener = try await Self.signals(at: server.url).connect()
        listener.listen(to: [Self.holidays])
        #expect(await listener.next() == .listening(refused: []))
        // None of the first messages is about a query.
        for text in [
            "no JSON", "[]", "{}", #"{"op":"\#(op)"}"#, #"{"op":"\#(op)","requestId":7,"object":{}}"#,
            #"{"op":"result","requestId":1,"results":[]}"#, #"{"op":"\#(op)","requestId":1,"object":{"objectId":"a"}}"#,
        ] { server.send(text) }
        #expect(await listener.next() == .changed)
        server.drop()
        #expect(await listener.next() == nil)
        await server.stop()
    }

    @Test func queriesAreReplaced() async throws {
        let server = try LiveQueryServer()
        let listener = try await Self.signals(at: server.url).connect()
        listener.listen(to: [Self.holidays])
        #expect(await listener.next() == .listening(refused: []))
        listener.listen(to: [Self.mine])
        #expect(await listener.next() == .listening(refused: []))
        #expect(server.received[2] == ["op": "unsubscribe", "requestId": 1])
        #expect(server.received[3]["requestId"] == 2)
        server.send(#"{"op":"update","requestId":1,"object":{}}"#)
        server.send(#"{"op":"update","requestId":2,"object":{}}"#)
        #expect(await listener.next() == .changed)
        listener.listen(to: [Self.mine])
        #expect(server.received.count == 4)
        await server.stop()
    }

    // MARK: Refusals

    @Test func aRefusedSubscriptionLeavesTheOthers() async throws {
        let server = try LiveQueryServer { op, message in
            guard op == "subscribe", message["query"]?.object?["className"] == "Holiday" else {
                return LiveQueryServer.accepting(op, message)
            }
            return [#"{"op":"error","code":119,"error":"Permission denied","reconnect":false,"requestId":1}"#]
        }
        let listener = try await Self.signals(at: server.url).connect()
        listener.listen(to: [Self.holidays, Self.mine])
        #expect(await listener.next() == .listening(refused: ["Holiday"]))
        server.send(#"{"op":"create","requestId":2,"object":{}}"#)
        #expect(await listener.next() == .changed)
        server.send(#"{"op":"error","code":119,"error":"Permission denied","reconnect":false,"requestId":2}"#)
        #expect(await listener.next() == .listening(refused: ["Holiday", "Birthday"]))
        server.send(#"{"op":"error","code":2,"error":"Cannot find client","reconnect":true}"#)
        #expect(await listener.next() == nil)
        #expect(listener.endReason == "the server has sent the error 2")
        await server.stop()
    }

    @Test func aServerThatRefusesTheKeysOffersNoReports() async throws {
        let server = try LiveQueryServer { _, message in
            // A server must not be able to put the keys into the log.
            let text = JSONValue.string(JSONValue.object(message).jsonText).jsonText
            return [#"{"op":"error","code":4,"error":\#(text),"reconnect":false}"#]
        }
        await expectError(
            .notOffered(reason: "the server refuses the connection with code 4"),
            try Self.signals(at: server.url, masterKey: "master-1", sessions: Sessions("r:token-1")))
        await server.stop()
    }

    @Test(arguments: [
        (404, RemoteSignalsError.notOffered(reason: "the handshake was answered with status 404")),
        (400, .notOffered(reason: "the handshake was answered with status 400")),
        (200, .notOffered(reason: "the handshake was answered with status 200")),
        (503, .failed(reason: "the handshake was answered with status 503")),
        (429, .failed(reason: "the handshake was answered with status 429")),
    ])
    func aRefusedHandshakeIsNoLiveQuery(status: Int, error: RemoteSignalsError) async throws {
        let server = try LiveQueryServer(status: .init(code: status))
        await expectError(error, try Self.signals(at: server.url))
        await server.stop()
    }

    @Test func anUnreachableServerMayAnswerLater() async throws {
        let server = try LiveQueryServer()
        await server.stop()
        await #expect {
            try await Self.signals(at: server.url).connect()
        } throws: { error in
            if case .failed? = error as? RemoteSignalsError { true } else { false }
        }
    }

    @Test func aConnectionThatBreaksBeforeItsAnswerMayWorkLater() async throws {
        let server = try LiveQueryServer { _, _ in nil }
        await #expect {
            try await Self.signals(at: server.url).connect()
        } throws: { error in
            if case .failed? = error as? RemoteSignalsError { true } else { false }
        }
        await server.stop()
    }

    @Test func aServerThatDoesNotAnswerIsNoLiveQuery() async throws {
        let server = try LiveQueryServer { _, _ in [] }
        await expectError(
            .notOffered(reason: "the server does not answer as a LiveQuery server"),
            try Self.signals(at: server.url, waitsForAnswers: false))
        await server.stop()
    }

    @Test func anUnansweredSubscriptionEndsTheConnection() async throws {
        let server = try LiveQueryServer { op, message in
            op == "subscribe" ? [] : LiveQueryServer.accepting(op, message)
        }
        let configuration = ParseRemoteConfiguration(serverURL: "", applicationId: "app", replicaId: "")
        let access = LiveQueryAccess(url: server.url, environment: Self.environment())
        let listener = try await ParseLiveQuery(configuration: configuration, access: access).connect()
        listener.listen(to: [Self.holidays])
        try await until { server.received.count == 2 }
        (listener as? LiveQueryListener)?.endIfUnanswered(first: 1)
        #expect(await listener.next() == nil)
        #expect(listener.endReason == "the server does not answer a subscription")
        await server.stop()
    }

    @Test func aRemoteWithoutAnAddressForLiveQueryReportsNothing() {
        let remote = ParseRemote.make(ScriptedTransport(answering: { _ in .failure(.notSent(reason: "not asked")) }))
        #expect(remote.changeSignals == nil)
    }
}
