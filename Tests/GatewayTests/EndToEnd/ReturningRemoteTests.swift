import Foundation
import HTTPClient
import HTTPTypes
import LocalStore
import ParseModel
import RemoteService
import Testing

@testable import Gateway

/// Tests a remote that is reachable again after an outage. The replica's clock moves only when the test moves it.
/// Therefore only an answer of the remote, and no timer of a sync, closes the circuit breaker.
@Suite("Recovery after an outage of the remote")
struct ReturningRemoteTests {
    private let directories: [TemporaryDirectory]
    private let clock = TestClock()
    private let relay: Relay
    private let hub: Gateway
    private let replica: Gateway
    private let tasks: [Task<Void, any Error>]
    private let client = CurlTransport()

    init() async throws {
        directories = [try TemporaryDirectory(), try TemporaryDirectory(), try TemporaryDirectory()]
        var ofHub = GatewayConfiguration(dataDirectory: directories[0].path)
        ofHub.listen = ListenAddress(host: "127.0.0.1", port: 0)
        ofHub.synchronous = .normal
        ofHub.accounts.passwordStrength = .weakest
        hub = try await Gateway(configuration: ofHub, stores: LocalStoreKind(), logger: .quiet)
        relay = try Relay(to: hub.url)
        var ofReplica = GatewayConfiguration(dataDirectory: directories[1].path)
        ofReplica.listen = ListenAddress(host: "127.0.0.1", port: 0)
        ofReplica.synchronous = .normal
        ofReplica.diskFreeMin = 0
        ofReplica.remote = GatewayConfiguration.Remote(kind: .parse, url: relay.url, applicationId: "demo")
        ofReplica.classes = ["Note"]
        ofReplica.localKeys.masterKey = Secret("own")
        ofReplica.people.mode = .personal
        ofReplica.people.sessionKeyFile = directories[2].path + "/session-key"
        replica = try await Gateway(
            configuration: ofReplica, stores: LocalStoreKind(), logger: .quiet, environment: clock.environment)
        let gateways = [hub, replica]
        tasks = gateways.map { gateway in Task { try await gateway.run() } }
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONObject? = nil, token: String? = nil,
        isMaster: Bool = false
    ) async throws -> (status: Int, json: JSONObject) {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[HTTPField.Name("X-Parse-Session-Token")!] = token
        if isMaster { headers[HTTPField.Name("X-Parse-Master-Key")!] = "own" }
        let answer = try await client.send(
            HTTPClientRequest(
                method: method, url: replica.url + path, headers: headers, body: body?.jsonBytes ?? [],
                isRepeatable: false))
        return (answer.status.code, try JSONReader.read(answer.body).object ?? [:])
    }

    private func circuit(_ token: String?) async throws -> JSONValue? {
        try await send(.get, "/sync", token: token, isMaster: token == nil).json["circuit"]?.object?["state"]
    }

    /// Waits until a sync has succeeded, for at most two seconds of the replica's clock: two attempts can be a second
    /// apart.
    private func hasSynced(_ token: String?) async throws -> Bool {
        for attempt in 1...PeopleWorld.attemptsMax {
            if attempt <= 20 { clock.advance(.milliseconds(100)) }
            let status = try await send(.get, "/sync", token: token, isMaster: token == nil).json
            if status["lastError"] == .null, status["lastSyncAt"] != .null, status["state"] == "idle",
                status["circuit"]?.object?["state"] == "closed"
            {
                return true
            }
        }
        return false
    }

    private static let ada: JSONObject = ["username": "ada", "password": "sesame"]

    @Test func requestsAndSyncsSucceedAtTheRemotesFirstAnswerAfterAnOutage() async throws {
        let signUp = try await send(.post, "/users", Self.ada)
        let token = try #require(signUp.json["sessionToken"]?.string, "\(signUp)")
        #expect(try await send(.post, "/sync?wait=true", [:], token: token).status == 200)
        #expect(try await send(.post, "/sync?wait=true", [:], isMaster: true).status == 200)
        for span in [5, 60, 300, 86_400] {
            await relay.cut()
            // The circuit breaker allows one attempt per second, so the clock advances before each.
            for _ in 0..<4 {
                clock.advance(.seconds(1))
                #expect(try await send(.post, "/sync?wait=true", [:], token: token).status == 503)
                clock.advance(.seconds(1))
                #expect(try await send(.post, "/sync?wait=true", [:], isMaster: true).status == 503)
            }
            clock.advance(.seconds(1))
            #expect(try await send(.post, "/login", Self.ada).json["code"] == 100)
            #expect(try await circuit(nil) == "open")
            // The replica may be asking the remote about the session, so the circuit breaker may also be half-open.
            let status = try await send(.get, "/sync", token: token).json
            #expect(status["circuit"]?.object?["state"] != "closed", "\(status.jsonText)")
            clock.advance(.seconds(span))
            try relay.restore()
            let logIn = try await send(.post, "/login", Self.ada)
            #expect(logIn.status == 200, "\(logIn)")
            #expect(try await send(.post, "/functions/unknown", [:], token: token).json["code"] == 141)
            let name = JSONValue.string("user\(span)")
            let newUser = try await send(.post, "/users", ["username": name, "password": "p"])
            #expect(newUser.status == 201)
            // The delayed syncs begin at the remote's answer, without a timer.
            let own = try await send(.get, "/sync", isMaster: true).json.jsonText
            #expect(try await hasSynced(nil), "\(own)")
            #expect(try await hasSynced(token))
            // The new user's first sync must end before the next outage begins.
            #expect(try await hasSynced(newUser.json["sessionToken"]?.string))
        }
        for task in tasks { task.cancel() }
        _ = await tasks[0].result
    }
}
