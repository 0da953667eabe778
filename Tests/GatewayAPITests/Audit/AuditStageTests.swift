import GatewayAPI
import HTTPServer
import ParseModel
import Synchronization
import Testing

/// Checks which requests write an event to the audit log.
@Suite struct AuditStageTests {
    private final class Trail: AuditTrail {
        let events = Mutex<[AuditEvent]>([])
        func note(_ event: AuditEvent) { events.withLock { $0.append(event) } }
    }

    private let trail = Trail()
    private var events: [AuditEvent] { trail.events.withLock { $0 } }
    private let logIn = #"{"username":"ada","password":"a secret"}"#

    /// A replica whose remote answers every request with the same status and body.
    private func replica(_ status: Int, _ body: String) -> Gateway {
        Gateway.make(sync: FakeSync(), remote: FakeRemote(status, body: body), audit: trail)
    }

    @Test func signInIsAuditedWithoutItsSecrets() async throws {
        let gateway = replica(200, #"{"objectId":"a1","username":"ada","sessionToken":"r:token"}"#)
        #expect(await gateway.send("POST /login", body: logIn).status == 200)
        #expect(events == [.signIn(userId: "a1", client: .loopback, isOffline: false)])
        let text = events.map(\.json.jsonText).joined()
        #expect(!text.contains("secret") && !text.contains("token") && !text.contains("ada"))
    }

    @Test func refusedSignInIsAudited() async {
        let gateway = replica(404, #"{"code":101,"error":"Invalid username/password."}"#)
        #expect(await gateway.send("POST /login", body: logIn).status == 404)
        #expect(await gateway.send("GET /login?username=ada&password=x").status == 404)
        let refusal = AuditEvent.signInRefused(code: 101, client: .loopback)
        #expect(events == [refusal, refusal])
    }

    /// Only a refusal by the remote is an event, and an unreachable remote refuses nothing.
    @Test func signInWithUnreachableRemoteIsNotAudited() async {
        let gateway = Gateway.make(
            sync: FakeSync(), remote: FakeRemote(.failure(.remoteUnreachable(reason: "gone"))), audit: trail)
        #expect(await gateway.send("POST /login", body: logIn).status == 503)
        #expect(events.isEmpty)
    }

    /// The path of the request can contain the user's name, so the event has the route's pattern instead.
    @Test func removalOfUserDataIsAuditedWithoutTheUsersName() async {
        let gateway = Gateway.make(sync: FakeSync(), users: .spaces(FakeSpaces()), audit: trail) {
            $0.keys = .init(masterKey: "master")
        }
        #expect(await gateway.send("DELETE /sync/users/bobby", ["X-Parse-Master-Key": "master"]).status == 404)
        #expect(
            events == [
                .masterKeyUsed(method: "DELETE", path: "/sync/users/{userId}", status: 404, client: .loopback)
            ])
    }

    @Test func onlyWritesWithTheMasterKeyAreAudited() async {
        let gateway = Gateway.make(audit: trail) { $0.keys = .init(masterKey: "master") }
        let master = ["X-Parse-Master-Key": "master"]
        #expect(await gateway.send("GET /schemas", master).status == 200)
        #expect(await gateway.send("POST /classes/Note", body: "{}").status == 201)
        #expect(events.isEmpty)
        #expect(await gateway.send("POST /classes/Note?q=secret", master, body: "{}").status == 201)
        #expect(
            events == [.masterKeyUsed(method: "POST", path: "/classes/Note", status: 201, client: .loopback)])
        #expect(await gateway.send("DELETE /classes/Note/none", master).status == 404)
        #expect(
            events.last
                == .masterKeyUsed(method: "DELETE", path: "/classes/Note/none", status: 404, client: .loopback))
    }

    /// Each batch item writes its own event. The event of the batch itself follows.
    @Test func batchItemsWithTheMasterKeyAreAudited() async {
        let gateway = Gateway.make(audit: trail) { $0.keys = .init(masterKey: "master") }
        let body = #"""
            {"requests":[{"method":"POST","path":"/parse/classes/Note?q=secret","body":{}},
            {"method":"GET","path":"/parse/classes/Note"},{"method":"DELETE","path":"/parse/classes/Note/none"}]}
            """#
        #expect(await gateway.send("POST /batch", body: body).status == 200)
        #expect(events.isEmpty)
        #expect(await gateway.send("POST /batch", ["X-Parse-Master-Key": "master"], body: body).status == 200)
        #expect(
            events == [
                .masterKeyUsedInBatch(method: "POST", path: "/classes/Note", code: nil, client: .loopback),
                .masterKeyUsedInBatch(method: "DELETE", path: "/classes/Note/none", code: 101, client: .loopback),
                .masterKeyUsed(method: "POST", path: "/batch", status: 200, client: .loopback),
            ])
        #expect(
            events.first?.json.jsonText
                == #"{"event":"masterKeyUsed","method":"POST","path":"/classes/Note","batch":true,"client":"127.0.0.1"}"#
        )
    }
}
