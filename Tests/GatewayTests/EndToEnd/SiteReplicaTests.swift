import Foundation
import ParseModel
import Testing

/// Tests several users at one site replica, with real processes, sockets and files. The remote is a standalone
/// gateway.
@Suite("Users of a site replica", .serialized)
struct SiteReplicaTests {
    private func note(_ world: PeopleWorld, _ text: String) async throws -> String {
        let answer = try await world.asOwner(.get, "/classes/Note?where=" + #"{"text":"\#(text)"}"#.urlEncoded)
        return try #require(answer.json.object?["results"]?.array?.first?.object?["objectId"]?.string, "\(answer)")
    }

    @Test func offlineChangesOfAUserAreVisibleToOthersWithTheRight() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        world.stopHub()
        #expect(try await world.note("private", by: ada).status == 201)
        let open = try await world.replica.send(.post, "/classes/Note", ["text": "open"], token: ada.token)
        #expect(open.status == 201, "\(open)")
        #expect(try await world.notes(world.replica, ada.token) == ["first", "open", "private"])
        #expect(try await world.notes(world.replica, ben.token) == ["first", "open"])
        #expect(try await world.notes(world.replica, nil) == ["first", "open"])
        let id = try await note(world, "open")
        let edited = try await world.replica.send(.put, "/classes/Note/\(id)", ["text": "edited"], token: ben.token)
        #expect(edited.status == 200, "\(edited)")
        #expect(try await world.notes(world.replica, ada.token) == ["edited", "first", "private"])
        #expect(try await world.pending(ada.token) == 2)
        #expect(try await world.pending(ben.token) == 1)
        #expect(try await world.pendingUsers().sorted { ($0 ?? "") < ($1 ?? "") } == [ada.id, ada.id, ben.id].sorted())
        try await world.startHub()
        try await world.syncSite()
        #expect(try await world.notes(world.hub, ada.token) == ["edited", "first", "private"])
        #expect(try await world.notes(world.hub, ben.token) == ["edited", "first"])
        #expect(try await world.pendingUsers().isEmpty)
    }

    @Test func lifeOfAnObjectIsToldToItsReadersAndToTheMasterKey() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        world.stopHub()
        let made = try await world.note("private", by: ada)
        let id = try #require(made.json.object?["objectId"]?.string)
        func texts(_ answer: Daemon.Answer) throws -> [String] {
            try #require(answer.json.object?["lines"]?.array, "\(answer)").compactMap { $0.object?["text"]?.string }
        }
        let path = "/classes/Note/\(id)?_why=true"
        let own = try texts(try await world.replica.send(.get, path, token: ada.token))
        #expect(own.contains("Created here by the user \(ada.id)."))
        #expect(own.contains("Earlier changes are shown only with the master key."))
        for token in [ben.token, nil] {
            let refused = try await world.replica.send(.get, path, token: token)
            #expect(refused.status == 404)
            #expect(refused.json.object?["code"] == 101)
        }
        let all = try texts(try await world.asOwner(.get, path))
        #expect(all.contains("Created here by the user \(ada.id)."))
        #expect(all.contains("By its ACL, only \(ada.id) may read it. For others it does not exist (code 101)."))
        // A reader does not learn about the changes of others.
        let open = try await world.replica.send(.post, "/classes/Note", ["text": "open"], token: ada.token)
        let openId = try #require(open.json.object?["objectId"]?.string)
        let seen = try texts(
            try await world.replica.send(.get, "/classes/Note/\(openId)?_why=true", token: ben.token))
        #expect(!seen.joined().contains(ada.id))
    }

    /// SDKs send batches, and some send the session token in the body.
    @Test func batchesAndRequestsWithSessionsInBodiesHaveTheRightsOfTheirUser() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        world.stopHub()
        let acl: JSONValue = [ada.id: ["read": true, "write": true]]
        let create: JSONValue = [
            "method": "POST", "path": "/parse/classes/Note", "body": ["text": "in a batch", "ACL": acl],
        ]
        let batch = try await world.replica.send(.post, "/parse/batch", ["requests": [create]], token: ada.token)
        #expect(batch.status == 200, "\(batch)")
        let body = try await world.replica.send(
            .post, "/parse/classes/Note",
            ["text": "in a body", "ACL": acl, "_SessionToken": .string(ada.token), "_ApplicationId": "demo"])
        #expect(body.status == 201, "\(body)")
        #expect(try await world.notes(world.replica, ada.token) == ["first", "in a batch", "in a body"])
        #expect(try await world.notes(world.replica, ben.token) == ["first"])
        #expect(try await world.pendingUsers() == [ada.id, ada.id])
    }

    /// The gateway has the remote's master key. It sends a change under its user's session, so that the remote checks
    /// the user's rights.
    @Test func changesAreSentUnderTheSessionOfTheUserWhoMadeThem() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        let id = try await note(world, "first")
        world.stopHub()
        #expect(
            try await world.replica.send(.put, "/classes/Note/\(id)", ["text": "by ben"], token: ben.token).status
                == 200)
        let acl: JSONValue = [ada.id: ["read": true, "write": true], "*": ["read": true]]
        try await world.startHub { hub in
            let changed = try await hub.send(.put, "/classes/Note/\(id)", ["ACL": acl], masterKey: "hub")
            #expect(changed.status == 200, "\(changed)")
        }
        try await world.syncSite()
        let rejections = try await world.replica.send(.get, "/sync/rejections", token: ben.token)
        let mine = try #require(rejections.json.object?["results"]?.array)
        #expect(mine.count == 1 && mine.first?.object?["code"] == 101, "\(rejections)")
        let words = "Not allowed: the author of the change may not write the object."
        #expect(mine.first?.object?["error"]?.string?.hasPrefix(words) == true, "\(rejections)")
        #expect(
            try await world.replica.send(.get, "/sync/rejections", token: ada.token).json.object?["results"] == [])
        let rejection = try #require(mine.first?.object?["id"]?.int)
        let byAda = try await world.replica.send(.delete, "/sync/rejections/\(rejection)", token: ada.token)
        #expect(byAda.status == 404, "\(byAda)")
        let byBen = try await world.replica.send(.delete, "/sync/rejections/\(rejection)", token: ben.token)
        #expect(byBen.status == 200, "\(byBen)")
        #expect(try await world.notes(world.replica, ben.token) == ["first"])
    }

    @Test func sessionRefusedByTheRemotePausesOnlyTheChangesOfItsUser() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        world.stopHub()
        #expect(try await world.note("ada's", by: ada).status == 201)
        #expect(try await world.note("ben's", by: ben).status == 201)
        try await world.startHub { hub in
            let changed = try await hub.send(.put, "/users/\(ben.id)", ["password": "new"], masterKey: "hub")
            #expect(changed.status == 200, "\(changed)")
        }
        try await world.syncSite()
        #expect(try await world.notes(world.hub, ada.token).contains("ada's"))
        #expect(try await world.pendingUsers() == [ben.id])
        let people = try await world.replica.send(.get, "/sync").json.object?["people"]?.object
        #expect(people?["mode"] == "site" && people?["waitingForLogIn"] == 1, "\(String(describing: people))")
        #expect(try await world.replica.send(.get, "/classes/Note", token: ben.token).json.object?["code"] == 209)
        #expect(try await world.logIn("ben", "new").status == 200)
        try await world.syncSite()
        #expect(try await world.pendingUsers().isEmpty)
        let all = try await world.hub.send(.get, "/classes/Note?where=%7B%22text%22:%22ben's%22%7D", masterKey: "hub")
        #expect(all.json.object?["results"]?.array?.count == 1, "\(all)")
    }

    @Test func syncStatusOfASiteReplicaShowsOnlyClassesThatTheCallerMayList() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        let sync = try await world.replica.send(.post, "/sync?wait=true", [:], token: ada.token)
        #expect(sync.status == 200 && sync.json.object?["classes"] == [:], "\(sync)")
        world.stopHub()
        #expect(try await world.note("ada's", by: ada).status == 201)
        #expect(try await world.note("ben's", by: ben).status == 201)
        #expect(try await world.note("ben's too", by: ben).status == 201)

        func figures(_ status: JSONObject?) -> [String] {
            let classes = status?["classes"]?.array?.compactMap(\.object) ?? []
            return classes.map { "\($0["name"]?.string ?? "") \($0["objects"]?.int ?? -1) \($0["pending"]?.int ?? -1)" }
        }
        let status = try await world.asOwner(.get, "/sync").json.object
        #expect(figures(status) == ["Note 4 3", "_Role 0 0", "_User 2 0"] && status?["pending"] == 3)
        #expect(
            status?["lastSummary"]?.object?["at"] == status?["lastSyncAt"] && status?["lastSyncAt"]?.isNull == false)
        for (token, shown, pending) in [
            (ada.token, ["Note 2 1", "_Role 0 0", "_User 1 0"], 1),
            (ben.token, ["Note 3 2", "_Role 0 0", "_User 1 0"], 2),
            (nil, ["Note 1 0", "_Role 0 0", "_User 0 0"], 0),
        ] {
            let status = try await world.replica.send(.get, "/sync", token: token).json.object
            #expect(figures(status) == shown && status?["pending"]?.int == pending, "\(String(describing: status))")
            #expect(status?["lastSummary"] == .null)
            let classes = try await world.replica.send(.get, "/sync/classes", token: token).json.object
            #expect(figures(["classes": classes?["results"] ?? .null]) == shown)
        }
        #expect(try await world.replica.status("/metrics") == 403)
    }

    @Test func statusCommandShowsTheFiguresForTheMasterKey() async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        world.stopHub()
        #expect(try await world.note("ada's", by: ada).status == 201)
        func waiting(_ more: [String]) async throws -> [String] {
            let run = try await Run.ending(
                ["status", "--url", world.replica.url] + more, environment: ["TIDEGATE_DATA": world.keyDirectory.path])
            return run.lines.filter { $0.hasPrefix("  Waiting ") }.map { String($0.drop { $0 != "0" && $0 != "1" }) }
        }
        #expect(try await waiting([]) == ["0 changes"])
        #expect(try await waiting(["--master-key", "replica"]) == ["1 change"])
    }

    /// The remote has no cloud functions. It answers a call that reaches it with 400 and code 141.
    @Test func forwardedCallWaitsOnlyForPendingChangesOfItsCaller() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        func call(_ token: String?) async throws -> (status: Int, fields: JSONObject) {
            let answer = try await world.replica.send(.post, "/functions/f", [:], token: token)
            return (answer.status, answer.json.object ?? [:])
        }
        #expect(try await world.asOwner(.post, "/sync/pause").status == 200)
        let open = try await world.replica.send(.post, "/classes/Note", ["text": "ben's"], token: ben.token)
        let id = try #require(open.json.object?["objectId"]?.string, "\(open)")
        let held = try await call(ben.token)
        #expect(held.status == 409 && held.fields["code"] == 124 && held.fields["ahead"] == 1, "\(held)")
        for token in [ada.token, nil] {
            let answer = try await call(token)
            #expect(answer.status == 503 && answer.fields["code"] == 100, "\(answer)")
        }
        // Ben's change waits for his next log-in. Ada's change of the same note waits for Ben's change.
        let edit = try await world.replica.send(.put, "/classes/Note/\(id)", ["text": "ada's"], token: ada.token)
        #expect(edit.status == 200, "\(edit)")
        let changed = try await world.hub.send(.put, "/users/\(ben.id)", ["password": "new"], masterKey: "hub")
        #expect(changed.status == 200, "\(changed)")
        #expect(try await world.asOwner(.post, "/sync/resume").status == 200)
        try await world.syncSite()
        #expect(try await world.pendingUsers() == [ben.id, ada.id])
        let behind = try await call(ada.token)
        #expect(behind.status == 409 && behind.fields["ahead"] == 1, "\(behind)")
        #expect(behind.fields["error"]?.string?.contains("Some wait for changes of another user.") == true)
        #expect(try await call(nil).fields["code"] == 141)
    }

    @Test func eachChangeSentWithTheMasterKeyIsOneLineInTheAuditLog() async throws {
        let (world, ada, _) = try await PeopleWorld.site(["--send-as-master", "--after-logout", "keep"])
        let id = try await note(world, "first")
        world.stopHub()
        let edit = try await world.replica.send(.put, "/classes/Note/\(id)", ["text": "edited"], token: ada.token)
        #expect(edit.status == 200, "\(edit)")
        #expect(try await world.note("ada's", by: ada).status == 201)
        #expect(try await world.replica.send(.post, "/logout", [:], token: ada.token).json == [:])
        try await world.startHub()
        try await world.syncSite()
        #expect(try await world.pendingUsers().isEmpty)
        world.stopReplica(SIGTERM)
        let audit = try String(contentsOfFile: world.replicaDirectory.path + "/audit.log", encoding: .utf8)
        let lines = audit.split(separator: "\n").filter { $0.contains(#""event":"sentAsMaster""#) }
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains(ada.id) }, "\(audit)")
    }

    @Test func changesOfALockedUserAreNotSentWithTheMasterKey() async throws {
        let (world, ada, ben) = try await PeopleWorld.site(["--send-as-master"])
        world.stopHub()
        for user in [ada, ben] { #expect(try await world.note("of \(user.id)", by: user).status == 201) }
        try await world.startHub { hub in
            let lock = try await hub.send(.put, "/users/\(ada.id)", ["ACL": [:]], masterKey: "hub")
            #expect(lock.status == 200, "\(lock)")
        }
        try await world.syncSite()
        #expect(try await world.pendingUsers() == [ada.id])
        #expect(try await world.notes(world.hub, ben.token) == ["first", "of \(ben.id)"])
    }

    @Test func aUserCannotTakeOverARole() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        let role = { (name: String, member: String) -> JSONValue in
            let pointer: JSONValue = ["__type": "Pointer", "className": "_User", "objectId": .string(member)]
            return [
                "name": .string(name), "ACL": [member: ["read": true, "write": true]],
                "users": ["__op": "AddRelation", "objects": [pointer]],
            ]
        }
        let staff = try await world.hub.send(.post, "/roles", role("staff", ada.id), masterKey: "hub")
        #expect(staff.status == 201, "\(staff)")
        let secret: JSONValue = ["text": "secret", "ACL": ["role:staff": ["read": true]]]
        #expect(try await world.hub.send(.post, "/classes/Note", secret, masterKey: "hub").status == 201)
        try await world.syncSite()
        #expect(try await world.notes(world.replica, ada.token) == ["first", "secret"])
        world.stopHub()
        let taken = try await world.replica.send(.post, "/roles", role("staff", ben.id), token: ben.token)
        #expect(taken.json.object?["code"] == 137, "\(taken)")
        let own = try await world.replica.send(.post, "/roles", role("own", ben.id), token: ben.token)
        let id = try #require(own.json.object?["objectId"]?.string, "\(own)")
        let renamed = try await world.replica.send(.put, "/roles/\(id)", ["name": "staff"], token: ben.token)
        #expect(renamed.json.object?["code"] == 136, "\(renamed)")
        #expect(try await world.notes(world.replica, ben.token) == ["first"])
    }

    @Test func logOutFollowedByACrashLosesNoPendingChange() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        world.stopHub()
        #expect(try await world.note("ada's", by: ada).status == 201)
        #expect(try await world.replica.send(.post, "/logout", [:], token: ada.token).json == [:])
        #expect(try await world.replica.send(.get, "/classes/Note", token: ada.token).json.object?["code"] == 209)
        let unknown = try await world.replica.send(.get, "/classes/Note", token: "r:unknown")
        #expect(unknown.status == 503 && unknown.json.object?["code"] == 100, "\(unknown)")
        try await world.restartReplica()
        #expect(try await world.notes(world.replica, ben.token) == ["first"])
        #expect(try await world.replica.send(.get, "/users/me", token: ben.token).json.object?["username"] == "ben")
        try await world.startHub()
        try await world.syncSite()
        let all = try await world.hub.send(.get, "/classes/Note?order=text", masterKey: "hub")
        #expect(
            all.json.object?["results"]?.array?.compactMap { $0.object?["text"]?.string } == ["ada's", "first"],
            "\(all)")
        #expect(try await world.waitForEnd(of: ada.token, at: world.hub) == 209)
    }

    @Test func userLockedOutAtTheRemoteIsLockedOutOfTheSiteReplica() async throws {
        let (world, _, ben) = try await PeopleWorld.site(["--offline-login"])
        for name in ["ada", "ben"] { #expect(try await world.logIn(name).status == 200) }
        #expect(try await world.notes(world.replica, ben.token) == ["first"])
        let locked = try await world.hub.send(.put, "/users/\(ben.id)", ["ACL": [:]], masterKey: "hub")
        #expect(locked.status == 200, "\(locked)")
        try await world.syncSite()
        world.stopHub()
        let refused = try await world.logIn("ben")
        #expect(refused.status == 404 && refused.json.object?["code"] == 101, "\(refused)")
        #expect(try await world.replica.send(.get, "/classes/Note", token: ben.token).json.object?["code"] == 209)
        #expect(try await world.logIn("ada").status == 200)
    }

    @Test func rolesAndPermissionsOfTheRemoteAreEnforced() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        let user: JSONValue = ["__type": "Pointer", "className": "_User", "objectId": .string(ada.id)]
        let role = try await world.hub.send(
            .post, "/roles",
            ["name": "staff", "ACL": [:], "users": ["__op": "AddRelation", "objects": [user]]], masterKey: "hub")
        #expect(role.status == 201, "\(role)")
        let acl: JSONValue = ["role:staff": ["read": true]]
        _ = try await world.hub.send(.post, "/classes/Note", ["text": "staff", "ACL": acl], masterKey: "hub")
        try await world.syncSite()
        #expect(try await world.notes(world.replica, ada.token) == ["first", "staff"])
        #expect(try await world.notes(world.replica, ben.token) == ["first"])
        let hidden = try await world.replica.send(.get, "/classes/Unknown", token: ben.token)
        #expect(hidden.json.object?["code"] == 119, "\(hidden)")
    }
}

extension String {
    fileprivate var urlEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self
    }
}
