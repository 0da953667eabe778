import Foundation
import ParseModel
import Testing

/// Tests the reports about stalled work of real gateways, which look for it every second.
@Suite("Stalls of running gateways", .serialized, .timeLimit(.minutes(5)))
struct StallDaemonTests {
    private static let alarm = ["--stall-alarm", "1"]

    private func entries(_ status: Daemon.Answer) -> [JSONObject] {
        status.json.object?["stalled"]?.object?["entries"]?.array?.compactMap(\.object) ?? []
    }

    @Test func runningReplicaReportsAStallByItself() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0])
        _ = try await hub.create(["n": 1])
        let replica = try await Daemon.replica(of: hub.url, directories[1], ["--people", "off"] + Self.alarm)
        #expect(try await replica.sync().status == 200)
        let refused = try await replica.create(["n": "no number"])
        let waiting = try await replica.create(["in": Pointer(className: "Holiday", objectId: refused).json])
        while try await entries(replica.send(.get, "/sync")).isEmpty {}
        let entry = try #require(try await entries(replica.send(.get, "/sync")).first)
        #expect(entry["objectId"] == .string(waiting))
        #expect(entry["reason"] == "object")
        let metrics = String(decoding: try await replica.get("/metrics").body, as: UTF8.self)
        #expect(metrics.contains("\ntidegate_stalled_changes 1\n"))
        let check = try await Run.ending(["status", "--check", "--url", replica.url])
        #expect(check.code == 1 && check.lines.joined().contains("1 change stalled: It points to"))
        withExtendedLifetime((hub, directories)) {}
    }

    /// A user's space sends no request while its user has no session. The requests of the gateway show that the remote
    /// answers.
    @Test func changeOfAUserWhoMustLogInIsAStall() async throws {
        let world = try await PeopleWorld(Self.alarm)
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.stopHub()
        #expect(try await world.note("ada's", by: ada).status == 201)
        try await world.startHub(pausing: ada.id) { hub in
            let changed = try await hub.send(.put, "/users/\(ada.id)", ["password": "new"], token: ada.token)
            #expect(changed.status == 200, "\(changed)")
        }
        #expect(try await world.asOwner(.post, "/sync?wait=true&user=\(ada.id)").status != 200)
        #expect(try await world.replica.send(.post, "/sync?wait=true", [:]).status == 200)
        func stalled() async throws -> Int {
            let users = try await world.asOwner(.get, "/sync/users").json.object?["results"]?.array ?? []
            return users.reduce(0) { $0 + ($1.object?["stalled"]?.int ?? 0) }
        }
        while try await stalled() == 0 {}
        let entry = try #require(entries(try await world.asOwner(.get, "/sync?user=\(ada.id)")).first)
        #expect(entry["reason"] == "logIn")
        #expect(entry["text"] == "It waits until the user logs in.")
        let metrics = String(decoding: try await world.replica.get("/metrics").body, as: UTF8.self)
        #expect(metrics.contains("\ntidegate_user_stalled_changes 1\n"))
        #expect(entries(try await world.replica.send(.get, "/sync")).isEmpty)
    }

    @Test func changeOfAnAuthorWithoutASessionIsAStallOfASite() async throws {
        let (world, ada, ben) = try await PeopleWorld.site(Self.alarm)
        world.stopHub()
        #expect(try await world.note("ada's", by: ada).status == 201)
        try await world.startHub(pausing: nil) { hub in
            let changed = try await hub.send(.put, "/users/\(ada.id)", ["password": "new"], token: ada.token)
            #expect(changed.status == 200, "\(changed)")
        }
        while try await entries(world.asOwner(.get, "/sync")).isEmpty {}
        let entry = try #require(entries(try await world.asOwner(.get, "/sync")).first)
        #expect(entry["user"] == .string(ada.id))
        #expect(entry["reason"] == "logIn")
        #expect(entry["text"] == .string("It waits until the user \(ada.id) logs in."))
        // Another user does not see the stall.
        #expect(entries(try await world.replica.send(.get, "/sync", token: ben.token)).isEmpty)
        #expect(entries(try await world.replica.send(.get, "/sync")).isEmpty)
    }
}
