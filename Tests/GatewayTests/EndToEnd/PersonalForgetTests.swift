import Foundation
import ParseModel
import Testing

/// Tests the removal of a user's data from a personal replica.
@Suite("Forgetting a user of a personal replica", .serialized)
struct PersonalForgetTests {
    private func spaces(_ world: PeopleWorld) -> Int {
        let directory = world.replicaDirectory.path + "/users"
        return (try? FileManager.default.contentsOfDirectory(atPath: directory))?.count ?? 0
    }

    @Test func forgettingAUserEndsTheUsersChangeStreams() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        let stream = try EventConnection(port: UInt16(world.replica.port), token: ada.token)
        await stream.read(until: "id: ")
        let (text, code) = try await world.forget(isRunning: true, ["ada"])
        #expect(code == 0, "\(text)")
        #expect(await stream.readAll().contains("id: "))
        #expect(spaces(world) == 0)
    }

    @Test(arguments: [true, false])
    func forgettingAUserExportsPendingChangesFirst(isRunning: Bool) async throws {
        let world = try await PeopleWorld()
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        try await world.sync(ada.token)
        try await world.sync(ben.token)
        world.stopHub()
        #expect(try await world.note("only here", by: ada).status == 201)
        #expect(spaces(world) == 2)
        if !isRunning { world.stopReplica(SIGTERM) }

        let (refusal, code) = try await world.forget(isRunning: isRunning, ["ada"])
        #expect(code == 1 && refusal.contains("--export"), "\(refusal)")
        let file = world.keyDirectory.path + "/export"
        let (text, exit) = try await world.forget(isRunning: isRunning, ["ada", "--export", file])
        #expect(exit == 0 && text.contains("Wrote 1 line") && text.contains(ada.id), "\(text)")
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1)
        let entry = try #require(try JSONReader.read(String(lines[0])).object)
        #expect(entry["entry"] == "change" && entry["kind"] == "create" && lines[0].contains("only here"))
        #expect(spaces(world) == 1)
        // The data of a user without pending changes may be removed without an export.
        #expect(try await world.forget(isRunning: isRunning, [ben.id]).1 == 0)
        #expect(spaces(world) == 0)
        #expect(try await world.forget(isRunning: isRunning, [ben.id]).1 == 1)
        world.stopReplica(SIGTERM)
        let audit = try String(contentsOfFile: world.replicaDirectory.path + "/audit.log", encoding: .utf8)
        #expect(audit.contains(#""event":"exported","user":"\#(ada.id)","entries":1"#), "\(audit)")
        for user in [ada, ben] { #expect(audit.contains(#""event":"spaceRemoved","user":"\#(user.id)""#)) }

        try await world.restartReplica()
        let unknown = try await world.replica.send(.get, "/classes/Note", token: ada.token)
        #expect(unknown.status == 503, "\(unknown)")
        try await world.startHub()
        #expect(try await world.replica.send(.post, "/sync?wait=true", [:]).status == 200)
        try await world.sync(ada.token)
        #expect(try await world.notes(world.replica, ada.token) == [])
        #expect(try await world.notes(world.hub, ada.token) == [])
    }

    /// The exported change contains the stored file value, without the URL that answers add.
    @Test func forgettingAUserExportsFilesNotYetUploaded() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.stopHub()
        let upload = try await world.replica.send(
            .post, "/files/a.txt", "the content", contentType: "text/plain", token: ada.token)
        let file: JSONValue = ["__type": "File", "name": upload.json.object?["name"] ?? .null]
        let note = try await world.replica.send(.post, "/classes/Note", ["file": file], token: ada.token)
        #expect(note.status == 201, "\(note)")
        let export = world.keyDirectory.path + "/export"
        let (text, exit) = try await world.forget(isRunning: true, ["ada", "--export", export])
        #expect(exit == 0 && text.contains("Wrote 2 lines"), "\(text)")
        #expect(try String(contentsOfFile: export, encoding: .utf8).contains(#""entry":"file""#))
    }

    /// The restarted replica removes the unused data before any user has sent a request.
    @Test func unusedDataOfAUserIsRemovedUnlessChangesArePending() async throws {
        let world = try await PeopleWorld()
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        try await world.sync(ada.token)
        try await world.sync(ben.token)
        world.stopHub()
        #expect(try await world.note("waits", by: ben).status == 201)
        try await world.restartReplica(["--forget-after", "0.001"])
        for _ in 1...PeopleWorld.attemptsMax where spaces(world) != 1 {
            _ = try await world.replica.send(.get, "/health")
        }
        #expect(spaces(world) == 1)
        #expect(try await world.notes(world.replica, ben.token) == ["waits"])
        #expect(try await world.replica.send(.get, "/classes/Note", token: ada.token).status == 503)
    }

    @Test func auditLogReportsTheRemovalOfUserDataWithoutSecrets() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        _ = try await world.logIn("ada", "wrong password")
        try await world.sync(ada.token)
        _ = try await world.replica.send(.post, "/logout", [:], token: ada.token)
        #expect(try await world.forget(isRunning: true, ["ada"]).1 == 0)
        world.stopReplica(SIGTERM)
        let text = try String(contentsOfFile: world.replicaDirectory.path + "/audit.log", encoding: .utf8)
        let events = try text.split(separator: "\n").map { try #require(try JSONReader.read(String($0)).object) }
        let kinds = events.map { $0["event"]?.string ?? "" }
        // The replica may still be sending the log-out to the remote when it answers the client.
        #expect(
            kinds == [
                "signIn", "signInRefused", "sessionEnded", "logOutSent", "spaceRemoved", "masterKeyUsed",
            ], "\(text)")
        #expect(events[0]["user"]?.string == ada.id && events[1]["code"] == 101)
        #expect(!text.contains(ada.token) && !text.contains("password"))
        #expect(events.last?["path"] == "/sync/users/{userId}")
    }
}
