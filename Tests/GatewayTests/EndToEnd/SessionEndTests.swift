import Foundation
import ParseModel
import Testing

/// Tests how a replica learns that sessions have ended, with real processes and sockets.
@Suite("Ends of sessions at a replica with users", .serialized)
struct SessionEndTests {
    private func code(_ answer: Daemon.Answer) -> Int? { answer.json.object?["code"]?.int }

    private func isAnswered(_ token: String, at world: PeopleWorld) async throws -> Bool {
        try await world.replica.send(.get, "/classes/Note", token: token).status == 200
    }

    /// A site replica syncs with the remote's master key. It asks the remote about a session without the key.
    @Test func siteReplicaRefusesASessionThatHasEndedAtTheRemote() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        #expect(try await isAnswered(ada.token, at: world))
        #expect(try await world.hub.send(.post, "/logout", [:], token: ada.token).status == 200)
        try await world.syncSite()
        #expect(code(try await world.replica.send(.get, "/classes/Note", token: ada.token)) == 209)
        #expect(try await isAnswered(ben.token, at: world))
        #expect(code(try await world.replica.send(.get, "/classes/Note", token: "r:unknown")) == 209)
    }

    @Test func eachUsedSessionOfAUserIsCheckedAtTheRemote() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        let second = try #require(try await world.logIn("ada").json.object?["sessionToken"]?.string)
        try await world.sync(second)
        for token in [ada.token, second] { #expect(try await isAnswered(token, at: world)) }
        #expect(try await world.hub.send(.post, "/logout", [:], token: ada.token).status == 200)
        try await world.sync(second)
        #expect(try await world.waitForEnd(of: ada.token, at: world.replica) == 209)
        #expect(try await isAnswered(second, at: world))
    }

    @Test func aSessionThatIsDeletedByItsUserEnds() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        let second = try #require(try await world.logIn("ada").json.object?["sessionToken"]?.string)
        for token in [ada.token, second] { #expect(try await isAnswered(token, at: world)) }
        let me = try await world.replica.send(.get, "/sessions/me", token: second)
        let id = try #require(me.json.object?["objectId"]?.string, "\(me)")
        #expect(try await world.replica.send(.delete, "/sessions/\(id)", token: ada.token).status == 200)
        #expect(code(try await world.replica.send(.get, "/classes/Note", token: second)) == 209)
        #expect(try await world.replica.send(.delete, "/sessions/me", token: ada.token).status == 200)
        #expect(code(try await world.replica.send(.get, "/classes/Note", token: ada.token)) == 209)
        world.stopHub()
        #expect(try await !isAnswered(ada.token, at: world))
    }

    @Test func aLocallyOpenedSessionStaysEndedAfterALogOut() async throws {
        let world = try await PeopleWorld(["--offline-login"])
        _ = try await world.signUp("ada")
        #expect(try await world.logIn("ada").status == 200)
        world.stopHub()
        let own = try #require(try await world.logIn("ada").json.object?["sessionToken"]?.string)
        #expect(try await world.replica.send(.post, "/logout", [:], token: own).json == [:])
        #expect(code(try await world.replica.send(.get, "/classes/Note", token: own)) == 209)
        #expect(try await world.logIn("ada").status == 200)
    }

    @Test func aNewPasswordEndsTheOtherSessions() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        let second = try #require(try await world.logIn("ada").json.object?["sessionToken"]?.string)
        let change = try await world.replica.send(.put, "/users/\(ada.id)", ["password": "new"], token: ada.token)
        let third = try #require(change.json.object?["sessionToken"]?.string, "\(change)")
        for token in [ada.token, second] {
            #expect(code(try await world.replica.send(.get, "/classes/Note", token: token)) == 209)
        }
        #expect(try await isAnswered(third, at: world))
    }

    @Test func aPasswordThatTheMasterKeySetsEndsTheSessions() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        for user in [ada, ben] { #expect(try await isAnswered(user.token, at: world)) }
        let change = try await world.replica.send(
            .put, "/users/\(ada.id)", ["password": "new"], masterKey: "hub")
        #expect(change.status == 200, "\(change)")
        #expect(code(try await world.replica.send(.get, "/classes/Note", token: ada.token)) == 209)
        #expect(try await isAnswered(ben.token, at: world))
    }

    @Test(arguments: [false, true]) func aDeletedAccountEndsAllSessions(inABatch: Bool) async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        let second = try #require(try await world.logIn("ada").json.object?["sessionToken"]?.string)
        let item: JSONValue = ["method": "DELETE", "path": .string("/users/\(ada.id)")]
        let deletion =
            inABatch
            ? try await world.replica.send(.post, "/batch", ["requests": [item]], token: ada.token)
            : try await world.replica.send(.delete, "/users/\(ada.id)", token: ada.token)
        #expect(deletion.status == 200, "\(deletion)")
        for token in [ada.token, second] {
            #expect(code(try await world.replica.send(.get, "/classes/Note", token: token)) == 209)
        }
    }

    @Test(arguments: [false, true]) func batchItemsAfterALogOutInThatBatchAreRefused(isOffline: Bool) async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        if isOffline { world.stopHub() }
        let items: JSONValue = [
            ["method": "GET", "path": "/classes/Note"], ["method": "POST", "path": "/logout"],
            ["method": "GET", "path": "/classes/Note"], ["method": "GET", "path": "/users/me"],
            ["method": "POST", "path": "/classes/Note", "body": ["text": "after"]],
        ]
        let batch = try await world.replica.send(.post, "/batch", ["requests": items], token: ada.token)
        let codes = try #require(batch.json.array, "\(batch)").map { $0.object?["error"]?.object?["code"]?.int }
        #expect(codes == [nil, nil, 209, 209, 209], "\(batch)")
    }

    @Test func forwardedChangeOfAUserIsShownAtOnce() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        let change = try await world.replica.send(
            .put, "/users/\(ada.id)", ["username": "Ada Lovelace"], token: ada.token)
        #expect(change.status == 200, "\(change)")
        world.stopHub()
        let me = try await world.replica.send(.get, "/users/me", token: ada.token)
        #expect(me.json.object?["username"] == "Ada Lovelace", "\(me)")
    }
}
