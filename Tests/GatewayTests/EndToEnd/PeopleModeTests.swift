import Foundation
import GRDB
import ParseModel
import Testing

/// Tests changes of the setting `people` (no users, personal, site) of a data directory, and the data that stays.
@Suite("Changes of the setting people", .serialized)
struct PeopleModeTests {
    @Test func switchingUsersOffKeepsTheirDataAndAllPendingChanges() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.stopHub()
        #expect(try await world.note("ada's", by: ada).status == 201)
        #expect(try await world.replica.send(.post, "/classes/Note", ["text": "the gateway's"]).status == 201)
        #expect(try await world.pending(nil) == 1)

        world.stopReplica(SIGTERM)
        let options = [
            "--data", world.replicaDirectory.path, "--remote", world.hub.url, "--app-id", "demo", "--people", "off",
        ]
        let lines = try await Run.ending(["doctor"] + options).lines
        #expect(lines.contains { $0.contains("--people was personal and is now off") }, "\(lines)")
        #expect(lines.contains { $0.contains("changes or decisions of 1 user wait") }, "\(lines)")

        try await world.restartReplica(["--people", "off"])
        #expect(try await world.pending(nil) == 1)
        let refused = try await world.replica.send(.get, "/classes/Note", token: ada.token)
        #expect(refused.json.object?["code"] == 119)
        #expect(refused.json.object?["error"]?.string?.contains("--people personal") == true)

        try await world.restartReplica(["--people", "personal"])
        #expect(try await world.notes(world.replica, ada.token) == ["ada's"])
        #expect(try await world.pending(ada.token) == 1)
        #expect(try await world.pending(nil) == 1)
    }

    @Test func siteReplicaOnThePersonalReplicasDirectoryReportsUnsentChanges() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        world.stopHub()
        #expect(try await world.note("ada's", by: ada).status == 201)
        world.stopReplica(SIGTERM)

        let waiting = "changes or decisions of 1 user wait and are not sent with --people site"
        let options = world.options(["--people", "site", "--master-key", "hub"])
        let lines = try await Run.ending(["doctor"] + options).lines
        #expect(lines.contains { $0.contains(waiting) }, "\(lines)")
        let start = try await Run.start(options)
        #expect(start.contains(waiting), "\(start)")
    }

    @Test func switchingUsersOffReportsUnsentChangesOfASiteReplica() async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        world.stopHub()
        #expect(try await world.note("ada's", by: ada).status == 201)
        world.stopReplica(SIGTERM)

        let waiting = "changes of 1 author of a site wait and are not sent: start with --people site to send them"
        let options = world.options(["--people", "off"])
        let lines = try await Run.ending(["doctor"] + options).lines
        #expect(lines.contains { $0.contains(waiting) }, "\(lines)")
        #expect(try await Run.start(options).contains(waiting))
    }

    @Test func damagedSessionKeyFileStopsTheStartOfAPersonalReplica() async throws {
        let world = try await PeopleWorld()
        _ = try await world.signUp("ada")
        world.stopReplica(SIGTERM)
        let key = URL(filePath: world.keyDirectory.path + "/session-key")
        try Data("garbage".utf8).write(to: key)

        let reason = "holds no session key of 64 hexadecimal digits"
        for more in [[], ["--people", "personal"]] {
            let start = try await Run.start(world.options(more))
            #expect(start.contains("Error:") && start.contains(reason), "\(start)")
            #expect(!start.contains("listens on"))
            let doctor = try await Run.ending(["doctor"] + world.options(more))
            #expect(doctor.code == 1)
            #expect(doctor.lines.contains { $0.contains(reason) }, "\(doctor.lines)")
            #expect(!doctor.lines.contains { $0.contains("is now off") }, "\(doctor.lines)")
        }
        try await world.restartReplica(["--people", "off"])
        world.stopReplica(SIGTERM)
        try FileManager.default.removeItem(at: key)
        #expect(try await Run.start(world.options([])).contains("--people was off and is now personal"))
    }

    @Test(.timeLimit(.minutes(5))) func lostSessionKeyFileIsLoggedOnceAndPendingChangesWait() async throws {
        let world = try await PeopleWorld()
        let users = [try await world.signUp("ada"), try await world.signUp("ben")]
        world.stopHub()
        for user in users { #expect(try await world.note("waits", by: user).status == 201) }
        world.stopReplica(SIGTERM)
        let key = world.keyDirectory.path + "/session-key"
        try FileManager.default.removeItem(atPath: key)
        try await world.startHub()

        let run = try Run(["serve", "--listen", "127.0.0.1:0"] + world.options([]))
        var lines: [String] = []
        for await line in run.output {
            lines.append(line)
            let waiting = lines.count {
                $0.contains("The user has no session here. The data syncs after the next log-in.")
            }
            if waiting == users.count { kill(run.process.processIdentifier, SIGTERM) }
        }
        run.process.waitUntilExit()
        #expect(lines.count { $0.contains("the key in \(key) does not open the session tokens") } == 1, "\(lines)")
        #expect(!lines.contains { $0.contains("refused the keys") }, "\(lines)")
    }

    @Test func sessionKeyFileThatOthersCanReadIsReportedAndRestricted() async throws {
        let world = try await PeopleWorld()
        _ = try await world.signUp("ada")
        world.stopReplica(SIGTERM)
        let path = world.keyDirectory.path + "/session-key"
        #expect(chmod(path, 0o644) == 0)
        let warning = "\(path) holds the key that encrypts session tokens and can be read by other users"
        for _ in 1...2 {
            let lines = try await Run.ending(["doctor"] + world.options([])).lines
            #expect(lines.contains { $0.contains(warning) }, "\(lines)")
        }
        #expect(try await Run.start(world.options([])).contains(warning))
        #expect(try await !Run.start(world.options([])).contains(warning))
    }

    /// The data directory records the setting `people`. An earlier version did not record it.
    @Test func startReportsAChangeOfTheSettingPeople() async throws {
        let (hubDirectory, directory) = (try TemporaryDirectory(), try TemporaryDirectory())
        let hub = try await Daemon(hubDirectory)
        let options = [
            "--data", directory.path, "--remote", hub.url, "--app-id", "demo", "--session-key-file",
            directory.path + "/session-key",
        ]
        #expect(try await !Run.start(options).contains("--people was"))
        #expect(try await !Run.start(options).contains("--people was"))
        #expect(try await Run.start(options + ["--people", "off"]).contains("--people was personal and is now off"))
        #expect(try await Run.start(options).contains("--people was off and is now personal"))

        // Removes the recorded setting, as after an earlier version or after a first start that failed.
        func revert(_ sql: String) async throws {
            try await DatabaseQueue(path: directory.path + "/tidegate.sqlite").writeWithoutTransaction {
                try $0.execute(sql: sql)
            }
        }
        try await revert("DELETE FROM meta WHERE key IN ('people', 'last_sync_at')")
        #expect(try await !Run.start(options).contains("requests with a session are served now"))
        try await revert("INSERT OR REPLACE INTO meta (key, value) VALUES ('last_sync_at', '1700000000000')")
        try await revert("DELETE FROM meta WHERE key = 'people'")
        let line = "requests with a session are served now (--people personal)"
        #expect(try await Run.ending(["doctor"] + options).lines.contains { $0.contains(line) })
        #expect(try await !Run.start(options + ["--people", "off"]).contains(line))
        try await revert("DELETE FROM meta WHERE key = 'people'")
        #expect(try await Run.start(options).contains(line))
        #expect(try await !Run.start(options).contains(line))
    }

    /// A site replica reads the rows with the master key. A later personal replica must show requests without a
    /// session only public rows.
    @Test func formerSiteReplicaShowsOnlyPublicObjectsWithoutASession() async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        #expect(try await world.note("ada's", by: ada).status == 201)
        try await world.syncSite()
        #expect(try await world.notes(world.replica, ada.token) == ["ada's", "first"])
        let upload = try await world.replica.send(
            .post, "/files/a.txt", "of ada", contentType: "text/plain", token: ada.token)
        let file = try #require(upload.json.object?["name"]?.string, "\(upload)")
        let hidden: JSONObject = ["ACL": [:]]
        _ = try await world.hub.send(.put, "/users/\(ada.id)", .object(hidden), masterKey: "hub")
        try await world.syncSite()
        world.stopHub()
        for _ in 1...2 {
            try await world.restartReplica(["--people", "personal"])
            #expect(try await world.notes(world.replica, nil) == ["first"])
            #expect(try await world.replica.status("/files/demo/\(file)") == 404)
            #expect(try await world.replica.send(.get, "/users/\(ada.id)").status == 404)
        }
    }
}

extension PeopleWorld {
    /// The options for a replica on the data directory of the stopped one.
    fileprivate func options(_ more: [String]) -> [String] {
        [
            "--data", replicaDirectory.path, "--remote", hub.url, "--app-id", "demo", "--session-key-file",
            keyDirectory.path + "/session-key",
        ] + more
    }
}

extension Run {
    /// Starts a gateway, and stops it as soon as it listens.
    /// - Returns: the complete output.
    fileprivate static func start(_ options: [String]) async throws -> String {
        let run = try Run(["serve", "--listen", "127.0.0.1:0"] + options)
        var seen = ""
        for await line in run.output {
            seen += line + "\n"
            if line.contains("listens on") { kill(run.process.processIdentifier, SIGTERM) }
        }
        run.process.waitUntilExit()
        return seen
    }
}
