import Foundation
import GRDB
import ParseModel
import Testing

/// Tests limits and checks that the program sets up at its start.
@Suite("Limits of the daemon", .serialized, .timeLimit(.minutes(5)))
struct DaemonLimitTests {
    /// The configured host is this machine, so files may be downloaded from it, but not from the gateway itself.
    @Test func theGatewayNeverDownloadsAFileFromItself() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0])
        let replica = try await Daemon.replica(of: hub.url, directories[1], ["--file-hosts", "127.0.0.1"])
        for (name, port) in [("own.txt", replica.port), ("other.txt", hub.port)] {
            let url = JSONValue.string("http://127.0.0.1:\(port)/health")
            _ = try await hub.create(["images": [["__type": "File", "name": .string(name), "url": url]]])
        }
        #expect(try await replica.sync().status == 200)
        #expect(try await replica.holidays().count == 2)
        let own = try await replica.send(.get, "/files/demo/own.txt")
        #expect(own.status == 403)
        #expect(own.json.object?["code"] == 119)
        #expect(try await replica.send(.get, "/files/demo/other.txt").json == ["status": "ok"])
    }

    @Test func damageInTheDatabaseIsLoggedAtTheStart() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try await Daemon(directory)
        let id = try await daemon.create(["name": "a"])
        #expect(daemon.end(SIGTERM) == 0)
        try await DatabaseQueue(path: directory.path + "/tidegate.sqlite").writeWithoutTransaction {
            try $0.execute(sql: "UPDATE objects SET view = substr(view, 1, 30) WHERE id = ?", arguments: [id])
        }
        let run = try Run(["serve", "--data", directory.path, "--listen", "127.0.0.1:0"])
        var isNamed = false
        for await line in run.output where line.contains("the object \(id) of Holiday is damaged") {
            isNamed = true
            break
        }
        #expect(isNamed)
        kill(run.process.processIdentifier, SIGTERM)
        run.process.waitUntilExit()
    }
}
