import Foundation
import ParseModel
import Testing

/// Tests lost keys and unusual requests at a replica with users, with real processes and sockets.
@Suite("Faults at a replica with users", .serialized)
struct PeopleFaultTests {
    private func code(_ answer: Daemon.Answer) -> Int? { answer.json.object?["code"]?.int }

    private func isAnswered(_ token: String, at world: PeopleWorld) async throws -> Bool {
        try await world.replica.send(.get, "/classes/Note", token: token).status == 200
    }

    /// A server without client keys ignores a wrong master key and shows only public objects. They must not count as
    /// all objects.
    @Test func wrongMasterKeyForTheRemoteFailsTheSyncAndRemovesNoObject() async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        #expect(try await world.note("private", by: ada).status == 201)
        try await world.syncSite()
        try await world.restartReplica(["--people", "site", "--master-key", "another"])
        for _ in 1...2 {
            let sync = try await world.asOwner(.post, "/sync?wait=true")
            #expect(sync.status != 200, "\(sync)")
            #expect(
                sync.json.object?["error"]?.string?.contains("does not accept the master key") == true, "\(sync)")
        }
        #expect(try await world.notes(world.replica, ada.token) == ["first", "private"])
        try await world.restartReplica(["--people", "site", "--master-key", "hub"])
        try await world.syncSite()
        #expect(try await world.notes(world.replica, ada.token) == ["first", "private"])
    }

    /// After the loss of the key, stored session tokens are unreadable. The next request of a session contains its
    /// token again.
    @Test func sessionIsLearnedAgainAfterALossOfTheEncryptionKey() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.stopReplica(SIGTERM)
        try FileManager.default.removeItem(atPath: world.keyDirectory.path + "/session-key")
        try await world.restartReplica()
        #expect(try await isAnswered(ada.token, at: world))
        try await world.sync(ada.token)
        #expect(try await world.hub.send(.post, "/logout", [:], token: ada.token).status == 200)
        #expect(
            code(try await world.replica.send(.post, "/sync?wait=true", [:], token: ada.token)) == 209)
        #expect(try await !isAnswered(ada.token, at: world))
    }

    @Test func logOutOfAnInvalidSessionDoesNotDelayOthers() async throws {
        let world = try await PeopleWorld()
        _ = try await world.signUp("ada")
        let there = try #require(
            try await world.logIn("ada", at: world.hub).json.object?["sessionToken"]?.string)
        world.stopHub()
        let tooLong = JSONValue.string(String(repeating: "z", count: 60_000))
        let answers = [
            try await world.replica.send(.post, "/logout", ["_SessionToken": tooLong]),
            try await world.replica.send(.post, "/logout", [:], token: there),
        ]
        for answer in answers { #expect(answer.status == 200 && answer.json == [:], "\(answer)") }
        try await world.startHub()
        try await world.restartReplica()
        #expect(try await world.waitForEnd(of: there, at: world.hub) == 209)
    }

    /// At the remote, everybody who knows the name of a file may read it, so here every session may, too.
    @Test func fileThatTheRemoteHasIsReadUnderEverySession() async throws {
        let world = try await PeopleWorld()
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        let upload = try await world.replica.send(
            .post, "/files/a.txt", "the content", contentType: "text/plain", token: ada.token)
        let file: JSONValue = ["__type": "File", "name": .string(upload.json.object?["name"]?.string ?? "")]
        #expect(
            try await world.replica.send(.post, "/classes/Note", ["file": file], token: ada.token).status == 201)
        try await world.sync(ada.token)
        let notes = try await world.replica.send(.get, "/classes/Note", token: ada.token)
        let shown = notes.json.object?["results"]?.array?.first?.object?["file"]?.object
        let path = try PeopleWorld.path(shown?["url"]?.string)
        for token in [nil, ada.token, ben.token] { #expect(try await world.replica.status(path, token: token) == 200) }
        #expect(try await world.replica.status("/files/demo/unknown.txt", token: ben.token) == 404)
    }

    /// If another user refers to the unsent object, the remote would receive a reference to an object that it does not
    /// have. An unsent file instead becomes a file of the user.
    @Test func userCannotReferToAnUnsentObjectCreatedWithoutASession() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.stopHub()
        let note = try await world.replica.send(.post, "/classes/Note", ["text": "of nobody"])
        let id = try #require(note.json.object?["objectId"]?.string, "\(note)")
        let upload = try await world.replica.send(.post, "/files/a.txt", "content", contentType: "text/plain")
        let name = try #require(upload.json.object?["name"]?.string, "\(upload)")
        let pointer: JSONValue = ["__type": "Pointer", "className": "Note", "objectId": .string(id)]
        let file: JSONValue = ["__type": "File", "name": .string(name)]
        for value in [pointer, [["in": pointer]]] as [JSONValue] {
            let answer = try await world.replica.send(.post, "/classes/Note", ["x": value], token: ada.token)
            #expect(answer.status == 400 && code(answer) == 119, "\(answer)")
        }
        #expect(try await world.pending(ada.token) == 0)
        let own: JSONValue = ["text": "ada's", "x": file, "y": [["in": file]]]
        #expect(try await world.replica.send(.post, "/classes/Note", own, token: ada.token).status == 201)
        try await world.startHub()
        _ = try await world.replica.send(.post, "/sync?wait=true", [:])
        try await world.sync(ada.token)
        let found = try await world.replica.send(.get, "/classes/Note?order=text", token: ada.token)
        let sent = found.json.object?["results"]?.array?.compactMap(\.object).first { $0["text"] == "ada's" }
        let path = try PeopleWorld.path(sent?["x"]?.object?["url"]?.string)
        #expect(try await world.hub.status(path) == 200, "\(found)")
        let there = try #require(found.json.object?["results"]?.array?.last?.object?["objectId"]?.string, "\(found)")
        let known: JSONValue = ["__type": "Pointer", "className": "Note", "objectId": .string(there)]
        #expect(
            try await world.replica.send(.post, "/classes/Note", ["x": known], token: ada.token).status == 201)
    }

    @Test func forgetCommandRefusesANameThatTwoUsersHad() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        let renamed = try await world.hub.send(
            .put, "/users/\(ada.id)", ["username": "eve"], masterKey: "hub")
        #expect(renamed.status == 200, "\(renamed)")
        let second = try await world.signUp("ada")
        let (text, status) = try await world.forget(isRunning: true, ["ada"])
        #expect(status != 0 && text.contains(ada.id) && text.contains(second.id), "\(text)")
        for user in [ada, second] { #expect(try await isAnswered(user.token, at: world)) }
    }
}
