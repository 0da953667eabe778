import Foundation
import HTTPTypes
import ParseModel
import Testing

/// Tests access rights that the remote takes away without changing the object, at a personal replica with real
/// processes.
@Suite("Access rights lost at the remote", .serialized)
struct LostRightsTests {
    private typealias User = (id: String, token: String)

    /// The texts of five notes that only a role may read.
    private static func texts(of role: String) -> [String] { (1...5).map { "\(role) \($0)" } }

    @discardableResult
    private static func asHub(
        _ world: PeopleWorld, _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue
    ) async throws -> Daemon.Answer {
        let answer = try await world.hub.send(method, path, body, masterKey: "hub")
        #expect((200...201).contains(answer.status), "\(answer)")
        return answer
    }

    /// Creates a note at the remote and lets time pass, so that no pull reads the note again for being recent.
    private static func makeOldNote(_ world: PeopleWorld, _ body: JSONObject) async throws -> String {
        var body = body
        body["createdAt"] = ["__type": "Date", "iso": "2020-01-01T00:00:00.000Z"]
        body["updatedAt"] = body["createdAt"]
        let answer = try await world.hub.send(.post, "/classes/Note", .object(body), maintenanceKey: "imports")
        #expect(answer.status == 201, "\(answer)")
        return try #require(answer.json.object?["objectId"]?.string)
    }

    private static func makeRole(_ world: PeopleWorld, _ name: String, acl: JSONValue) async throws -> String {
        let role = try await asHub(world, .post, "/roles", ["name": .string(name), "ACL": acl])
        return try #require(role.json.object?["objectId"]?.string)
    }

    private static func change(
        _ world: PeopleWorld, _ role: String, _ operation: String, _ user: User
    ) async throws {
        let pointer = Pointer(className: "_User", objectId: user.id).json
        try await asHub(
            world, .put, "/roles/\(role)", ["users": ["__op": .string(operation), "objects": [pointer]]])
    }

    private static func permit(_ world: PeopleWorld, _ more: JSONObject = [:]) async throws {
        var permissions = JSONObject()
        for operation in ["find", "get", "count", "create", "update", "delete", "addField"] {
            permissions[operation] = ["*": true]
        }
        for (name, value) in more { permissions[name] = value }
        try await asHub(world, .put, "/schemas/Note", ["classLevelPermissions": .object(permissions)])
    }

    private static func fields(_ world: PeopleWorld, _ user: User) async throws -> Set<String> {
        let answer = try await world.replica.send(.get, "/classes/Note", token: user.token)
        let results = try #require(answer.json.object?["results"]?.array, "\(answer)")
        return Set(results.compactMap(\.object).flatMap { $0.map(\.key) })
    }

    /// The change of the role leaves the number of notes and their `updatedAt` unchanged. The argument says whether
    /// the user may read the roles themselves.
    @Test(arguments: [true, false])
    func userWhoseRoleChangesAtTheRemoteSeesTheObjectsOfTheNewRole(mayReadRoles: Bool) async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        let acl: JSONValue = mayReadRoles ? ["*": ["read": true]] : [:]
        let red = try await Self.makeRole(world, "red", acl: acl)
        let blue = try await Self.makeRole(world, "blue", acl: acl)
        for name in ["red", "blue"] {
            for text in Self.texts(of: name) {
                let acl: JSONObject = ["role:\(name)": ["read": true]]
                _ = try await Self.makeOldNote(world, ["text": .string(text), "ACL": .object(acl)])
            }
        }
        try await Self.change(world, red, "AddRelation", ada)
        try await world.sync(ada.token)
        #expect(try await world.notes(world.replica, ada.token) == Self.texts(of: "red"))
        for (old, new, name) in [(red, blue, "blue"), (blue, red, "red")] {
            try await Self.change(world, old, "RemoveRelation", ada)
            try await Self.change(world, new, "AddRelation", ada)
            for _ in 1...2 { try await world.sync(ada.token) }
            #expect(try await world.notes(world.replica, ada.token) == Self.texts(of: name))
        }
        let removals = try await world.asOwner(.get, "/sync/removals?user=\(ada.id)")
        #expect(removals.json.object?["results"]?.array == [], "\(removals)")
        // The user loses access to all notes of the class at once.
        try await Self.change(world, red, "RemoveRelation", ada)
        for _ in 1...2 { try await world.sync(ada.token) }
        #expect(try await world.notes(world.replica, ada.token) == [])
    }

    @Test func fieldsProtectedAtTheRemoteAreRemovedFromTheReplicaAndReturn() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        for text in Self.texts(of: "open") {
            _ = try await Self.makeOldNote(world, ["text": .string(text), "secret": "s"])
        }
        try await world.sync(ada.token)
        #expect(try await Self.fields(world, ada).isSuperset(of: ["text", "secret"]))
        for hidden in [true, false] {
            try await Self.permit(world, ["protectedFields": ["*": .array(hidden ? ["secret"] : [])]])
            for _ in 1...2 { try await world.sync(ada.token) }
            #expect(try await Self.fields(world, ada).contains("secret") != hidden)
            #expect(try await world.notes(world.replica, ada.token) == Self.texts(of: "open"))
        }
    }

    @Test func classThatMayNoLongerBeListedHidesItsObjectsAndKeepsPendingChanges() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        for text in Self.texts(of: "open") {
            _ = try await Self.makeOldNote(world, ["text": .string(text)])
        }
        try await world.sync(ada.token)
        let list = try await world.replica.send(.get, "/classes/Note", token: ada.token)
        let id = try #require(list.json.object?["results"]?.array?.first?.object?["objectId"]?.string)
        world.stopHub()
        let edit = try await world.replica.send(.put, "/classes/Note/\(id)", ["text": "edited"], token: ada.token)
        #expect(edit.status == 200, "\(edit)")
        let position = try await world.replica.send(.get, "/changes?since=latest", token: ada.token)
        let since = try #require(position.json.object?["next"]?.string)
        try await world.startHub(pausing: ada.id) { _ in
            try await Self.permit(world, ["find": [:], "get": [:], "count": [:], "update": [:]])
        }
        for _ in 1...2 { try await world.sync(ada.token) }
        try await world.restartReplica()
        #expect(try await world.notes(world.replica, ada.token) == [])
        #expect(try await world.replica.send(.get, "/classes/Note/\(id)", token: ada.token).status == 404)
        let count = try await world.replica.send(.get, "/classes/Note?count=1&limit=0", token: ada.token)
        #expect(count.json.object?["count"] == 0)
        let feed = try await world.replica.send(.get, "/changes?since=\(since)", token: ada.token)
        let entries = try #require(feed.json.object?["results"]?.array).compactMap(\.object)
        #expect(entries.count { $0["kind"] == "delete" } == 5, "\(feed)")
        #expect(entries.allSatisfy { $0["object"] == nil || $0["object"] == .null })
        let refused = try await world.replica.send(.get, "/sync", token: ada.token).json.object
        #expect((refused?["pending"]?.int ?? 0) + (refused?["rejections"]?.int ?? 0) == 1, "\(refused ?? [:])")

        try await Self.permit(world)
        for _ in 1...2 { try await world.sync(ada.token) }
        #expect(try await world.notes(world.replica, ada.token).count == 5)
    }

    /// Most notes become unreadable at once, as on a server that was emptied. Their removal waits for a decision, and
    /// meanwhile the notes are not shown.
    @Test func objectsWhoseRemovalWaitsForADecisionAreNotShownToTheirUser() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        var ids: [String] = []
        for text in Self.texts(of: "open") {
            ids.append(try await Self.makeOldNote(world, ["text": .string(text)]))
        }
        try await world.sync(ada.token)
        for id in ids.dropLast() { try await Self.asHub(world, .put, "/classes/Note/\(id)", ["ACL": [:]]) }
        for _ in 1...2 { try await world.sync(ada.token) }
        #expect(try await world.notes(world.replica, ada.token) == ["open 5"])
        let removals = try await world.asOwner(.get, "/sync/removals?user=\(ada.id)")
        #expect(removals.json.object?["results"]?.array?.count == 1, "\(removals)")
        for id in ids.dropLast() {
            try await Self.asHub(world, .put, "/classes/Note/\(id)", ["ACL": ["*": ["read": true]]])
        }
        for _ in 1...2 { try await world.sync(ada.token) }
        #expect(try await world.notes(world.replica, ada.token) == Self.texts(of: "open"))
    }

    /// The requests that look for lost access rights are sent in the batch that pulls changes and counts.
    @Test func syncOfAUserWithoutChangesTakesOneRequest() async throws {
        let world = try await PeopleWorld(["--class", "Place", "--class", "Holiday"])
        let ada = try await world.signUp("ada")
        let red = try await Self.makeRole(world, "red", acl: ["*": ["read": true]])
        try await Self.change(world, red, "AddRelation", ada)
        for text in Self.texts(of: "red") {
            _ = try await Self.makeOldNote(world, ["text": .string(text), "ACL": ["role:red": ["read": true]]])
        }
        for _ in 1...3 { try await world.sync(ada.token) }
        let quiet = try await world.replica.send(.post, "/sync?wait=true", [:], token: ada.token)
        #expect(quiet.json.object?["requests"] == 1, "\(quiet)")
        #expect(try await world.notes(world.replica, ada.token) == Self.texts(of: "red"))
    }

    /// Without a session, the replica syncs with its own client keys and has the rights of the public.
    @Test func replicaWithoutASessionLosesFieldsAndClassesThatTheRemoteProtects() async throws {
        let world = try await PeopleWorld()
        for text in Self.texts(of: "open") {
            _ = try await Self.makeOldNote(world, ["text": .string(text), "secret": "s"])
        }
        let sync = {
            for _ in 1...2 {
                let answer = try await world.replica.send(.post, "/sync?wait=true", [:])
                #expect(answer.status == 200, "\(answer)")
            }
        }
        let read = { try await world.replica.send(.get, "/classes/Note").json.object?["results"]?.array ?? [] }
        try await sync()
        #expect(try await read().count { $0.object?["secret"] != nil } == 5)
        try await Self.permit(world, ["protectedFields": ["*": ["secret"]]])
        try await sync()
        #expect(try await read().count { $0.object?["secret"] == nil } == 5)
        try await Self.permit(world, ["find": [:]])
        try await sync()
        #expect(try await read().isEmpty)
    }
}
