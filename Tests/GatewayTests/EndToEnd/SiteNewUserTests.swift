import Foundation
import HTTPTypes
import ParseModel
import Testing

/// Tests new users and new classes of a site replica, with real processes and sockets. The remote is a standalone
/// gateway.
@Suite("New users and classes of a site replica", .serialized)
struct SiteNewUserTests {
    private static let now: HTTPFields = [HTTPField.Name("X-Tidegate-Forward")!: "now"]

    private func signIn(
        _ world: PeopleWorld, _ path: String, _ name: String
    ) async throws -> PeopleWorld.User {
        let body: JSONValue = ["username": .string(name), "password": .string(name)]
        let answer = try await world.replica.send(.post, path, body, headers: Self.now)
        let fields = try #require(answer.json.object)
        return (
            try #require(fields["objectId"]?.string, "\(answer)"),
            try #require(fields["sessionToken"]?.string, "\(answer)")
        )
    }

    /// Syncing is paused, so the user can be stored only by the sign-up itself.
    @Test func signUpStoresTheUserBeforeTheAnswer() async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        #expect(try await world.asOwner(.post, "/sync/pause").status == 200)
        for name in ["eve", "eva"] {
            let eve = try await signIn(world, "/users", name)
            let own = try await world.replica.send(.get, "/users/\(eve.id)", token: eve.token)
            #expect(own.status == 200 && own.json.object?["username"] == .string(name), "\(own)")
            #expect(own.json.object?["sessionToken"] == .string(eve.token), "\(own)")
            let changed = try await world.replica.send(.put, "/users/\(eve.id)", ["city": "Rome"], token: eve.token)
            #expect(changed.status == 200, "\(changed)")
            let owner = Pointer(className: "_User", objectId: eve.id).json
            let note = try await world.replica.send(
                .post, "/classes/Note", ["text": "new", "owner": owner], token: eve.token)
            let id = try #require(note.json.object?["objectId"]?.string, "\(note)")
            let shown = try await world.replica.send(.get, "/classes/Note/\(id)?include=owner", token: eve.token)
            #expect(shown.json.object?["owner"]?.object?["city"] == "Rome", "\(shown)")
            // Ada may not read the row of another user.
            let hidden = try await world.replica.send(.get, "/users/\(eve.id)", token: ada.token)
            #expect(hidden.json.object?["code"] == 101, "\(hidden)")
        }
        #expect(try await world.asOwner(.post, "/sync/resume").status == 200)
        try await world.syncSite()
        #expect(try await world.pendingUsers().isEmpty)
    }

    @Test func logInStoresTheLatestRowOfTheUser() async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        #expect(try await world.asOwner(.post, "/sync/pause").status == 200)
        #expect(try await world.hub.send(.put, "/users/\(ada.id)", ["city": "Oslo"], masterKey: "hub").status == 200)
        let made = try await world.hub.send(
            .post, "/users", ["username": "eve", "password": "eve", "city": "Bonn"], masterKey: "hub")
        #expect(made.status == 201, "\(made)")
        for (name, city) in [("ada", "Oslo"), ("eve", "Bonn")] {
            let user = try await signIn(world, "/login", name)
            let own = try await world.replica.send(.get, "/users/\(user.id)", token: user.token)
            #expect(own.json.object?["city"] == .string(city), "\(own)")
        }
    }

    // MARK: Classes that the remote has not described

    @Test func usersMayUseAClassCreatedWithTheLocalMasterKey() async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        let made = try await world.asOwner(.post, "/classes/Fresh", ["text": "by the owner"])
        #expect(made.status == 201, "\(made)")
        let found = try await world.replica.send(.get, "/classes/Fresh", token: ada.token)
        #expect(found.json.object?["results"]?.array?.count == 1, "\(found)")
    }

    @Test func usersMayUseANewClassOfTheRemoteAtOnce() async throws {
        let (world, ada, _) = try await PeopleWorld.site(["--class", "Read", "--class", "Write", "--class", "Batch"])
        for name in ["Read", "Write", "Batch"] {
            let made = try await world.hub.send(.post, "/classes/\(name)", ["text": "x"], masterKey: "hub")
            #expect(made.status == 201, "\(made)")
        }
        let read = try await world.replica.send(.get, "/classes/Read", token: ada.token)
        #expect(read.status == 200, "\(read)")
        let later = try await world.hub.send(.post, "/schemas/Later", [:], masterKey: "hub")
        #expect(later.status == 200, "\(later)")
        let written = try await world.replica.send(.post, "/classes/Write", ["text": "y"], token: ada.token)
        #expect(written.status == 201, "\(written)")
        let items: JSONValue = [
            ["method": "POST", "path": "/parse/classes/Batch", "body": ["text": "z"]],
            ["method": "GET", "path": "/parse/classes/Batch"],
        ]
        let batch = try await world.replica.send(.post, "/batch", ["requests": items], token: ada.token)
        let answers = batch.json.array ?? []
        #expect(answers.count == 2 && answers.allSatisfy { $0.object?["success"] != nil }, "\(batch)")
    }

    @Test(arguments: ["POST", "GET"]) func batchItemsAboutANewClassReadItsSchemaFirst(_ method: String) async throws {
        let (world, ada, _) = try await PeopleWorld.site(["--class", "Batch"])
        let made = try await world.hub.send(.post, "/classes/Batch", ["text": "x"], masterKey: "hub")
        #expect(made.status == 201, "\(made)")
        let item: JSONValue = [
            "method": .string(method), "path": "/parse/classes/Batch", "body": method == "GET" ? [:] : ["text": "z"],
        ]
        let batch = try await world.replica.send(.post, "/batch", ["requests": [item]], token: ada.token)
        #expect(batch.json.array?.first?.object?["success"] != nil, "\(batch)")
    }

    @Test func refusalOfANewClassOfflineNamesTheMissingPermissions() async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        let online = try await world.replica.send(.get, "/classes/Nowhere", token: ada.token)
        #expect(online.json.object?["code"] == 119, "\(online)")
        world.stopHub()
        let words = "The permissions of the class Nowhere have not been read from the remote yet"
        for (method, body) in [(.get, nil), (.post, ["a": 1])] as [(HTTPRequest.Method, JSONValue?)] {
            let offline = try await world.replica.send(method, "/classes/Nowhere", body, token: ada.token)
            #expect(offline.json.object?["code"] == 119, "\(offline)")
            #expect(offline.json.object?["error"]?.string?.hasPrefix(words) == true, "\(offline)")
        }
    }

    /// The circuit breaker is open after an outage. A user's request that needs the class permissions asks the remote
    /// nevertheless.
    @Test func usersMayUseANewClassOnceTheRemoteIsReachable() async throws {
        let (world, ada, _) = try await PeopleWorld.site(["--class", "Fresh"])
        let made = try await world.hub.send(.post, "/classes/Fresh", ["text": "x"], masterKey: "hub")
        #expect(made.status == 201, "\(made)")
        world.stopHub()
        for _ in 0..<4 { _ = try await world.asOwner(.post, "/sync?wait=true") }
        let status = try await world.asOwner(.get, "/sync").json.object
        #expect(status?["circuit"]?.object?["state"] == "open", "\(String(describing: status))")
        let offline = try await world.replica.send(.get, "/classes/Fresh", token: ada.token)
        #expect(offline.json.object?["code"] == 119, "\(offline)")
        try await world.startHub()
        let read = try await world.replica.send(.get, "/classes/Fresh", token: ada.token)
        #expect(read.status == 200, "\(read)")
    }

    // MARK: Rights that end

    private func addStaff(_ world: PeopleWorld, _ user: PeopleWorld.User) async throws {
        let member = Pointer(className: "_User", objectId: user.id).json
        let role = try await world.hub.send(
            .post, "/roles",
            ["name": "staff", "ACL": [:], "users": ["__op": "AddRelation", "objects": [member]]], masterKey: "hub")
        #expect(role.status == 201, "\(role)")
        let acl: JSONValue = ["role:staff": ["read": true]]
        let note = try await world.hub.send(.post, "/classes/Note", ["text": "staff", "ACL": acl], masterKey: "hub")
        #expect(note.status == 201, "\(note)")
        try await world.syncSite()
        #expect(try await world.notes(world.replica, user.token) == ["first", "staff"])
    }

    @Test(arguments: [true, false]) func purgingRolesEndsTheRightsOfTheirMembers(isThroughTheSite: Bool) async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        try await addStaff(world, ada)
        let place = isThroughTheSite ? world.replica : world.hub
        let purge = try await place.send(.delete, "/purge/_Role", masterKey: "hub")
        #expect(purge.status == 200, "\(purge)")
        if !isThroughTheSite { #expect(try await world.asOwner(.post, "/sync?wait=true").status == 200) }
        #expect(try await world.notes(world.replica, ada.token) == ["first"])
    }

    @Test func changedClassPermissionsCountFromTheNextSync() async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        let open: JSONValue = ["*": true]
        func set(_ permissions: JSONValue) async throws {
            let body: JSONValue = ["classLevelPermissions": permissions]
            let changed = try await world.hub.send(.put, "/schemas/Note", body, masterKey: "hub")
            #expect(changed.status == 200, "\(changed)")
            #expect(try await world.asOwner(.post, "/sync?wait=true").status == 200)
        }
        try await set(["find": ["requiresAuthentication": true], "get": open, "create": open])
        let closed = try await world.replica.send(.get, "/classes/Note")
        #expect(closed.json.object?["code"] == 101, "\(closed)")
        #expect(try await world.notes(world.replica, ada.token) == ["first"])
        try await set(["find": open, "get": open, "protectedFields": ["*": ["text"]]])
        let hidden = try await world.replica.send(.get, "/classes/Note", token: ada.token)
        let shown = hidden.json.object?["results"]?.array?.first?.object
        #expect(shown != nil && shown?["text"] == nil, "\(hidden)")
        try await set(["get": open])
        let refused = try await world.replica.send(.get, "/classes/Note", token: ada.token)
        #expect(refused.json.object?["code"] == 119, "\(refused)")
    }

    // MARK: Changes of other users

    @Test func userMayChangeAnotherUserIfThatUsersACLAllowsIt() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        let rights: JSONValue = ["read": true, "write": true]
        let acl: JSONValue = .object([ada.id: rights, ben.id: rights])
        #expect(try await world.hub.send(.put, "/users/\(ada.id)", ["ACL": acl], masterKey: "hub").status == 200)
        try await world.syncSite()
        let refused = try await world.replica.send(.put, "/users/\(ben.id)", ["city": "Rome"], token: ada.token)
        #expect(refused.json.object?["code"] == 206, "\(refused)")
        let changed = try await world.replica.send(.put, "/users/\(ada.id)", ["city": "Rome"], token: ben.token)
        #expect(changed.status == 200, "\(changed)")
        try await world.syncSite()
        let row = try await world.hub.send(.get, "/users/\(ada.id)", masterKey: "hub")
        #expect(row.json.object?["city"] == "Rome", "\(row)")
        #expect(try await world.asOwner(.get, "/sync/rejections").json.object?["results"] == [])
        let deleted = try await world.replica.send(.delete, "/users/\(ada.id)", token: ben.token)
        #expect(deleted.status == 200, "\(deleted)")
        try await world.syncSite()
        let gone = try await world.hub.send(.get, "/users/\(ada.id)", masterKey: "hub")
        #expect(gone.json.object?["code"] == 101, "\(gone)")
    }
}
