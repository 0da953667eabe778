import GatewayAPI
import ParseModel
import Testing

/// Tests `/sync` in a personal replica: the entries that the local master key sees, and the user whom a request
/// concerns.
@Suite struct UserOverviewTests {
    private static let master = ["X-Parse-Master-Key": "master"]
    private static let session = ["X-Parse-Session-Token": FakeSpaces.token]

    /// A personal replica with two users: Ada has one pending entry of each kind, and Ben has no space (no data here).
    private struct World {
        let spaces: FakeSpaces
        let own = FakeSync()
        let gateway: Gateway

        init(work: UserWork = UserWork(pending: 1, rejections: 1, conflicts: 1, removals: 1)) {
            let setKeys: (inout APIConfiguration) -> Void = {
                $0.keys = .init(masterKey: "master")
                $0.keys.readOnlyMasterKey = "read"
            }
            spaces = FakeSpaces(work: work, setKeys)
            gateway = Gateway.make(sync: own, users: .spaces(spaces), setKeys)
        }

        func send(_ line: String, _ headers: [String: String] = [:], body: String = "") async -> Answer {
            await gateway.send(line, headers, body: body)
        }

        /// The member `user` of each entry of a list. "" stands for an entry of the gateway itself.
        func users(in list: String, _ headers: [String: String]) async throws -> [String] {
            let results = try await send("GET \(list)", headers).json.object?["results"]?.array ?? []
            return results.map { $0.object?["user"]?.string ?? "" }
        }
    }

    @Test func masterKeyListsTheUsersOfAReplica() async throws {
        let world = World()
        expect(
            await world.send("GET /sync/users", Self.master), 200,
            #"{"results":[{"objectId":"ada","username":"Ada","isOpen":true,"pending":1,"rejections":1,"conflicts":1,"#
                + #""removals":1,"stalled":0,"waitsForLogIn":true,"offlineUntil":"1970-01-08T00:00:00.000Z","#
                + #""lastRequestAt":"1970-01-01T00:00:01.000Z"},{"objectId":"ben","username":null,"isOpen":false,"#
                + #""pending":0,"rejections":0,"conflicts":0,"removals":0,"stalled":0,"waitsForLogIn":false,"offlineUntil":null,"#
                + #""lastRequestAt":null}]}"#)
        #expect(await world.send("GET /sync/users").status == 403)
        #expect(await world.send("GET /sync/users", Self.session).status == 403)
        let off = Gateway.make(sync: FakeSync()) { $0.keys = .init(masterKey: "master") }
        #expect(await off.send("GET /sync/users", Self.master).status == 400)
    }

    @Test func syncStatusCountsUsersWhoMustLogInWithoutNamingThem() async throws {
        let world = World()
        let own = try await world.send("GET /sync").json.object
        #expect(own?["people"] == ["mode": "personal", "users": 2, "waitingForLogIn": 1])
        #expect(own?["user"] == nil)
        let users = try await world.send("GET /sync", Self.session).json.object
        #expect(
            users?["user"]
                == [
                    "objectId": "ada", "username": "Ada", "waitsForLogIn": true,
                    "offlineUntil": "1970-01-08T00:00:00.000Z",
                ])
        #expect(users?["people"] == nil)
        let off = try await Gateway.make(sync: FakeSync()).send("GET /sync").json.object
        #expect(off?["people"] == nil)
    }

    @Test(arguments: ["/sync/pending", "/sync/rejections", "/sync/conflicts", "/sync/removals"])
    func masterKeyListsPendingWorkOfAllUsers(list: String) async throws {
        let world = World()
        #expect(try await world.users(in: list, Self.master) == ["", "ada"])
        #expect(try await world.users(in: list, ["X-Parse-Master-Key": "read"]) == ["", "ada"])
        #expect(try await world.users(in: list, [:]) == [""])
        #expect(try await world.users(in: list, Self.session) == [""])
        #expect(try await world.users(in: "\(list)?user=ada", Self.master) == [""])
        // The gateway does not open the database of a user without pending work.
        #expect(try await World(work: .none).users(in: list, Self.master) == [""])
    }

    @Test func masterKeyListsResolvedConflictsOfAllUsers() async throws {
        let world = World(work: .none)
        #expect(try await world.users(in: "/sync/conflicts?state=resolved", Self.master) == ["", "ada"])
    }

    @Test(arguments: [
        ("POST /sync/pause", "pause"), ("POST /sync/resume", "resume"),
        ("DELETE /sync/pending/1", "undo 1"), ("POST /sync/rejections/1/retry", "retry 1"),
        ("DELETE /sync/rejections/1", "give up 1"), ("POST /sync/removals/1/confirm", "confirm 1"),
        ("POST /sync/removals/1/keep", "keep removal 1"), ("DELETE /sync/classes/Film", "unregister Film false"),
        ("DELETE /sync/classes/Film/objects", "purge Film all"),
    ])
    func masterKeyMayDecideForANamedUser(line: String, call: String) async {
        let world = World()
        #expect(await world.send("\(line)?user=ada", Self.master).status == 200)
        #expect(world.spaces.sync.calls == [call] && world.own.calls == [])
        #expect(await world.send(line, Self.master).status == 200)
        #expect(world.own.calls == [call])
        #expect(await world.send("\(line)?user=ada", ["X-Parse-Master-Key": "read"]).status == 400)
        for headers in [[:], Self.session] {
            #expect(await world.send("\(line)?user=ada", headers).status == 403)
        }
        #expect(await world.send("\(line)?user=ben", Self.master).status == 404)
        #expect(world.spaces.sync.calls == [call] && world.own.calls == [call])
    }

    /// In a personal replica, a single user may not pause syncing or drop what belongs to all users.
    @Test(arguments: [
        "POST /sync/pause", "POST /sync/resume", "POST /sync/removals/1/confirm", "POST /sync/removals/1/keep",
        "PUT /sync/classes/Film", "DELETE /sync/classes/Film", "DELETE /sync/classes/Film/objects",
    ])
    func replicaWideActionNeedsTheMasterKey(line: String) async {
        let world = World()
        for headers in [[:], Self.session] { #expect(await world.send(line, headers).status == 403) }
        #expect(world.own.calls == [] && world.spaces.sync.calls == [])
        #expect(await world.send(line, Self.master).status == 200)
        let off = FakeSync()
        #expect(await Gateway.make(sync: off).send(line).status == 200)
        #expect(off.calls.count == 1)
    }

    @Test(arguments: [
        "DELETE /sync/pending/1", "POST /sync/rejections/1/retry", "DELETE /sync/rejections/1",
        "POST /sync/conflicts/1",
    ])
    func userMayDecideAboutTheirOwnChanges(line: String) async {
        let world = World()
        #expect(await world.send(line, Self.session, body: #"{"keep":"local"}"#).status == 200)
        #expect(world.spaces.sync.calls.count == 1 && world.own.calls == [])
    }

    @Test func parameterUserIsRefusedByAReplicaWithoutUsers() async {
        let sync = FakeSync()
        let gateway = Gateway.make(sync: sync) { $0.keys = .init(masterKey: "master") }
        for line in ["POST /sync/pause?user=ada", "GET /sync/pending?user=ada", "GET /changes?user=ada"] {
            #expect(await gateway.send(line, Self.master).status == 400)
        }
        #expect(sync.calls == [])
    }

    /// All items of a batch run for the caller of the batch, so an item cannot name another user.
    @Test func parameterUserIsRefusedInABatchItem() async throws {
        let world = World()
        let batch = #"{"requests":[{"method":"DELETE","path":"/sync/pending/1?user=ada"}]}"#
        let answer = await world.send("POST /batch", Self.master, body: batch)
        #expect(answer.text.contains("error"))
        #expect(world.own.calls == [] && world.spaces.sync.calls == [])
    }
}
