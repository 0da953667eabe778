import Foundation
import HTTPClient
import ParseModel
import Testing

/// Tests what a personal replica shows about its users, with real processes, sockets and files.
@Suite("Overview of the users of a personal replica", .serialized)
struct PersonalReplicaOverviewTests {
    private typealias World = PeopleWorld

    /// The objects in the `results` of an answer.
    private func results(_ answer: Daemon.Answer) throws -> [JSONObject] {
        try #require(answer.json.object?["results"]?.array, "\(answer)").compactMap(\.object)
    }

    @Test func lifeOfAUsersObjectIsToldToTheUserAndToTheMasterKey() async throws {
        let world = try await World()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.stopHub()
        let note = try await world.note("ada's", by: ada)
        let id = try #require(note.json.object?["objectId"]?.string)
        let path = "/classes/Note/\(id)?_why=true"
        func texts(_ answer: Daemon.Answer) throws -> [String] {
            try #require(answer.json.object?["lines"]?.array, "\(answer)").compactMap { $0.object?["text"]?.string }
        }
        for answer in [
            try await world.replica.send(.get, path, token: ada.token),
            try await world.asOwner(.get, path + "&user=\(ada.id)"),
        ] {
            #expect(try texts(answer).contains("Created here by a client of this gateway."))
        }
        // The gateway's own data does not have the object.
        #expect(
            try texts(try await world.asOwner(.get, path)).contains {
                $0.hasPrefix("The file has no object with this id.")
            })
        #expect(try await world.replica.send(.get, path + "&user=\(ada.id)", token: ada.token).status == 403)
    }

    @Test func masterKeyListsPendingChangesByUserAndUndoesThem() async throws {
        let world = try await World()
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        try await world.sync(ada.token)
        try await world.sync(ben.token)
        world.stopHub()
        #expect(try await world.note("ada's", by: ada).status == 201)
        #expect(try await world.note("ben's", by: ben).status == 201)
        #expect(try await world.replica.send(.post, "/classes/Note", ["text": "of the gateway"]).status == 201)
        func people() async throws -> JSONValue? { try await world.replica.send(.get, "/sync").json.object?["people"] }
        #expect(try await people() == ["mode": "personal", "users": 2, "waitingForLogIn": 0])

        let entries = try results(try await world.asOwner(.get, "/sync/pending"))
        #expect(entries.map { $0["user"]?.string } == [nil] + [ada.id, ben.id].sorted())
        #expect(entries.allSatisfy { $0["space"] == $0["user"] })
        #expect(try results(try await world.replica.send(.get, "/sync/pending")).count == 1)
        #expect(try results(try await world.replica.send(.get, "/sync/pending", token: ada.token)).count == 1)

        // Only Ben himself and the local master key may undo Ben's change.
        let id = try #require(entries.first { $0["user"] == .string(ben.id) }?["id"]?.int)
        for token in [nil, ada.token] {
            let refused = try await world.replica.send(.delete, "/sync/pending/\(id)?user=\(ben.id)", token: token)
            #expect(refused.status == 403)
        }
        #expect(try await world.asOwner(.delete, "/sync/pending/\(id)?user=\(ben.id)").status == 200)
        #expect(try await world.pending(ben.token) == 0)
        #expect(try await world.notes(world.replica, ben.token) == [])

        // Ada's password is changed at the remote, so her session ends.
        try await world.startHub(pausing: ada.id) { hub in
            let changed = try await hub.send(.put, "/users/\(ada.id)", ["password": "new"], token: ada.token)
            #expect(changed.status == 200, "\(changed)")
        }
        #expect(try await world.asOwner(.post, "/sync?wait=true&user=\(ada.id)").status != 200)
        #expect(try await people() == ["mode": "personal", "users": 2, "waitingForLogIn": 1])
        let users = try results(try await world.asOwner(.get, "/sync/users"))
        let shown = Dictionary(uniqueKeysWithValues: users.map { ($0["username"]?.string ?? "", $0) })
        #expect(shown["ada"]?["pending"] == 1 && shown["ada"]?["waitsForLogIn"] == true)
        #expect(shown["ada"]?["offlineUntil"] == .null && shown["ada"]?["lastRequestAt"]?.string != nil)
        #expect(shown["ben"]?["pending"] == 0 && shown["ben"]?["waitsForLogIn"] == false)
        #expect(shown["ben"]?["offlineUntil"]?.string != nil)

        // A sync lets the replica notice that the remote is reachable again.
        #expect(try await world.replica.send(.post, "/sync?wait=true", [:]).status == 200)
        let logIn = try await world.replica.send(.post, "/login", ["username": "ada", "password": "new"])
        let token = try #require(logIn.json.object?["sessionToken"]?.string)
        let status = try await world.replica.send(.get, "/sync", token: token).json.object?["user"]?.object
        #expect(status?["username"] == "ada" && status?["waitsForLogIn"] == false)
        try await world.sync(token)
        #expect(try await people() == ["mode": "personal", "users": 2, "waitingForLogIn": 0])
        // The note that was created without a session is public.
        #expect(try await world.notes(world.hub, token).contains("ada's"))
    }

    /// If the data of a user is removed and read again, other changes have the same feed numbers.
    @Test func changeFeedPositionIsValidForOneUsersDataOnly() async throws {
        let world = try await World(["--users-max", "1"])
        let ada = try await world.signUp("ada")
        #expect(try await world.note("one", by: ada).status == 201)
        try await world.sync(ada.token)
        func changes(_ since: String, _ token: String?) async throws -> Daemon.Answer {
            try await world.replica.send(.get, "/changes?since=\(since)", token: token)
        }
        let position = try #require(try await changes("0", ada.token).json.object?["next"]?.string)
        #expect(try await changes(position, ada.token).status == 200)
        #expect(try await changes(position, nil).status == 410)
        let number = try #require(position.split(separator: "-").last.map(String.init))
        #expect(try await changes(number, ada.token).status == 410)

        let ben = try await world.signUp("ben")
        #expect(try await changes(position, ben.token).status == 410)
        // Ada's data was removed to make room for Ben's, so Ada cannot work offline.
        let users = try results(try await world.asOwner(.get, "/sync/users"))
        for user in users { #expect((user["offlineUntil"] == .null) == (user["objectId"] == .string(ada.id))) }
        #expect(users.count == 2)
        #expect(try await changes(position, ada.token).status == 410)
        #expect(try await changes("latest", ada.token).status == 200)
    }

    /// The command reads the master key from the data directory, like the other owner's commands.
    @Test func statusCommandListsTheUsersOfAPersonalReplica() async throws {
        let world = try await World()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.stopHub()
        #expect(try await world.note("waits", by: ada).status == 201)
        let status = ["status", "--url", world.replica.url]
        let (lines, _) = try await Run.ending(status + ["--master-key", "replica"])
        let row = try #require(lines.first { $0.contains("ada") }, "\(lines)")
        #expect(row.split(separator: " ").prefix(5) == ["ada", "1", "0", "0", "0"])
        let (json, _) = try await Run.ending(status + ["--json"], environment: ["TIDEGATE_LOCAL_MASTER_KEY": "replica"])
        let users = try JSONReader.read(json.joined()).object?["users"]?.array
        #expect(users?.count == 1 && users?.first?.object?["objectId"] == .string(ada.id))
        // Without the right master key, the command shows only the numbers of users.
        let directory = ["TIDEGATE_DATA": world.keyDirectory.path]
        let (bare, code) = try await Run.ending(status, environment: directory)
        #expect(code == 0 && bare.contains { $0.contains("Users") } && !bare.contains { $0.contains("ada") })
        let (refused, failure) = try await Run.ending(status + ["--master-key", "wrong"])
        #expect(failure != 0 && !refused.contains { $0.contains("ada") })
    }

    @Test func changedClassOptionsApplyToTheDataOfAllUsers() async throws {
        let world = try await World(["--users-max", "3"])
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        try await world.sync(ada.token)
        try await world.sync(ben.token)
        func policy(_ token: String?) async throws -> String? {
            let answer = try await world.replica.send(.get, "/sync/classes/Note", token: token)
            return answer.json.object?["policy"]?.string
        }
        #expect(try await policy(ada.token) == "merge")
        let refused = try await world.replica.send(.put, "/sync/classes/Note", ["policy": "local"], token: ada.token)
        #expect(refused.status == 403)
        #expect(try await world.asOwner(.put, "/sync/classes/Note", ["policy": "local"]).status == 200)
        for token in [nil, ada.token, ben.token] { #expect(try await policy(token) == "local") }

        // Class options that are set for one user apply to that user only.
        let own = try await world.asOwner(.put, "/sync/classes/Note?user=\(ada.id)", ["policy": "remote"])
        #expect(own.status == 200)
        #expect(try await policy(ben.token) == "local")
        #expect(try await world.asOwner(.put, "/sync/classes/Note", ["policy": "manual"]).status == 200)
        #expect(try await policy(ada.token) == "remote")
        #expect(try await policy(ben.token) == "manual")

        // A user who signs up later gets the present options. A restart keeps the options of all users.
        let eve = try await world.signUp("eve")
        #expect(try await policy(eve.token) == "manual")
        try await world.restartReplica()
        #expect(try await policy(ada.token) == "remote")
        #expect(try await policy(ben.token) == "manual")
        #expect(try await world.asOwner(.delete, "/sync/classes/Note").status == 200)
        #expect(try await world.replica.send(.get, "/sync/classes/Note", token: ben.token).status == 404)
        #expect(try await policy(ada.token) == "remote")
    }

    @Test func metricsCountUsersByStateAndRequestsOfAllUsers() async throws {
        let world = try await World()
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        try await world.sync(ada.token)
        try await world.sync(ben.token)
        world.stopHub()
        #expect(try await world.note("ada's", by: ada).status == 201)
        #expect(try await world.note("ben's", by: ben).status == 201)
        let request = HTTPClientRequest(method: .get, url: world.replica.url + "/metrics", isRepeatable: true)
        let text = String(
            decoding: try await CurlTransport(configuration: .init()).send(request).body, as: UTF8.self)
        let figures = Figures(text)
        #expect(figures[#"http_requests_total{route="createObject",method="POST",status="201"}"#] == 2)
        #expect(figures[#"http_requests_total{route="startSync",method="POST",status="200"}"#] == 2)
        #expect(figures[#"user_spaces{state="open"}"#] == 2 && figures[#"user_spaces{state="closed"}"#] == 0)
        #expect(figures["users_waiting_for_login"] == 0)
        #expect(figures[#"user_sessions{state="open"}"#] == 2 && figures[#"user_sessions{state="refused"}"#] == 0)
        #expect(figures["user_outbox_objects"] == 2)
        #expect(!text.contains(ada.id) && !text.contains("ada"))
    }
}
