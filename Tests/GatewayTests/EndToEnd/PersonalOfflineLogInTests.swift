import Foundation
import ParseModel
import Testing

/// Tests log-ins by password at a personal replica whose remote cannot be reached.
@Suite("Log-ins without the remote", .serialized)
struct PersonalOfflineLogInTests {
    private static let options = ["--offline-login"]

    private func token(_ answer: Daemon.Answer) throws -> String {
        try #require(answer.json.object?["sessionToken"]?.string, "\(answer)")
    }

    private func expectRefused(_ answer: Daemon.Answer) {
        #expect(answer.status == 404 && answer.json.object?["code"] == 101, "\(answer)")
    }

    @Test func userLogsInOfflineAndTheChangesAreSentLater() async throws {
        let world = try await PeopleWorld(Self.options)
        let ada = try await world.signUp("ada")
        _ = try await world.signUp("ben")
        #expect(try await world.note("before", by: ada).status == 201)
        try await world.sync(ada.token)
        // After the log-out, the replica has no session of the user, only the stored password hash.
        _ = try await world.replica.send(.post, "/logout", [:], token: ada.token)
        // The replica may answer the log-out before the remote has ended the session, so the test waits for the end.
        #expect(try await world.waitForEnd(of: ada.token, at: world.hub) == 209)
        world.stopHub()
        try await world.restartReplica()

        expectRefused(try await world.logIn("ada", "wrong"))
        expectRefused(try await world.logIn("nobody"))
        let own = try token(try await world.logIn("ada"))
        let me = try await world.replica.send(.get, "/users/me", token: own)
        #expect(me.json.object?["username"] == "ada" && me.json.object?["sessionToken"]?.string == own)
        #expect(try await world.notes(world.replica, own) == ["before"])
        #expect(try await world.note("offline", by: (ada.id, own)).status == 201)
        try await world.restartReplica()
        #expect(try await world.notes(world.replica, own) == ["before", "offline"])

        try await world.startHub()
        // The remote does not know a session that was opened offline, so nothing is sent under it.
        #expect(try await world.replica.send(.post, "/sync?wait=true", [:], token: own).status != 200)
        let unknown = try await world.hub.send(.get, "/users/me", token: own)
        #expect(unknown.json.object?["code"] == 209)
        let session = try await world.replica.send(.get, "/sessions/me", token: own)
        #expect(session.status == 503)
        let online = try token(try await world.logIn("ada"))
        try await world.sync(online)
        #expect(try await world.notes(world.hub, online) == ["before", "offline"])
        #expect(try await world.notes(world.replica, own) == ["before", "offline"])
        _ = try await world.replica.send(.post, "/logout", [:], token: own)
        #expect(try await world.replica.send(.get, "/users/me", token: own).json.object?["code"] == 209)
    }

    /// A log-in ignores the session token of its own request, also as a batch item.
    @Test func offlineLogInIgnoresTheSessionTokenOfItsRequest() async throws {
        let world = try await PeopleWorld(Self.options)
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.stopHub()
        let claim: JSONValue = ["username": "ada", "password": "ada"]
        _ = try token(try await world.replica.send(.post, "/login", claim, token: ada.token))
        let item: JSONValue = ["method": "POST", "path": "/login", "body": claim]
        let batch = try await world.replica.send(.post, "/batch", ["requests": [item]], token: ada.token)
        let user = batch.json.array?.first?.object?["success"]?.object
        #expect(user?["sessionToken"]?.string != nil, "\(batch)")
    }

    @Test func offlineLogInIsRefusedWithTheNameOfItsSettingIfItIsOff() async throws {
        let world = try await PeopleWorld()
        _ = try await world.signUp("ada")
        world.stopHub()
        let answer = try await world.logIn("ada")
        #expect(answer.status == 503 && answer.json.object?["code"] == 100, "\(answer)")
        let error = answer.json.object?["error"]?.string ?? ""
        let sentence = "Without the remote, users can log in only at a gateway with --offline-login."
        #expect(error.hasSuffix(". \(sentence)"), "\(error)")
    }

    @Test func failedOfflineLogInsAreCountedAcrossACrash() async throws {
        let world = try await PeopleWorld(Self.options)
        _ = try await world.signUp("ada")
        world.stopHub()
        for number in 0..<5 {
            expectRefused(try await world.logIn("ada", "wrong \(number)"))
            if number == 2 { try await world.restartReplica() }
        }
        try await world.restartReplica()
        expectRefused(try await world.logIn("ada"))
        // Only this gateway has locked the user out. When the remote is reachable again, the remote decides about
        // log-ins.
        try await world.startHub()
        _ = try token(try await world.logIn("ada"))
    }

    @Test func passwordThatTheRemoteRefusesIsNotAcceptedOfflineLater() async throws {
        let world = try await PeopleWorld(Self.options)
        let ada = try await world.signUp("ada")
        let elsewhere = try token(try await world.logIn("ada", at: world.hub))
        let path = "/users/\(ada.id)"
        #expect(try await world.hub.send(.put, path, ["password": "new"], token: elsewhere).status == 200)
        expectRefused(try await world.logIn("ada"))
        world.stopHub()
        expectRefused(try await world.logIn("ada"))
        expectRefused(try await world.logIn("ada", "new"))
        try await world.startHub()
        _ = try token(try await world.logIn("ada", "new"))
        world.stopHub()
        _ = try token(try await world.logIn("ada", "new"))
        expectRefused(try await world.logIn("ada"))
    }

    /// The user's password was changed at the remote, so the remote refuses the session.
    @Test func sessionRefusedByTheRemoteEndsOfflineLogIns() async throws {
        let world = try await PeopleWorld(Self.options)
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        let path = "/users/\(ada.id)"
        #expect(try await world.hub.send(.put, path, ["password": "new"], token: ada.token).status == 200)
        #expect(try await world.replica.send(.post, "/sync?wait=true", [:], token: ada.token).status != 200)
        world.stopHub()
        expectRefused(try await world.logIn("ada"))
    }

    @Test func noPasswordHashIsKeptUnlessOfflineLogInsAreOn() async throws {
        let world = try await PeopleWorld(Self.options)
        _ = try await world.signUp("ada")
        world.stopHub()
        _ = try token(try await world.logIn("ada"))
        try await world.restartReplica([])
        let answer = try await world.logIn("ada")
        #expect(answer.status == 503 && answer.json.object?["code"] == 100)
    }
}
