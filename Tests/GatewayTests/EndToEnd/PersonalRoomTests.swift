import Foundation
import ParseModel
import Testing

/// Tests a personal replica that may keep the data of few users: whose data is kept and whose is removed.
@Suite("Limit of users of a personal replica", .serialized)
struct PersonalRoomTests {
    private func spaces(_ world: PeopleWorld) -> Int {
        let directory = world.replicaDirectory.path + "/users"
        return (try? FileManager.default.contentsOfDirectory(atPath: directory))?.count ?? 0
    }

    /// Creates a note of a user at the remote.
    private func addNote(_ text: String, by user: (id: String, token: String), _ world: PeopleWorld) async throws {
        let acl: JSONValue = [user.id: ["read": true, "write": true]]
        let answer = try await world.hub.send(
            .post, "/classes/Note", ["text": .string(text), "ACL": acl], token: user.token)
        #expect(answer.status == 201, "\(answer)")
    }

    @Test func firstReadAfterALogInShowsTheUsersData() async throws {
        let world = try await PeopleWorld()
        let signUp = try await world.hub.send(.post, "/users", ["username": "ada", "password": "ada"])
        let fields = try #require(signUp.json.object)
        let ada = (id: fields["objectId"]?.string ?? "", token: fields["sessionToken"]?.string ?? "")
        try await addNote("first", by: ada, world)
        let token = try #require(try await world.logIn("ada").json.object?["sessionToken"]?.string)
        #expect(spaces(world) == 1)
        #expect(try await world.notes(world.replica, token) == ["first"])
    }

    /// Each user has a pending change, so the data of none may be removed.
    @Test func thirtyUsersWithPendingChangesAllKeepTheirData() async throws {
        let world = try await PeopleWorld()
        var notes: [(id: String, token: String)] = []
        for number in 1...30 {
            let user = try await world.signUp("user\(number)")
            #expect(try await world.asOwner(.post, "/sync/pause?user=\(user.id)").status == 200)
            let note: JSONValue = ["text": .string("of \(number)")]
            let made = try await world.replica.send(.post, "/classes/Note", note, token: user.token)
            notes.append((try #require(made.json.object?["objectId"]?.string, "\(made)"), user.token))
        }
        #expect(spaces(world) == 30)
        for (number, note) in notes.enumerated() {
            let answer = try await world.replica.send(.get, "/classes/Note/\(note.id)", token: note.token)
            #expect(answer.json.object?["text"]?.string == "of \(number + 1)", "\(answer)")
        }
    }

    @Test func noUserDataIsRemovedForANewUserWhileTheRemoteIsUnreachable() async throws {
        let world = try await PeopleWorld(["--users-max", "2", "--pull-interval", "1"])
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        for (user, text) in [(ada, "ada's"), (ben, "ben's")] {
            #expect(try await world.note(text, by: user).status == 201)
            try await world.sync(user.token)
        }
        // Ada is the least recently used user, so Eve's sign-up removes Ada's data.
        let eve = try await world.signUp("eve")
        #expect(spaces(world) == 2)
        try await world.sync(eve.token)
        world.stopHub()
        let refused = try await world.replica.send(.get, "/classes/Note", token: ada.token)
        #expect(refused.status == 503 && refused.json.object?["code"] == 100, "\(refused)")
        #expect(refused.json.object?["error"]?.string?.contains("--users-max") == true, "\(refused)")
        #expect(try await world.notes(world.replica, eve.token) == [])
        #expect(try await world.notes(world.replica, ben.token) == ["ben's"])
        #expect(spaces(world) == 2)

        try await world.startHub()
        #expect(try await world.notes(world.replica, ada.token) == ["ada's"])
        #expect(spaces(world) == 2)
    }

    /// An anonymous sign-in has no name, so only the remote's answer tells which user it is.
    @Test func anAnonymousUserBeyondTheLimitOfUsersIsLoggedOut() async throws {
        let world = try await PeopleWorld(["--users-max", "1"])
        let anonymous: JSONValue = ["authData": ["anonymous": ["id": "first"]]]
        let first = try await world.replica.send(.post, "/users", anonymous)
        let user = try #require(first.json.object?["objectId"]?.string, "\(first)")
        let token = try #require(first.json.object?["sessionToken"]?.string)
        try await world.sync(token)
        #expect(try await world.asOwner(.post, "/sync/pause?user=\(user)").status == 200)
        #expect(try await world.replica.send(.post, "/classes/Note", ["text": "waits"], token: token).status == 201)
        let refused = try await world.replica.send(
            .post, "/users", ["authData": ["anonymous": ["id": "second"]]])
        #expect(refused.status == 503 && refused.json.object?["code"] == 100, "\(refused)")
        #expect(refused.json.object?["error"]?.string?.contains("--users-max") == true, "\(refused)")
        let sessions = try await world.hub.send(.get, "/sessions", masterKey: "hub")
        let owners = try #require(sessions.json.object?["results"]?.array).map {
            $0.object?["user"]?.object?["objectId"]
        }
        #expect(owners.allSatisfy { $0?.string == user } && !owners.isEmpty, "\(sessions)")
        // The anonymous user whose data the replica has signs in again.
        let again = try await world.replica.send(.post, "/users", anonymous)
        #expect(again.status == 200 && again.json.object?["objectId"]?.string == user, "\(again)")
    }

    /// The user has a day to save an object with the file.
    @Test func dataOfAUserWithAnUnsentFileIsNotRemovedForANewUser() async throws {
        let world = try await PeopleWorld(["--users-max", "1"])
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.stopHub()
        let upload = try await world.replica.send(
            .post, "/files/a.txt", "the content", contentType: "text/plain", token: ada.token)
        let name = try #require(upload.json.object?["name"], "\(upload)")
        let export = try await world.asOwner(.get, "/sync/users/\(ada.id)/export")
        let entries = try #require(export.json.object?["entries"]?.array, "\(export)").compactMap(\.object)
        #expect(entries.map { $0["entry"] } == ["file"] && entries.first?["name"] == name)
        #expect(try await world.asOwner(.delete, "/sync/users/\(ada.id)").status == 409)

        try await world.startHub()
        #expect(try await world.replica.send(.post, "/sync?wait=true", [:]).status == 200)
        #expect(try await world.replica.send(.post, "/users", ["username": "ben", "password": "ben"]).status == 503)
        let note: JSONValue = ["text": "with a file", "file": ["__type": "File", "name": name]]
        #expect(try await world.replica.send(.post, "/classes/Note", note, token: ada.token).status == 201)
        try await world.sync(ada.token)
        let notes = try await world.hub.send(.get, "/classes/Note", token: ada.token)
        let file = notes.json.object?["results"]?.array?.first?.object?["file"]?.object
        #expect(try await world.hub.status(PeopleWorld.path(file?["url"]?.string)) == 200)
        _ = try await world.signUp("ben")
        #expect(spaces(world) == 1)
    }
}
