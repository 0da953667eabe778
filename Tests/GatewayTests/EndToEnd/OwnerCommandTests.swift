import Foundation
import ParseModel
import Testing

/// Tests the commands `tidegate user` and `tidegate role` on a running gateway, and on the data directory of a stopped
/// one.
@Suite("Commands tidegate user and tidegate role", .serialized, .timeLimit(.minutes(5)))
struct OwnerCommandTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func run(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) async throws -> (lines: [String], code: Int32) {
        try await Run.ending(arguments, environment: environment, input: input)
    }

    /// Starts and stops a gateway, so that the directory has a database and a master key.
    private func prepared() async throws { try await Daemon(directory).end(SIGTERM) }

    @Test(arguments: [true, false])
    func roleCommandAddsListsAndRemovesRolesAndMembers(isRunning: Bool) async throws {
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

    /// Parse clients of this gateway must send an application id and a key. The commands `user` and `role` need
    /// neither.
    @Test func userAndRoleCommandsNeedNoClientKeyOfARunningGateway() async throws {
        let daemon = try await Daemon(
            directory, ["--local-app-id", "app", "--local-rest-key", "rest", "--access-key", "access"])
        let place = ["--url", daemon.url]
        let environment = ["TIDEGATE_DATA": directory.path]
        let added = try await run(["user", "add", "ada"] + place, environment: environment, input: "sesame\n")
        #expect(added.lines == ["Added the user ada."])
        let password = try await run(["user", "passwd", "ada"] + place, environment: environment, input: "open up\n")
        #expect(password.lines == ["Set the password of ada."])
        #expect(try await run(["user", "list"] + place, environment: environment).lines == ["ada"])
        #expect(try await run(["role", "list"] + place, environment: environment).code == 0)
    }

    @Test func userAndRoleCommandsRefuseTheDataDirectoryOfAReplica() async throws {
        let world = try await PeopleWorld()
        world.stopReplica(SIGTERM)
        for command in [["user", "list"], ["role", "list"]] {
            let (lines, code) = try await run(command + ["--data", world.replicaDirectory.path])
            #expect(code == 1)
            #expect(lines.last?.contains("is the data directory of a replica of \(world.hub.url)") == true, "\(lines)")
        }
    }

    @Test(arguments: [true, false])
    func userCommandAddsLocksAndRemovesUsersAndSetsPasswords(isRunning: Bool) async throws {
        try await prepared()
        var daemon = isRunning ? try await Daemon(directory) : nil
        let place = daemon.map { ["--url", $0.url] } ?? ["--data", directory.path]
        let environment = isRunning ? ["TIDEGATE_DATA": directory.path] : [:]
        let none = try await run(["user", "add", "ada"] + place, environment: environment)
        #expect(none.code == 1 && none.lines.last?.contains("a password is required") == true)
        let added = try await run(
            ["user", "add", "ada", "--email", "ada@example.org"] + place, environment: environment, input: "sesame\n")
        #expect(added.lines == ["Added the user ada."])
        let password = try await run(["user", "passwd", "ada"] + place, environment: environment, input: "open up\n")
        #expect(password.lines == ["Set the password of ada."])
        _ = try await run(["user", "add", "grace"] + place, environment: environment, input: "sesame\n")
        #expect(try await run(["user", "lock", "grace"] + place, environment: environment).code == 0)
        let list = try await run(["user", "list"] + place, environment: environment)
        #expect(list.lines == ["ada  ada@example.org", "grace  locked"])
        let role = try await run(["role", "add", "editors"] + place, environment: environment)
        #expect(role.code == 0)
        let editors = try await run(
            ["role", "members", "editors", "--add-user", "ada"] + place, environment: environment)
        #expect(editors.lines == ["user  ada"])
        if daemon == nil { daemon = try await Daemon(directory) }
        let gateway = try #require(daemon)
        let key = ["TIDEGATE_DATA": directory.path]
        #expect(try await logIn(gateway, "ada", "open up") == 200)
        #expect(try await logIn(gateway, "ada", "sesame") == 404)
        #expect(try await logIn(gateway, "grace", "sesame") == 404)
        let url = ["--url", gateway.url]
        #expect(try await run(["user", "unlock", "grace"] + url, environment: key).code == 0)
        #expect(try await logIn(gateway, "grace", "sesame") == 200)
        #expect(try await run(["user", "remove", "ada"] + url, environment: key).code == 0)
        #expect(try await logIn(gateway, "ada", "open up") == 404)
    }

    private func logIn(_ daemon: Daemon, _ name: String, _ password: String) async throws -> Int {
        try await daemon.send(.post, "/login", ["username": .string(name), "password": .string(password)]).status
    }

    @Test func userAndRoleCommandsReachTheGatewayThatRunsInADataDirectory() async throws {
        let daemon = try await Daemon(directory)
        let added = try await run(["user", "add", "ada", "--data", directory.path], input: "sesame\n")
        #expect(added.lines == ["Added the user ada."])
        #expect(try await logIn(daemon, "ada", "sesame") == 200)
    }

    /// The gateway has no address yet, or another program uses the directory.
    @Test func dataDirectoryInUseWithoutAnAddressIsRefused() async throws {
        let daemon = try await Daemon(directory)
        try FileManager.default.removeItem(atPath: directory.path + "/address")
        let answer = try await run(["role", "list", "--data", directory.path])
        #expect(answer.code == 1 && answer.lines.joined().contains("in use"))
        withExtendedLifetime(daemon) {}
    }

    @Test func addressThatAKilledGatewayHasLeftIsIgnored() async throws {
        try await Daemon(directory).end(SIGKILL)
        #expect(FileManager.default.fileExists(atPath: directory.path + "/address"))
        #expect(try await run(["role", "list", "--data", directory.path]).code == 0)
    }

    @Test func userAndRoleCommandsRefuseAPathThatIsNoDataDirectory() async throws {
        let answer = try await run(["user", "list", "--data", directory.path + "/nothing"])
        #expect(answer.code == 1 && answer.lines.joined().contains("is not the data directory"))
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/nothing"))
    }

    @Test func userAndRoleCommandsNeedTheMasterKeyOfARunningGateway() async throws {
        let daemon = try await Daemon(directory)
        let without = try await run(["user", "list", "--url", daemon.url])
        #expect(without.code == 1 && without.lines.joined().contains("TIDEGATE_LOCAL_MASTER_KEY"))
        let wrong = try await run(
            ["user", "list", "--url", daemon.url], environment: ["TIDEGATE_LOCAL_MASTER_KEY": "wrong"])
        #expect(wrong.code == 1 && wrong.lines.joined().contains("check the master key"))
        let both = try await run(["user", "list", "--url", daemon.url, "--data", directory.path])
        #expect(both.code != 0 && both.lines.joined().contains("--data and --url name two gateways"))
        withExtendedLifetime(daemon) {}
    }
}
