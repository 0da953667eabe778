import Foundation
import GRDB
import ParseModel
import Testing

/// Tests the commands of the program besides `serve`, as a user or a script runs them.
@Suite("Client commands", .serialized, .timeLimit(.minutes(5)))
struct CommandRunTests {
    private func replica() async throws -> (hub: Daemon, replica: Daemon, directories: [TemporaryDirectory]) {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0])
        _ = try await hub.create(["name": "a"])
        return (hub, try await Daemon.replica(of: hub.url, directories[1], ["--people", "off"]), directories)
    }

    @Test func syncCommandPrintsLocalCountsOrJSON() async throws {
        let (hub, replica, directories) = try await replica()
        let people = try await Run.ending(["sync", "--url", replica.url])
        #expect(people.code == 0)
        #expect(people.lines.last == "Local: 1 object in 1 class.")
        let programs = try await Run.ending(["sync", "--url", replica.url, "--json"])
        #expect(programs.code == 0)
        #expect(try JSONReader.read(programs.lines.joined()).object?["pulled"]?.int != nil)
        withExtendedLifetime((hub, directories)) {}
    }

    @Test func exitCodeOfTheStatusCommandReportsTheSyncState() async throws {
        let (hub, replica, directories) = try await replica()
        #expect(try await replica.sync().status == 200)
        let calm = try await Run.ending(["status", "--check", "--url", replica.url])
        #expect(calm.code == 0)
        #expect(calm.lines.count == 1 && calm.lines[0].hasPrefix("OK: last sync "))
        #expect(try await replica.send(.post, "/sync/pause").status == 200)
        let paused = try await Run.ending(["status", "--check", "--url", replica.url])
        #expect((paused.code, paused.lines) == (1, ["WARNING: syncing is paused"]))
        replica.end(SIGTERM)
        let gone = try await Run.ending(["status", "--check", "--url", replica.url])
        #expect(gone.code == 3)
        #expect(gone.lines.count == 1 && gone.lines[0].hasPrefix("UNKNOWN: "))
        withExtendedLifetime((hub, directories)) {}
    }

    @Test func whyTellsTheLifeOfAnObjectOfARunningAndOfAStoppedGateway() async throws {
        let (hub, replica, directories) = try await replica()
        #expect(try await replica.sync().status == 200)
        let id = try #require(try await replica.holidays().keys.first)
        let running = try await Run.ending(["why", "Holiday/\(id)", "--url", replica.url])
        #expect(running.code == 0)
        #expect(running.lines.contains { $0.hasSuffix("Pulled from the remote for the first time.") })
        #expect(running.lines.first?.hasPrefix("20") == true)
        let byDirectory = try await Run.ending(["why", "Holiday/\(id)", "--data", directories[1].path])
        #expect(byDirectory.code == 0 && byDirectory.lines == running.lines)
        replica.end(SIGTERM)
        hub.end(SIGTERM)
        let stopped = try await Run.ending(["why", "/classes/Holiday/\(id)", "--data", directories[1].path, "--json"])
        #expect(stopped.code == 0)
        let life = try #require(try JSONReader.read(stopped.lines.joined()).object)
        #expect(life["objectId"] == .string(id))
        #expect(life["lines"]?.array?.isEmpty == false)
        let standalone = try await Run.ending(["why", "Holiday/nowhere", "--data", directories[0].path])
        #expect(standalone.lines.contains { $0.hasSuffix("The file has no object with this id.") })
        let unknown = try await Run.ending(["why", "Holiday/nowhere", "--data", directories[1].path])
        #expect(unknown.code == 1 && unknown.lines.contains { $0.contains("The file has no object with this id.") })
        #expect(try await Run.ending(["why", "Holiday", "--url", replica.url]).code != 0)
    }

    @Test func classThatIsNotSyncedIsNamedInTheLists() async throws {
        let (hub, replica, directories) = try await replica()
        _ = try await replica.send(.post, "/classes/Note", ["text": "local"])
        for command in ["classes", "status"] {
            let run = try await Run.ending([command, "--url", replica.url])
            let line = run.lines.first { $0.contains("Note") }
            #expect(line?.hasSuffix("not synced") == true, "\(run.lines)")
        }
        withExtendedLifetime((hub, directories)) {}
    }

    @Test func typesOfAReplicaNeedTheKeyOfTheRemote() async throws {
        let (hub, replica, directories) = try await replica()
        let run = try await Run.ending(["types", "--lang", "swift", "--url", replica.url])
        #expect(run.code == 1 && run.lines.last?.contains("for a replica, that of its remote") == true, "\(run.lines)")
        withExtendedLifetime((hub, directories)) {}
    }

    #if os(Linux)
        /// Runs a program without `/proc`.
        /// - Returns: the standard error; nil if the system does not let this user hide `/proc`.
        private static func withoutProc(_ program: String, _ arguments: [String]) throws -> (text: String, code: Int32)?
        {
            let (process, errors) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/unshare")
            process.arguments =
                ["-rm", "/bin/sh", "-c", #"mount -t tmpfs none /proc || exit 9; exec "$0" "$@""#, program] + arguments
            process.standardOutput = FileHandle.nullDevice
            process.standardError = errors
            do { try process.run() } catch { return nil }
            let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            return process.terminationStatus == 9 ? nil : (text, process.terminationStatus)
        }

        @Test(.enabled(if: (try? withoutProc("/bin/true", []))?.code == 0))
        func programReportsThatItsArgumentsCannotBeRead() throws {
            let run = try #require(try Self.withoutProc(Run.program().path, ["serve", "--version"]))
            #expect(run.code == 1)
            #expect(run.text == "Error: the command line cannot be read, because /proc is not mounted\n")
        }
    #endif

    @Test func doctorFindsDamageInADatabaseInUse() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try await Daemon(directory)
        let id = try await daemon.create(["name": "a"])
        let command = ["doctor", "--check-file", "--data", directory.path]
        let healthy = try await Run.ending(command)
        #expect(healthy.code == 0)
        #expect(healthy.lines.contains("✓ The SQLite file shows no damage."))
        try await DatabaseQueue(path: directory.path + "/tidegate.sqlite").writeWithoutTransaction {
            try $0.execute(sql: "UPDATE objects SET view = substr(view, 1, 30) WHERE id = ?", arguments: [id])
        }
        let damaged = try await Run.ending(command)
        #expect(damaged.code == 1)
        #expect(damaged.lines.contains("✗ the object \(id) of Holiday is damaged"))
        let programs = try await Run.ending(command + ["--json"])
        #expect(programs.code == 1)
        let found = try #require(try JSONReader.read(programs.lines.joined()).object)
        #expect(found["healthy"] == false)
        #expect(found["damage"] == [.string("the object \(id) of Holiday is damaged")])
    }

    @Test func doctorReportsAServerOfAnotherKind() async throws {
        let (hub, replica, directories) = try await replica()
        let wrong = hub.url + "/openapi.yaml"
        let run = try await Run.ending(["doctor", "--remote", wrong, "--app-id", "demo", "--data", directories[1].path])
        #expect(run.code == 1)
        #expect(run.lines.contains { $0.contains("is not a Parse Server") })
        withExtendedLifetime(replica) {}
    }

    /// The key file has permissions that let others read it.
    @Test func readableKeyFileIsLoggedAsAConfigurationWarning() async throws {
        let directory = try TemporaryDirectory()
        let file = try SettingsFile("access-key: secret-key\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        let run = try Run(["serve", "--config", file.path, "--data", directory.path, "--listen", "127.0.0.1:0"])
        var isWarned = false
        for await line in run.output where line.contains("chmod 600 \(file.path)") {
            isWarned = true
            break
        }
        #expect(isWarned)
        kill(run.process.processIdentifier, SIGTERM)
        run.process.waitUntilExit()
    }
}
