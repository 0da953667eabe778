import Foundation
import ParseModel
import Testing

/// Tests log-outs at a personal replica, and the end of the sessions at the remote.
@Suite("Log-outs of a personal replica", .serialized)
struct PersonalLogOutTests {
    private func expectEnded(_ answer: Daemon.Answer) {
        #expect(answer.status == 400 && answer.json.object?["code"] == 209, "\(answer)")
    }

    @Test func logOutWithSettingKeepReachesTheRemoteAtOnceAndPendingChangesWait() async throws {
        let world = try await PeopleWorld(["--after-logout", "keep", "--pull-interval", "1"])
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        #expect(try await world.asOwner(.post, "/sync/pause?user=\(ada.id)").status == 200)
        #expect(try await world.note("waits", by: ada).status == 201)
        #expect(try await world.replica.send(.post, "/logout", [:], token: ada.token).json.object == [:])
        expectEnded(try await world.hub.send(.get, "/users/me", token: ada.token))

        try await world.restartReplica()
        let token = try #require(try await world.logIn("ada").json.object?["sessionToken"]?.string)
        #expect(try await world.notes(world.replica, token) == ["waits"])
        #expect(try await world.notes(world.hub, token) == [])
        #expect(try await world.asOwner(.post, "/sync/resume?user=\(ada.id)").status == 200)
        try await world.sync(token)
        #expect(try await world.notes(world.hub, token) == ["waits"])
    }

    /// With `--after-logout keep`, pending changes are not sent under the session after its log-out.
    @Test func offlineLogOutWithSettingKeepIsSentLaterWithoutPendingChanges() async throws {
        let world = try await PeopleWorld(["--after-logout", "keep", "--pull-interval", "1"])
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.stopHub()
        #expect(try await world.note("waits", by: ada).status == 201)
        #expect(try await world.replica.send(.post, "/logout", [:], token: ada.token).json.object == [:])
        try await world.restartReplica()
        try await world.startHub()
        #expect(try await world.waitForEnd(of: ada.token, at: world.hub) == 209)
        let token = try #require(try await world.logIn("ada", at: world.hub).json.object?["sessionToken"]?.string)
        #expect(try await world.notes(world.hub, token) == [])
    }

    @Test func syncUnderARefusedSessionSaysThatTheSessionHasEnded() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        #expect(try await world.asOwner(.post, "/sync/pause?user=\(ada.id)").status == 200)
        #expect(try await world.note("waits", by: ada).status == 201)
        let changed = try await world.hub.send(.put, "/users/\(ada.id)", ["password": "new"], masterKey: "hub")
        #expect(changed.status == 200, "\(changed)")
        #expect(try await world.asOwner(.post, "/sync/resume?user=\(ada.id)").status == 200)
        expectEnded(try await world.replica.send(.post, "/sync?wait=true", [:], token: ada.token))
        let owner = try await world.asOwner(.post, "/sync?wait=true&user=\(ada.id)")
        let sentence = "The user has no session here. The data syncs after the next log-in."
        #expect(owner.status == 502 && owner.json.object?["error"]?.string == sentence, "\(owner)")
        let status = try await world.asOwner(.get, "/sync?user=\(ada.id)").json.object
        #expect(status?["lastError"]?.object?["message"]?.string == sentence)
        #expect(status?["user"]?.object?["waitsForLogIn"] == true)
    }

    @Test func offlineLogOutOfASessionUnknownToTheReplicaIsSentLater() async throws {
        let world = try await PeopleWorld(["--pull-interval", "1"])
        _ = try await world.signUp("ada")
        // The session was opened at the remote, so the replica does not know it.
        let token = try #require(try await world.logIn("ada", at: world.hub).json.object?["sessionToken"]?.string)
        world.stopHub()
        let logOut = try await world.replica.send(.post, "/logout", [:], token: token)
        #expect(logOut.status == 200 && logOut.json.object == [:])
        try await world.restartReplica()
        expectEnded(try await world.replica.send(.get, "/users/me", token: token))
        try await world.startHub()
        #expect(try await world.waitForEnd(of: token, at: world.hub) == 209)
    }
}
