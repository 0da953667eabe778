import GatewayAPI
import HTTPClient
import HTTPServer
import HTTPTypes
import ParseModel
import ParseRemote
import RemoteService
import SyncEngine
import Synchronization
import Testing

@testable import Gateway

struct RemoteForwarderTests {
    /// A transport that records the requests and gives the answer of the test.
    private final class Recorder: HTTPTransport {
        let sent = Mutex<[HTTPClientRequest]>([])
        let answer: Result<HTTPClientResponse, HTTPTransportError>

        init(_ answer: Result<HTTPClientResponse, HTTPTransportError>) { self.answer = answer }

        func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
            sent.withLock { $0.append(request) }
            return try answer.get()
        }
    }

    private func calls(_ transport: Recorder, _ masterKey: String? = nil) -> any RemoteCallService {
        ParseRemote(
            configuration: .init(
                serverURL: "https://example.org/parse", applicationId: "app", restKey: "rest", masterKey: masterKey,
                replicaId: "replica"), transport: transport
        ).calls!
    }

    private func forwarder(
        _ transport: Recorder, masterKey: String? = nil, isPaused: Bool = false,
        circuit: RemoteCircuit = RemoteCircuit(environment: TestClock().advancing)
    ) -> RemoteForwarder {
        RemoteForwarder(
            service: calls(transport, masterKey), masterKey: masterKey.map(Secret.init), circuit: circuit
        ) { isPaused }
    }

    private static let fine = HTTPClientResponse(status: .ok, body: Array("{}".utf8))

    private static func response(_ status: Int, _ body: String) -> HTTPClientResponse {
        HTTPClientResponse(status: .init(code: status), body: Array(body.utf8))
    }

    private func call(masterKey: String? = nil, isOwn: Bool = false) -> RemoteCall {
        RemoteCall(
            method: .post, target: "/functions/f?a=1", headers: [.accept: "application/json"], body: [1],
            masterKey: masterKey, isOwnMasterKey: isOwn)
    }

    private func header(_ transport: Recorder, _ name: String) -> String? {
        transport.sent.withLock { $0.last?.headers[HTTPField.Name(name)!] }
    }

    @Test func refusalOfAForwardedCallNamesTheTimeOfTheNextAttempt() {
        for error in ["The remote cannot be reached: Couldn't connect to server", "The disk is full."] {
            var status = SyncStatus()
            status.lastError = error
            status.circuit.retryAt = ParseDate(milliseconds: 0)
            let whole = error.hasSuffix(".") ? error : error + "."
            #expect(
                APIError.remoteUnreachable(status)
                    == .remoteUnreachable(reason: whole + " It is asked again at 1970-01-01T00:00:00.000Z."))
        }
    }

    @Test func forwardedCallIsSentWithTheRemotesApplicationIdAndKeys() async throws {
        let transport = Recorder(.success(Self.response(201, #"{"a":1}"#)))
        let answer = try await forwarder(transport).call(call())
        #expect(answer.status == .created)
        #expect(answer.body == Array(#"{"a":1}"#.utf8))
        let sent = try #require(transport.sent.withLock { $0.first })
        #expect(sent.url == "https://example.org/parse/functions/f?a=1")
        #expect(sent.body == [1])
        #expect(!sent.isRepeatable)
        #expect(header(transport, "X-Parse-Application-Id") == "app")
        #expect(header(transport, "X-Parse-REST-API-Key") == "rest")
        #expect(header(transport, "X-Parse-Master-Key") == nil)
    }

    @Test(
        arguments: [
            (nil, "theirs", false, true), (nil, "own", true, false), ("theirs", "theirs", false, true),
            ("theirs", "other", false, false), ("same", "same", true, true), ("theirs", nil, false, false),
        ] as [(String?, String?, Bool, Bool)])
    func onlyTheRemotesMasterKeyIsForwarded(
        _ known: String?, _ offered: String?, _ isOwn: Bool, _ goesOut: Bool
    ) async throws {
        let transport = Recorder(.success(Self.fine))
        _ = try await forwarder(transport, masterKey: known).call(call(masterKey: offered, isOwn: isOwn))
        #expect(header(transport, "X-Parse-Master-Key") == (goesOut ? offered : nil))
    }

    @Test func noForwardedCallIsSentWhileSyncingIsPaused() async {
        let transport = Recorder(.success(Self.fine))
        let error = await #expect(throws: APIError.self) { try await forwarder(transport, isPaused: true).call(call()) }
        guard case .remoteUnreachable(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("paused"))
        #expect(transport.sent.withLock { $0.isEmpty })
    }

    /// A call is tried although earlier requests got no answer, because a person waits for it.
    @Test func forwardedCallsAreSentWhileTheCircuitBreakerIsOpen() async throws {
        let circuit = RemoteCircuit(environment: TestClock().advancing)
        circuit.noteFailure(reason: "no route", begunAt: .zero)
        let transport = Recorder(.success(Self.fine))
        _ = try await forwarder(transport, circuit: circuit).call(call())
        #expect(!circuit.isOpen)
        let away = Recorder(.failure(.notSent(reason: "refused")))
        await #expect(throws: APIError.self) { try await forwarder(away, circuit: circuit).call(call()) }
        #expect(circuit.isOpen)
    }

    /// Such answers are pages of networks and proxies, incomplete answers, and faults with a status of success.
    @Test(
        arguments: [
            (200, "<html>Please sign in</html>"), (200, #"{"objectId":"a","sessionTok"#), (200, "{}"), (200, ""),
            (200, #"{"objectId":"a"}"#), (200, #"{"objectId":"","sessionToken":"r:1"}"#), (200, "[]"),
            (200, #"{"code":1,"error":{"code":"ECONNREFUSED"}}"#), (302, ""), (403, "<html>blocked</html>"),
            (404, "Cannot POST /parse/login"), (502, "<html>Bad Gateway</html>"), (503, ""), (204, ""),
        ])
    func answersToCallsThatAreNotFromAParseServerAreNotReturned(_ status: Int, _ body: String) async throws {
        let circuit = RemoteCircuit(environment: TestClock().advancing)
        let transport = Recorder(.success(Self.response(status, body)))
        var logIn = call()
        logIn.form = .texts("objectId", "sessionToken")
        let error = await #expect(throws: APIError.self) {
            try await forwarder(transport, circuit: circuit).callIfReachable(logIn)
        }
        switch error {
        case .remoteUnreachable, .remoteUnusable: break
        default: Issue.record("\(String(describing: error))")
        }
        #expect(circuit.isOpen)
    }

    @Test(
        arguments: [
            (200, "{}", AnswerForm.object), (200, "{}", .function), (200, #"{"result":null}"#, .function),
            (200, "[]", .list), (200, #"{"results":[],"count":1}"#, .results),
            (400, #"{"code":141,"error":"no"}"#, .function), (403, #"{"error":"unauthorized"}"#, .results),
            (500, #"{"code":1,"message":"Internal server error."}"#, .result),
            (429, #"{"error":"slow down"}"#, .object),
        ])
    func answersOfAParseServerToCallsAreReturned(_ status: Int, _ body: String, _ form: AnswerForm) async throws {
        var sent = call()
        sent.form = form
        let answer = try await forwarder(Recorder(.success(Self.response(status, body)))).call(sent)
        #expect(answer.status.code == status)
        #expect(answer.body == Array(body.utf8))
    }

    /// A call waits for a silent remote no longer than a request of a sync.
    @Test func aForwardedCallHasTheTimeLimitOfASyncRequest() {
        let (calls, syncs) = (RemoteFactory.callTransport(.init(url: "")), CurlTransport.Configuration())
        #expect(calls.stallTimeout == syncs.stallTimeout)
        #expect(calls.connectTimeout == syncs.connectTimeout)
        #expect(calls.responseBytesMax <= syncs.responseBytesMax)
    }

    @Test func forwardedCallThatIgnoresThePauseIsSentWhilePaused() async throws {
        let transport = Recorder(.success(Self.fine))
        var insisted = call()
        insisted.ignoresPause = true
        _ = try await forwarder(transport, isPaused: true).call(insisted)
        #expect(transport.sent.withLock { $0.count } == 1)
    }

    @Test func forwardedCallErrorsDistinguishUnsentFromUnanswered() async {
        await #expect(throws: APIError.remoteUnreachable(reason: "The remote cannot be reached: refused")) {
            try await forwarder(Recorder(.failure(.notSent(reason: "refused")))).call(call())
        }
        let lost = await #expect(throws: APIError.self) {
            try await forwarder(Recorder(.failure(.outcomeUnknown(reason: "reset")))).call(call())
        }
        guard case .remoteSilent(let reason) = lost else {
            Issue.record("\(String(describing: lost))")
            return
        }
        #expect(reason.contains("may have executed"))
    }

    @Test func redirectsOfTheRemoteAreNotReturnedToCallers() async {
        let moved = HTTPClientResponse(status: .movedPermanently, headers: [.location: "https://other.example/"])
        await #expect(throws: APIError.self) { try await forwarder(Recorder(.success(moved))).call(call()) }
    }

    @Test(
        arguments: [
            ("https://example.org/parse/users/u", "/users/u"), ("https://example.org/other/u", nil),
            ("https://example.org/parser", nil),
        ] as [(String, String?)])
    func locationHeaderIsReturnedWithoutTheRemotesAddress(_ location: String, _ place: String?) async throws {
        let response = HTTPClientResponse(status: .created, headers: [.location: location], body: Array("{}".utf8))
        #expect(try await forwarder(Recorder(.success(response))).call(call()).location == place)
    }

    /// The answers were recorded at a real Parse Server.
    @Test func recordedParseServerAnswersAreReturnedUnchanged() async throws {
        let names: Set = [
            "sign up", "sign up again", "log in", "log in wrongly", "log out", "function that is not there",
        ]
        let directory = try TemporaryDirectory()
        let hub = try Hub(directory, clock: TestClock())
        for exchange in try RecordedExchange.all() where names.contains(exchange.name) {
            let recorded = exchange.answer
            var headers: HTTPFields = [:]
            headers[.contentType] = recorded.contentType
            headers[.location] = recorded.location.map {
                $0.replacing("http://127.0.0.1:1337/parse", with: "https://example.org/parse")
            }
            let transport = Recorder(
                .success(
                    HTTPClientResponse(
                        status: .init(code: recorded.status), headers: headers, body: Array(recorded.text.utf8))))
            let api = Replica.api(
                APIParts(
                    store: hub.store.objects, configuration: .init(mode: .replica, version: "test"),
                    environment: TestClock().environment, logger: .quiet),
                RemoteWays(control: StillSync(), calls: forwarder(transport)))
            let answer = await exchange.replayed(to: api, IdTranslation())
            #expect(answer.line == recorded.line, "\(exchange.name)")
            #expect(transport.sent.withLock { $0.count } == 1)
        }
        withExtendedLifetime(directory) {}
    }

    @Test func remoteCountsAsUnreachableOnlyWithoutAnAnswer() async throws {
        for error in [HTTPTransportError.notSent(reason: "refused"), .outcomeUnknown(reason: "no answer in time")] {
            let transport = Recorder(.failure(error))
            #expect(try await forwarder(transport).callIfReachable(call()) == nil)
            #expect(transport.sent.withLock { $0.count } == 1)
        }
        for status in [400, 401, 404, 429, 500, 502, 503, 504] {
            let transport = Recorder(.success(Self.response(status, #"{"code":1,"error":"no"}"#)))
            let answer = try await forwarder(transport).callIfReachable(call())
            #expect(answer?.status.code == status)
        }
    }

    @Test func rateLimitOfAProxyIsReturnedWithItsRetryAfter() async throws {
        var response = Self.response(429, "<html>slow down</html>")
        response.headers[.retryAfter] = "7"
        let answer = try await forwarder(Recorder(.success(response))).call(call())
        #expect(answer.status.code == 429 && answer.headers[.retryAfter] == "7")
    }

    @Test func pausedReplicaDoesNotContactTheRemoteToDecideOffline() async {
        let transport = Recorder(.failure(.notSent(reason: "refused")))
        await #expect(throws: APIError.self) { try await forwarder(transport, isPaused: true).callIfReachable(call()) }
        let redirected = Recorder(.success(HTTPClientResponse(status: .found)))
        await #expect(throws: APIError.self) { try await forwarder(redirected).callIfReachable(call()) }
        #expect(transport.sent.withLock { $0.isEmpty })
    }
}
