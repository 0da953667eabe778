import Foundation
import ParseModel
import Testing

/// Tests the removal of a user and of the user's pending changes from a site replica.
@Suite("Forgetting a user of a site replica", .serialized)
struct SiteForgetTests {
    private func texts(_ world: PeopleWorld) async throws -> [String] {
        let answer = try await world.asOwner(.get, "/classes/Note?order=text")
        return try #require(answer.json.object?["results"]?.array, "\(answer)").compactMap {
            $0.object?["text"]?.string
        }
    }

    /// A removal that fails because its export cannot be written is not in the audit log.
    @Test func exportOfUserDataToAnExistingFileIsRefused() async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        world.stopHub()
        #expect(try await world.note("only here", by: ada).status == 201)
        let file = world.keyDirectory.path + "/session-key"
        let (text, code) = try await world.forget(isRunning: true, ["ada", "--export", file])
        #expect(code == 1 && text.contains("--export: cannot make \(file): File exists"), "\(text)")
        let missing = world.keyDirectory.path + "/missing"
        #expect(try await world.forget(isRunning: true, ["nobody", "--export", missing]).1 == 1)
        #expect(!FileManager.default.fileExists(atPath: missing))
        #expect(try await world.pendingUsers() == [ada.id])
        world.stopReplica(SIGTERM)
        let audit = try String(contentsOfFile: world.replicaDirectory.path + "/audit.log", encoding: .utf8)
        #expect(!audit.contains("exported"), "\(audit)")
    }

    /// A request of the user would count as a use of the session, so the test reads with the master key.
    @Test func unusedSessionsAreRemovedUnlessChangesArePending() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        world.stopHub()
        #expect(try await world.note("waits", by: ben).status == 201)
        try await world.restartReplica(["--people", "site", "--master-key", "hub", "--forget-after", "0.001"])
        var users: [String] = []
        for _ in 1...PeopleWorld.attemptsMax where users != [ben.id] {
            let answer = try await world.asOwner(.get, "/sync/users")
            users = answer.json.object?["results"]?.array?.compactMap { $0.object?["objectId"]?.string } ?? []
        }
        #expect(users == [ben.id])
        #expect(try await world.notes(world.replica, ben.token) == ["first", "waits"])
        #expect(try await world.replica.send(.get, "/classes/Note", token: ada.token).status == 503)
    }

    /// The gateway was last started with `--people off`, so the command must not drop the users' changes.
    @Test func pendingChangesOfAFormerSiteReplicaAreNotDropped() async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        world.stopHub()
        #expect(try await world.note("only here", by: ada).status == 201)
        try await world.restartReplica(["--people", "off"])
        world.stopReplica(SIGTERM)
        let (text, code) = try await world.forget(isRunning: false, ["ada"])
        #expect(code == 1 && text.contains("--people site"), "\(text)")
        try await world.restartReplica(["--people", "site", "--master-key", "hub"])
        #expect(try await world.pendingUsers() == [ada.id])
    }

    @Test(arguments: [true, false])
    func forgettingAUserOfASiteReplicaExportsAndDropsPendingChanges(isRunning: Bool) async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        let found = try await world.replica.send(.get, "/classes/Note", token: ada.token).json.object?["results"]
        let first = try #require(found?.array?.first?.object?["objectId"]?.string)
        world.stopHub()
        #expect(try await world.note("only here", by: ada).status == 201)
        let edit = try await world.replica.send(
            .put, "/classes/Note/\(first)", ["text": "by ada"], token: ada.token)
        #expect(edit.status == 200, "\(edit)")
        let more = try await world.replica.send(.put, "/classes/Note/\(first)", ["more": 1], token: ben.token)
        #expect(more.status == 200, "\(more)")
        #expect(try await texts(world) == ["by ada", "only here"])
        if !isRunning { world.stopReplica(SIGTERM) }

        let (refusal, code) = try await world.forget(isRunning: isRunning, ["ada"])
        #expect(code == 1 && refusal.contains("--export"), "\(refusal)")
        let file = world.keyDirectory.path + "/export"
        let (text, exit) = try await world.forget(isRunning: isRunning, ["ada", "--export", file])
        #expect(exit == 0 && text.contains("Wrote 2 lines") && text.contains(ada.id), "\(text)")
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let kinds = try lines.map { try #require(try JSONReader.read(String($0)).object)["kind"]?.string }
        #expect(kinds == ["create", "update"], "\(lines)")
        #expect(try await world.forget(isRunning: isRunning, ["ada"]).1 == 1)
        if !isRunning { try await world.restartReplica() }

        // Ada's changes are dropped, and Ben's change of the same note is still pending.
        #expect(try await texts(world) == ["first"])
        #expect(try await world.pendingUsers() == [ben.id])
        let unknown = try await world.replica.send(.get, "/classes/Note", token: ada.token)
        #expect(unknown.status == 503, "\(unknown)")
        try await world.startHub()
        try await world.syncSite()
        #expect(try await world.pendingUsers().isEmpty)
        #expect(try await world.notes(world.hub, ben.token) == ["first"])
        let note = try await world.hub.send(.get, "/classes/Note/\(first)", masterKey: "hub").json.object
        #expect(note?["more"] == 1 && note?["text"] == "first", "\(String(describing: note))")
        // Ada's session is still valid at the remote, so the replica accepts it again.
        #expect(try await world.notes(world.replica, ada.token) == ["first"])

        world.stopReplica(SIGTERM)
        let audit = try String(contentsOfFile: world.replicaDirectory.path + "/audit.log", encoding: .utf8)
        #expect(audit.contains(#""event":"exported","user":"\#(ada.id)","entries":2"#), "\(audit)")
        #expect(audit.contains(#""event":"spaceRemoved","user":"\#(ada.id)","reason":"forgotten""#), "\(audit)")
    }

    /// If a locked user could not be removed, the changes of that user would stay pending forever.
    @Test func forgettingALockedUserAlsoDropsTheirFiles() async throws {
        let (world, _, ben) = try await PeopleWorld.site()
        let found = try await world.replica.send(.get, "/classes/Note", token: ben.token).json.object?["results"]
        let first = try #require(found?.array?.first?.object?["objectId"]?.string)
        world.stopHub()
        let upload = try await world.replica.send(
            .post, "/files/a.txt", "the content", contentType: "text/plain", token: ben.token)
        let name = try #require(upload.json.object?["name"]?.string)
        let file: JSONValue = ["__type": "File", "name": .string(name)]
        let note: JSONValue = ["text": "with a file", "file": file]
        #expect(try await world.replica.send(.post, "/classes/Note", note, token: ben.token).status == 201)
        #expect(
            try await world.replica.send(.delete, "/classes/Note/\(first)", token: ben.token).status == 200)
        let locked = try await Run.ending(["user", "lock", "ben", "--data", world.hubDirectory.path])
        #expect(locked.code == 0, "\(locked)")
        try await world.startHub()
        try await world.syncSite()
        #expect(try await world.pendingUsers() == [ben.id, ben.id])
        let export = world.keyDirectory.path + "/export"
        let (text, exit) = try await world.forget(isRunning: true, [ben.id, "--export", export])
        #expect(exit == 0, "\(text)")
        let lines = try String(contentsOfFile: export, encoding: .utf8)
        #expect(lines.contains(#""entry":"file""#) && lines.contains(#""kind":"delete""#), "\(lines)")
        #expect(try await texts(world) == ["first"])
        #expect(try await world.pendingUsers().isEmpty)
        try await world.syncSite()
        #expect(try await texts(world) == ["first"])
    }
}
