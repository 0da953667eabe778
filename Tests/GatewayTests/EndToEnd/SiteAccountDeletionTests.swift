import Foundation
import ParseModel
import Testing

/// Tests users who delete their own account at a site replica, with real processes, sockets and files.
@Suite("Deletion of the own account at a site replica", .serialized)
struct SiteAccountDeletionTests {
    /// Makes a site replica, and Eve, whose account is years old. A new account could be used for some seconds before
    /// its row is pulled.
    private func site(_ more: [String] = []) async throws -> (PeopleWorld, PeopleWorld.User) {
        let (world, _, _) = try await PeopleWorld.site(more)
        let made: JSONValue = ["__type": "Date", "iso": "2020-01-01T00:00:00.000Z"]
        let eve = try await world.hub.send(
            .post, "/users", ["username": "eve", "password": "eve", "createdAt": made], maintenanceKey: "imports")
        let id = try #require(eve.json.object?["objectId"]?.string, "\(eve)")
        // A pull finds changed rows by `updatedAt`, so this change lets it read Eve's row.
        #expect(try await world.hub.send(.put, "/users/\(id)", ["city": "Rome"], masterKey: "hub").status == 200)
        try await world.syncSite()
        return (world, (id, try await token(of: "eve", at: world)))
    }

    private func token(of name: String, at world: PeopleWorld) async throws -> String {
        let answer = try await world.logIn(name)
        return try #require(answer.json.object?["sessionToken"]?.string, "\(answer)")
    }

    private func deleteAccount(of user: PeopleWorld.User, at world: PeopleWorld) async throws {
        let answer = try await world.replica.send(.delete, "/users/\(user.id)", token: user.token)
        #expect(answer.status == 200 && answer.json == [:], "\(answer)")
        try await expectEnded(user.token, at: world.replica)
    }

    private func expectEnded(_ token: String, at gateway: Daemon) async throws {
        let answer = try await gateway.send(.get, "/users/me", token: token)
        #expect(answer.json.object?["code"] == 209, "\(answer)")
    }

    @Test(arguments: ["push", "keep"])
    func deletionOfTheOwnAccountIsSentAfterEarlierChanges(afterLogOut: String) async throws {
        let (world, eve) = try await site(["--after-logout", afterLogOut])
        world.stopHub()
        let one = try await world.replica.send(.post, "/classes/Note", ["text": "one"], token: eve.token)
        // The second note refers to the first one by its id, so it is sent after it.
        let pointer: JSONValue = [
            "__type": "Pointer", "className": "Note", "objectId": try #require(one.json.object?["objectId"]),
        ]
        let two = try await world.replica.send(
            .post, "/classes/Note", ["text": "two", "after": pointer], token: eve.token)
        #expect(two.status == 201, "\(two)")
        try await deleteAccount(of: eve, at: world)
        try await world.restartReplica()
        try await expectEnded(eve.token, at: world.replica)
        #expect(try await world.pendingUsers() == [eve.id, eve.id, eve.id])
        let people = try await world.replica.send(.get, "/sync").json.object?["people"]?.object
        #expect(people?["waitingForLogIn"] == 0)

        try await world.startHub()
        try await world.syncSite()
        #expect(try await world.pendingUsers().isEmpty)
        let user = try await world.hub.send(.get, "/users/\(eve.id)", masterKey: "hub")
        #expect(user.json.object?["code"] == 101, "\(user)")
        #expect(try await world.notes(world.hub, nil) == ["first", "one", "two"])
        for gateway in [world.hub, world.replica] { try await expectEnded(eve.token, at: gateway) }
        let users = try await world.asOwner(.get, "/sync/users").json.object?["results"]?.array
        #expect(users?.contains { $0.object?["objectId"] == .string(eve.id) } == false)
    }

    /// A new account may be used before its row is pulled, but not after the row was here and was deleted.
    @Test func deletedNewUserLosesTheSessionAtOnce() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        #expect(try await world.hub.send(.delete, "/users/\(ben.id)", masterKey: "hub").status == 200)
        try await world.syncSite()
        try await expectEnded(ben.token, at: world.replica)
        world.stopHub()
        try await deleteAccount(of: ada, at: world)
    }

    /// The request to delete the account has ended the user's session here, as a log-out does.
    @Test func undoneAccountDeletionStillEndsTheSessionAtTheRemote() async throws {
        let (world, eve) = try await site()
        world.stopHub()
        try await deleteAccount(of: eve, at: world)
        let changes = try await world.asOwner(.get, "/sync/pending").json.object?["results"]?.array
        let change = try #require(changes?.first?.object?["id"]?.int)
        #expect(try await world.asOwner(.delete, "/sync/pending/\(change)").status == 200)
        try await expectEnded(eve.token, at: world.replica)
        try await world.startHub()
        try await world.syncSite()
        #expect(try await world.waitForEnd(of: eve.token, at: world.hub) == 209)
        let again = try await token(of: "eve", at: world)
        #expect(try await world.notes(world.replica, again) == ["first"])
    }
}
