import Foundation
import ParseModel
import Testing

/// Tests several users at one personal replica, with real processes, sockets and files. The remote is a standalone
/// gateway.
@Suite("Users of a personal replica", .serialized)
struct PersonalReplicaTests {
    @Test func eachUserWorksWithTheirOwnDataOnlineAndOffline() async throws {
        let world = try await PeopleWorld()
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        #expect(try await world.note("ada's", by: ada).status == 201)
        #expect(try await world.note("ben's", by: ben).status == 201)
        try await world.sync(ada.token)
        try await world.sync(ben.token)
        #expect(try await world.notes(world.hub, ada.token) == ["ada's"])
        #expect(try await world.notes(world.hub, ben.token) == ["ben's"])

        world.stopHub()
        try await world.restartReplica()
        for (user, name) in [(ada, "ada"), (ben, "ben")] {
            #expect(try await world.notes(world.replica, user.token) == ["\(name)'s"])
            let me = try await world.replica.send(.get, "/users/me", token: user.token)
            #expect(me.json.object?["username"]?.string == name)
            #expect(try await world.note("\(name)'s, offline", by: user).status == 201)
            #expect(try await world.pending(user.token) == 1)
        }
        #expect(try await world.notes(world.replica, nil) == [])
        #expect(try await world.pending(nil) == 0)

        try await world.startHub()
        try await world.sync(ben.token)
        try await world.sync(ada.token)
        #expect(try await world.notes(world.hub, ada.token) == ["ada's", "ada's, offline"])
        #expect(try await world.notes(world.hub, ben.token) == ["ben's", "ben's, offline"])
        #expect(try await world.notes(world.hub, nil) == [])
    }

    @Test func pausingTheGatewayPausesTheSyncsOfItsUsers() async throws {
        let world = try await PeopleWorld()
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        for user in [ada, ben] { try await world.sync(user.token) }
        let state = { (token: String) in
            try await world.replica.send(.get, "/sync", token: token).json.object?["state"]?.string
        }
        #expect(try await world.asOwner(.post, "/sync/pause?user=\(ben.id)").status == 200)
        #expect(try await state(ada.token) == "idle")
        #expect(try await state(ben.token) == "paused")
        #expect(try await world.asOwner(.post, "/sync/pause").status == 200)
        #expect(try await state(ada.token) == "paused")
        #expect(try await state(ben.token) == "paused")
        #expect(try await world.note("ada's", by: ada).status == 201)
        #expect(try await world.replica.send(.post, "/sync?wait=true", [:], token: ada.token).status != 200)
        // After a restart during the pause, the syncs of all users stay paused.
        try await world.restartReplica()
        #expect(try await state(ada.token) == "paused")
        #expect(try await world.pending(ada.token) == 1)
        #expect(try await world.asOwner(.post, "/sync/resume").status == 200)
        try await world.sync(ada.token)
        #expect(try await world.notes(world.hub, ada.token) == ["ada's"])
        #expect(try await state(ben.token) == "paused")
    }

    /// The replica asks the remote about chosen ids by a probe. It must work if the first pending create is a role.
    @Test func roleCreatedOfflineIsSentTogetherWithOtherObjects() async throws {
        let world = try await PeopleWorld(["--class", "_Role"])
        let ada = try await world.signUp("ada")
        world.stopHub()
        let acl: JSONValue = [ada.id: ["read": true, "write": true]]
        let role = try await world.replica.send(.post, "/roles", ["name": "own", "ACL": acl], token: ada.token)
        #expect(role.status == 201, "\(role)")
        #expect(try await world.note("ada's", by: ada).status == 201)
        try await world.startHub()
        try await world.sync(ada.token)
        let status = try await world.replica.send(.get, "/sync", token: ada.token).json.object
        #expect(status?["pending"] == 0 && status?["rejections"] == 0, "\(status ?? [:])")
        let probe: JSONValue = ["objectId": "probe", "createdAt": "not a date"]
        for className in ["_Role", "_User", "_Installation", "Note"] {
            let answer = try await world.hub.send(.post, "/classes/\(className)", probe)
            #expect(answer.json.object?["code"] == 105, "\(className): \(answer)")
        }
    }

    /// The remote shows no other object of the user, so it might have been emptied. The valid session proves that it
    /// was not.
    @Test func onlyObjectOfAUserIsRemovedAfterADeletionAtTheRemote() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        #expect(try await world.note("ada's", by: ada).status == 201)
        try await world.sync(ada.token)
        let list = try await world.hub.send(.get, "/classes/Note", token: ada.token)
        let note = try #require(list.json.object?["results"]?.array?.first?.object?["objectId"]?.string)
        let deletion = try await world.hub.send(.delete, "/classes/Note/\(note)", token: ada.token)
        #expect(deletion.status == 200, "\(deletion)")
        try await world.sync(ada.token)
        #expect(try await world.notes(world.replica, ada.token) == [])
    }

    /// SDKs log the user out at code 209, so the offline replica answers another error.
    @Test func unknownSessionOfflineIsNotRefusedWithCode209() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        let unknown = "r:00000000000000000000000000000000"
        let refused = try await world.replica.send(.get, "/classes/Note", token: unknown)
        #expect(refused.status == 400 && refused.json.object?["code"] == 209)
        world.stopHub()
        let unreachable = try await world.replica.send(.get, "/classes/Note", token: "r:other")
        #expect(unreachable.status == 503 && unreachable.json.object?["code"] == 100)
        #expect(try await world.notes(world.replica, ada.token) == [])
        let logOut = try await world.replica.send(.post, "/logout", [:], token: "r:other")
        #expect(logOut.status == 200 && logOut.json.object == [:])
    }

    @Test func logOutEndsTheSessionAtOnceAndPendingChangesAreSentAfterwards() async throws {
        let world = try await PeopleWorld(["--pull-interval", "1"])
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.stopHub()
        #expect(try await world.note("waits", by: ada).status == 201)
        let logOut = try await world.replica.send(.post, "/logout", [:], token: ada.token)
        #expect(logOut.status == 200 && logOut.json.object == [:])
        try await world.restartReplica()
        let ended = try await world.replica.send(.get, "/classes/Note", token: ada.token)
        #expect(ended.status == 400 && ended.json.object?["code"] == 209)

        try await world.startHub()
        // A sync lets the replica notice that the remote is reachable again.
        #expect(try await world.replica.send(.post, "/sync?wait=true", [:]).status == 200)
        // Pending changes are sent under the user's new session.
        let logIn = try await world.replica.send(.post, "/login", ["username": "ada", "password": "ada"])
        let token = try #require(logIn.json.object?["sessionToken"]?.string)
        #expect(try await world.notes(world.replica, token) == ["waits"])
        try await world.sync(token)
        #expect(try await world.notes(world.hub, token) == ["waits"])
        #expect(try await world.pending(token) == 0)
    }

    /// A changed password ends the sessions of its user. Changes of other users are still sent.
    @Test func sessionRefusedByTheRemoteStopsOnlyTheSyncOfItsUser() async throws {
        let world = try await PeopleWorld()
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        try await world.sync(ada.token)
        try await world.sync(ben.token)
        world.stopHub()
        #expect(try await world.note("ada's", by: ada).status == 201)
        #expect(try await world.note("ben's", by: ben).status == 201)
        try await world.startHub(pausing: ada.id) { hub in
            let changed = try await hub.send(.put, "/users/\(ada.id)", ["password": "new"], token: ada.token)
            #expect(changed.status == 200, "\(changed)")
        }

        let failed = try await world.replica.send(.post, "/sync?wait=true", [:], token: ada.token)
        #expect(failed.status != 200)
        try await world.sync(ben.token)
        let refused = try await world.replica.send(.get, "/classes/Note", token: ada.token)
        #expect(refused.json.object?["code"] == 209)
        let logIn = try await world.replica.send(.post, "/login", ["username": "ada", "password": "new"])
        let token = try #require(logIn.json.object?["sessionToken"]?.string)
        #expect(try await world.notes(world.replica, token) == ["ada's"])
        try await world.sync(token)
        #expect(try await world.notes(world.hub, token) == ["ada's"])
        #expect(try await world.notes(world.hub, ben.token) == ["ben's"])
    }

    /// The JavaScript SDK sends the token, the key and the method in the body of a POST.
    @Test func sessionTokenInTheBodyReadsTheSameDataAsInAHeader() async throws {
        let world = try await PeopleWorld()
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        #expect(try await world.note("ada's", by: ada).status == 201)
        try await world.sync(ada.token)
        try await world.sync(ben.token)
        world.stopHub()
        func sdk(
            _ path: String, _ method: String, _ token: String, _ body: JSONObject = [:]
        ) async throws -> Daemon.Answer {
            var body = body
            (body["_method"], body["_ApplicationId"]) = (.string(method), "demo")
            (body["_SessionToken"], body["_ClientVersion"]) = (.string(token), "js5.2.0")
            return try await world.replica.send(.post, path, .object(body), contentType: "text/plain")
        }
        let list = try await sdk("/classes/Note", "GET", ada.token)
        #expect(list.json.object?["results"]?.array?.count == 1)
        #expect(try await sdk("/classes/Note", "GET", ben.token).json.object?["results"]?.array?.count == 0)
        #expect(try await sdk("/classes/Note", "POST", ben.token, ["text": "ben's"]).status == 201)
        let batch: JSONObject = [
            "requests": [["method": "POST", "path": "/classes/Note", "body": ["text": "in a batch"]]]
        ]
        #expect(try await sdk("/batch", "POST", ada.token, batch).json.array?.count == 1)
        #expect(try await world.notes(world.replica, ada.token) == ["ada's", "in a batch"])
        #expect(try await world.notes(world.replica, ben.token) == ["ben's"])

        let upload = try await sdk("/files/a.txt", "POST", ada.token, ["base64": "YWRh", "_ContentType": "text/plain"])
        let file = try #require(upload.json.object?["name"]?.string, "\(upload)")
        let reference: JSONValue = ["__type": "File", "name": .string(file)]
        #expect(
            try await sdk("/classes/Note", "POST", ada.token, ["text": "with a file", "file": reference]).status == 201)
        try await world.startHub()
        try await world.sync(ada.token)
        let notes = try await world.hub.send(.get, "/classes/Note?limit=10&order=text", token: ada.token)
        let last = try #require(notes.json.object?["results"]?.array?.last?.object, "\(notes)")
        #expect(last["text"] == "with a file")
        #expect(last["file"]?.object?["url"]?.string?.contains(":\(world.hub.port)/") == true)
    }

    @Test func databaseOfAPersonalReplicaContainsNoSessionToken() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.replica.end(SIGTERM)
        let text = try FileManager.default.subpathsOfDirectory(atPath: world.replicaDirectory.path).compactMap {
            FileManager.default.contents(atPath: world.replicaDirectory.path + "/" + $0)
        }.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(text.contains("ada"))
        #expect(!text.contains(ada.token) && !text.contains(ada.token.dropFirst(2)))
    }

    /// The replica has room for the data of one user. While that user has a pending change, a second user is refused.
    @Test func dataOfAUserWithPendingChangesIsNotRemovedForANewUser() async throws {
        let world = try await PeopleWorld(["--users-max", "1"])
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        #expect(try await world.asOwner(.post, "/sync/pause?user=\(ada.id)").status == 200)
        #expect(try await world.note("waits", by: ada).status == 201)
        let refused = try await world.replica.send(.post, "/users", ["username": "ben", "password": "ben"])
        #expect(refused.status == 503 && refused.json.object?["code"] == 100, "\(refused)")
        #expect(refused.json.object?["error"]?.string?.contains("--users-max") == true, "\(refused)")
        #expect(try await world.logIn("ben").status == 503)
        #expect(try await world.logIn("ben", at: world.hub).status == 404)
        #expect(try await world.logIn("ada").status == 200)
        #expect(try await world.asOwner(.post, "/sync/resume?user=\(ada.id)").status == 200)
        try await world.sync(ada.token)
        let ben = try await world.signUp("ben")
        #expect(try await world.notes(world.replica, ben.token) == [])
        #expect(try await world.note("ben's", by: ben).status == 201)
    }
}
