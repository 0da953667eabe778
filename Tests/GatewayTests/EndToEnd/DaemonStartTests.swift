import Foundation
import GRDB
import ParseModel
import Testing

/// Checks that a program that cannot start reports the reason in one line and changes nothing.
@Suite("Starting the daemon", .serialized)
struct DaemonStartTests {
    private func refusal(_ arguments: [String]) async throws -> String {
        let (lines, code) = try await Run.ending(arguments)
        #expect(code != 0)
        #expect(lines.count == 1, "\(lines)")
        return lines.joined()
    }

    @Test func aPortInUseIsReportedAndTheStartFails() async throws {
        let daemon = try await Daemon(try TemporaryDirectory())
        let line = try await refusal(
            ["serve", "--data", try TemporaryDirectory().path, "--listen", "127.0.0.1:\(daemon.port)"])
        #expect(line.contains("port \(daemon.port)"))
        #expect(line.contains("in use"))
    }

    @Test func aDataDirectoryInUseIsReportedAndTheStartFails() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try await Daemon(directory)
        let line = try await refusal(["serve", "--data", directory.path, "--listen", "127.0.0.1:0"])
        #expect(line.contains("in use"))
        #expect(try await daemon.send(.get, "/health").status == 200)
    }

    @Test func dataDirectoryOfAnotherRemoteOrModeIsRefused() async throws {
        let directory = try TemporaryDirectory()
        let start = ["serve", "--data", directory.path, "--listen", "127.0.0.1:0"]
        let replica = try await Daemon.replica(of: "http://127.0.0.1:9", directory)
        _ = try await replica.create(["name": "ours"])
        #expect(replica.end(SIGTERM) == 0)
        let other = try await refusal(start + ["--remote", "http://127.0.0.1:10", "--app-id", "demo"])
        #expect(other.contains("http://127.0.0.1:9"))
        #expect(other.contains("--data"))
        #expect(try await refusal(start).contains("--remote"))
    }

    @Test func copiedDataDirectoryIsRefusedUntilItIsTakenOver() async throws {
        let original = try TemporaryDirectory()
        let daemon = try await Daemon.replica(of: "http://127.0.0.1:9", original)
        let id = try await daemon.create(["name": "kept"])
        #expect(daemon.end(SIGTERM) == 0)
        let place = try TemporaryDirectory()
        let copy = place.path + "/copy"
        try FileManager.default.copyItem(atPath: original.path, toPath: copy)
        let arguments = [
            "serve", "--data", copy, "--listen", "127.0.0.1:0", "--remote", "http://127.0.0.1:9", "--app-id", "demo",
        ]
        #expect(try await refusal(arguments).contains("--take-over"))
        let run = try Run(arguments + ["--take-over"])
        var url: String?
        for await line in run.output {
            if let start = line.range(of: "http://127.0.0.1:") {
                url = String(line[start.lowerBound...].prefix { $0 != " " })
                break
            }
        }
        #expect(url != nil)
        kill(run.process.processIdentifier, SIGTERM)
        run.process.waitUntilExit()
        #expect(!id.isEmpty)
    }

    @Test func databaseOfANewerVersionIsRefusedAndUnchanged() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try await Daemon(directory)
        _ = try await daemon.create(["name": "a"])
        #expect(daemon.end(SIGTERM) == 0)
        let path = directory.path + "/tidegate.sqlite"
        try await DatabaseQueue(path: path).writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA user_version = 99")
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let before = try Data(contentsOf: URL(filePath: path))
        let line = try await refusal(["serve", "--data", directory.path, "--listen", "127.0.0.1:0"])
        #expect(line.contains("99"))
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func wrongOptionAndUnreadableFileAreNamedInTheError() async throws {
        #expect(try await refusal(["serve", "--colour", "blue"]).contains("--colour"))
        #expect(try await refusal(["serve", "--listen"]).contains("--listen"))
        #expect(try await refusal(["serve", "--pull-interval", "-5"]).contains("--pull-interval"))
        #expect(try await refusal(["serve", "--data", ""]).contains("--data"))
        #expect(try await refusal(["demo", "--hub-port", "x"]).contains("hub-port"))
        #expect(try await refusal(["serve", "--data", "/etc/passwd"]).contains("/etc/passwd"))
        let line = try await refusal(["serve", "--config", "/nonexistent/tidegate.yaml"])
        #expect(line.contains("/nonexistent/tidegate.yaml"))
    }

    @Test func anInterruptEndsTheDaemonWithExitCodeZero() async throws {
        let daemon = try await Daemon(try TemporaryDirectory())
        _ = try await daemon.create(["name": "a"])
        #expect(daemon.end(SIGINT) == 0)
    }

    @Test func startFailuresCanBePrintedAsJSON() async throws {
        for command in ["sync", "status"] {
            let end = try await Run.ending([command, "--json", "--url", "http://127.0.0.1:9"])
            #expect(end.code == 3)
            let answer = try JSONReader.read(try #require(end.lines.first)).object
            #expect(answer?["error"]?.string?.hasPrefix("no gateway responds at http://127.0.0.1:9") == true)
        }
    }

    @Test func theHelpExplainsEachCommand() async throws {
        let help = try await Run.ending(["--help"])
        #expect(help.code == 0)
        for command in ["serve", "demo", "sync", "status", "doctor"] {
            #expect(help.lines.contains { $0.contains("  \(command) ") })
            #expect(try await Run.ending([command, "--help"]).code == 0)
        }
    }
}
