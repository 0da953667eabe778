import Foundation
import ParseModel
import Testing

/// `tidegate user` and `tidegate role`, on a running gateway and on a stopped one's data directory.
@Suite("Commands of the owner", .serialized, .timeLimit(.minutes(2)))
struct OwnerCommandTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func run(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (lines: [String], code: Int32) { try await Run.ending(arguments, environment: environment) }

    /// Starts a gateway once, so that the directory has a file and a master key.
    private func prepared() async throws { try await Daemon(directory).end(SIGTERM) }

    @Test(arguments: [true, false])
    func rolesAndTheirMembers(isRunning: Bool) async throws {
        try await prepared()
        let daemon = isRunning ? try await Daemon(directory) : nil
        let place = daemon.map { ["--url", $0.url] } ?? ["--data", directory.path]
        let environment = isRunning ? ["TIDEGATE_DATA": directory.path] : [:]
        for name in ["editors", "chiefs"] {
            let added = try await run(["role", "add", name] + place, environment: environment)
            #expect(added.lines == ["Added the role \(name)."] && added.code == 0)
        }
        let twice = try await run(["role", "add", "chiefs"] + place, environment: environment)
        #expect(twice.code == 1 && twice.lines.joined().contains("duplicate value"))
        let members = try await run(
            ["role", "members", "editors", "--add-role", "chiefs"] + place, environment: environment)
        #expect(members.lines == ["role  chiefs"])
        let unknown = try await run(
            ["role", "members", "editors", "--add-user", "ada"] + place, environment: environment)
        #expect(unknown.code == 1 && unknown.lines.last?.contains("there is no user ada") == true)
        let removed = try await run(
            ["role", "members", "editors", "--remove-role", "chiefs", "--json"] + place, environment: environment)
        #expect(removed.lines == [#"{"name":"editors","users":[],"roles":[]}"#])
        _ = try await run(["role", "remove", "chiefs"] + place, environment: environment)
        let list = try await run(["role", "list"] + place, environment: environment)
        #expect(list.lines == ["editors"])
        withExtendedLifetime(daemon) {}
    }

    @Test func aDirectoryInUseIsRefused() async throws {
        let daemon = try await Daemon(directory)
        let answer = try await run(["role", "list", "--data", directory.path])
        #expect(answer.code == 1 && answer.lines.joined().contains("in use"))
        withExtendedLifetime(daemon) {}
    }

    @Test func anotherDirectoryIsRefusedAndStaysAsItIs() async throws {
        let answer = try await run(["user", "list", "--data", directory.path + "/nothing"])
        #expect(answer.code == 1 && answer.lines.joined().contains("is not the data directory"))
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/nothing"))
    }

    @Test func aRunningGatewayNeedsItsMasterKey() async throws {
        let daemon = try await Daemon(directory)
        let without = try await run(["user", "list", "--url", daemon.url])
        #expect(without.code == 1 && without.lines.joined().contains("TIDEGATE_LOCAL_MASTER_KEY"))
        let wrong = try await run(
            ["user", "list", "--url", daemon.url], environment: ["TIDEGATE_LOCAL_MASTER_KEY": "wrong"])
        #expect(wrong.code == 1 && wrong.lines.joined().contains("master key is required"))
        let both = try await run(["user", "list", "--url", daemon.url, "--data", directory.path])
        #expect(both.code != 0 && both.lines.joined().contains("--data is for a stopped gateway"))
        withExtendedLifetime(daemon) {}
    }
}
