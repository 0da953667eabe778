import HTTPServer
import HTTPTypes
import ParseModel
import Synchronization
import Testing

@testable import GatewayAPI

/// The owner of a replica with users operates it in the gateway's web page by a browser session, without the master
/// key.
@Suite("Browser session of the replica's owner")
struct OwnerSessionTests {
    /// Makes replicas with users, whose browser sessions use the test clock.
    private final class World: Sendable {
        private let uptime = Mutex(Duration.zero)
        private let secrets = Mutex<UInt64>(0)
        let log = LogLines(from: .trace)

        func advance(_ time: Duration) { uptime.withLock { $0 += time } }

        private var environment: Environment {
            Environment(
                now: { ParseDate(milliseconds: 0) }, uptime: { [self] in uptime.withLock { $0 } },
                random: { [self] in
                    secrets.withLock {
                        $0 &+= 0x9E37_79B9_7F4A_7C15
                        return $0
                    }
                },
                sleep: { _ in })
        }

        func gateway(
            _ change: (inout APIConfiguration) -> Void = { _ in }
        ) -> (gateway: Gateway, sync: FakeSync, owners: OwnerSessions) {
            let (sync, owners) = (FakeSync(), OwnerSessions(environment))
            let gateway = Gateway.make(sync: sync, users: .spaces(FakeSpaces { $0.owners = owners }), log: log) {
                $0.keys = .init(masterKey: "master")
                $0.owners = owners
                change(&$0)
            }
            return (gateway, sync, owners)
        }
    }

    /// The cookie of a browser session and its proof, a second secret that a request sends in a header.
    private struct Session {
        let cookie: String
        let proof: String
        var headers: [String: String] { ["Cookie": "other=1; \(cookie)", "X-Tidegate-Owner": proof] }
    }

    private func open(_ gateway: Gateway, _ token: String) async throws -> Session {
        let answer = await gateway.send("POST /owner/session", body: "{\"token\":\"\(token)\"}")
        let cookie = try #require(answer.header("Set-Cookie"), "\(answer.text)")
        #expect(cookie.hasPrefix("tidegate-owner-1338=") && cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        #expect(answer.header("Cache-Control") == "no-store")
        let proof = try #require(try answer.json.object?["proof"]?.string)
        #expect(!cookie.contains(proof))
        return Session(cookie: String(cookie.split(separator: ";")[0]), proof: proof)
    }

    @Test func ownersBrowserSessionMayPauseSyncsAndChangeSyncedClasses() async throws {
        let (gateway, sync, owners) = World().gateway()
        #expect(await gateway.send("POST /sync/pause").status == 403)
        let session = try await open(gateway, owners.newToken())
        expect(await gateway.send("GET /owner/session", session.headers), 200, #"{"isOpen":true}"#)
        #expect(await gateway.send("POST /sync/pause", session.headers).status == 200)
        #expect(await gateway.send("PUT /sync/classes/Boat", session.headers, body: "{}").status == 200)
        #expect(await gateway.send("DELETE /sync/classes/Boat?purge=true", session.headers).status == 200)
        #expect(!sync.calls.isEmpty)
        let ended = await gateway.send("DELETE /owner/session", session.headers)
        #expect(ended.status == 200 && ended.header("Set-Cookie")?.contains("Max-Age=0") == true)
        expect(await gateway.send("GET /owner/session", session.headers), 200, #"{"isOpen":false}"#)
        #expect(await gateway.send("POST /sync/pause", session.headers).status == 403)
    }

    /// The owner's browser session gives no access to objects, schemas and the data of users.
    @Test func ownersBrowserSessionGivesNoAccessToObjectsAndSchemas() async throws {
        let (gateway, _, owners) = World().gateway()
        let session = try await open(gateway, owners.newToken())
        for line in ["GET /sync/users", "GET /sync/users/ada/export", "DELETE /sync/users/ada", "GET /serverInfo"] {
            #expect(await gateway.send(line, session.headers).status == 403, "\(line)")
        }
        #expect(await gateway.send("DELETE /sync/classes/Holiday/objects", session.headers, body: "{}").status == 403)
        let anyone = await gateway.send("GET /classes/_Session")
        #expect(await gateway.send("GET /classes/_Session", session.headers).text == anyone.text)
        for route in gateway.api.table.routes where route.policy.takesOwnerSession {
            let access: RoutePolicy.Access =
                route.pattern.hasPrefix("/sync/") ? .masterOnlyWithSpaces : .masterOnlyToInspect
            #expect(route.policy.access == access, "\(route.name)")
            let families = ["/sync/", "/system/", "/setup"]
            #expect(families.contains { route.pattern.hasPrefix($0) }, "\(route.name)")
        }
    }

    /// A request needs both secrets of the session: the cookie, and the proof in a header.
    @Test func ownersBrowserSessionNeedsCookieAndProofHeader() async throws {
        let (gateway, _, owners) = World().gateway()
        let (one, other) = (try await open(gateway, owners.newToken()), try await open(gateway, owners.newToken()))
        let wrong: [[String: String]] = [
            ["Cookie": one.cookie], ["X-Tidegate-Owner": one.proof],
            ["Cookie": one.cookie, "X-Tidegate-Owner": other.proof],
            ["Cookie": one.cookie, "X-Tidegate-Owner": ""],
            ["Cookie": one.cookie.replacing("1338", with: "1337"), "X-Tidegate-Owner": one.proof],
        ]
        for headers in wrong { #expect(await gateway.send("POST /sync/pause", headers).status == 403, "\(headers)") }
        #expect(await gateway.send("POST /sync/pause", one.headers).status == 200)
    }

    @Test func ownersBrowserSessionIsRefusedFromOtherSitesAndMachines() async throws {
        let (gateway, _, owners) = World().gateway { $0.allowedOrigins = ["https://app.example"] }
        let session = try await open(gateway, owners.newToken())
        for more in [
            ["Origin": "http://127.0.0.1:9999"], ["Origin": "https://evil.example"], ["Origin": "https://app.example"],
            ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "cross-site"], ["Host": "evil.example:1338"],
        ] {
            let headers = session.headers.merging(more) { $1 }
            #expect(await gateway.send("POST /sync/pause", headers).status == 403, "\(more)")
        }
        let elsewhere = try #require(IPAddress("192.168.0.7"))
        #expect(await gateway.send("POST /sync/pause", session.headers, from: elsewhere).status == 403)
        let token = owners.newToken()
        let answer = await gateway.send("POST /owner/session", body: "{\"token\":\"\(token)\"}", from: elsewhere)
        #expect(answer.status == 400 && answer.header("Set-Cookie") == nil)
        let preflight = await gateway.send(
            "OPTIONS /sync/pause",
            ["Origin": "https://app.example", "Access-Control-Request-Method": "POST"])
        #expect(preflight.header("Access-Control-Allow-Headers")?.lowercased().contains("x-tidegate-owner") == false)
        #expect(preflight.header("Access-Control-Allow-Credentials") == nil)
    }

    @Test func ownersLinkTokenOpensOneBrowserSessionWithinAnHour() async throws {
        let world = World()
        let (gateway, _, owners) = world.gateway()
        let (token, late) = (owners.newToken(), owners.newToken())
        func refusal(_ token: String) async throws -> Int? {
            let answer = await gateway.send("POST /owner/session", body: "{\"token\":\"\(token)\"}")
            #expect(answer.header("Set-Cookie") == nil)
            return answer.status == 400 ? try answer.json.object?["code"]?.int : nil
        }
        #expect(try await refusal("wrong") == 119)
        #expect(try await refusal("") == 119)
        let session = try await open(gateway, token)
        #expect(try await refusal(token) == 119)
        world.advance(OwnerSessions.linkLifetime)
        #expect(try await refusal(late) == 119)
        #expect(await gateway.send("POST /sync/pause", session.headers).status == 200)
        world.advance(OwnerSessions.lifetime)
        #expect(await gateway.send("POST /sync/pause", session.headers).status == 403)
    }

    @Test func ownersBrowserSessionNeedsTheAccessKeyToo() async throws {
        let (gateway, _, owners) = World().gateway { $0.accessKey = "key" }
        let token = owners.newToken()
        #expect(await gateway.send("POST /owner/session", body: "{\"token\":\"\(token)\"}").status == 403)
    }

    @Test func secretsOfTheOwnersBrowserSessionAreNotLogged() async throws {
        let world = World()
        let (gateway, _, owners) = world.gateway()
        let token = owners.newToken()
        let session = try await open(gateway, token)
        _ = await gateway.send("POST /sync/pause", session.headers)
        let lines = world.log.lines.joined(separator: "\n")
        #expect(lines.contains("/owner/session"))
        for secret in [token, session.proof, String(session.cookie.split(separator: "=")[1])] {
            #expect(!lines.contains(secret))
        }
    }

    @Test func ownerSessionRouteIsRefusedIfOwnerSessionsAreOff() async throws {
        let gateway = Gateway.make(sync: FakeSync(), users: .spaces(FakeSpaces()))
        let answer = await gateway.send("POST /owner/session", body: #"{"token":"x"}"#)
        #expect(answer.status == 400 && answer.header("Set-Cookie") == nil)
        expect(await gateway.send("GET /owner/session"), 200, #"{"isOpen":false}"#)
    }
}
