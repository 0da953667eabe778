import ArgumentParser
import Gateway
import LocalStore
import ParseModel

/// `tidegate doctor`: checks the remote and the local file.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks the configuration and the remote.",
        discussion: """
            Takes the settings of 'serve' from the same three places. Checks whether the remote is reachable, whether it \
            accepts the keys, and which classes or tables it has. With --check-file it also checks the \
            local file for damage. It never changes that file. The exit code is 1 if a check fails.

            \(GatewayOptions.precedence)
            """)

    @OptionGroup var options: GatewayOptions

    @Flag(help: "Also check the SQLite file for damage. The file may be in use.")
    var checkFile = false

    @Flag(help: "Print the findings as JSON.")
    var json = false

    func run() async throws {
        let configuration = try options.load(for: Self.self)
        let damage =
            checkFile ? try await Doctor.checkFile(in: configuration.dataDirectory, stores: LocalStoreKind()) : nil
        let rights = try Doctor.rights(in: configuration.dataDirectory, stores: LocalStoreKind())
        let users = try Doctor.users(in: configuration.dataDirectory, stores: LocalStoreKind())
        let people = try Doctor.people(configuration, stores: LocalStoreKind())
        let ids = try Doctor.replacedIds(in: configuration.dataDirectory, stores: LocalStoreKind())
        let report = try await Doctor.diagnose(configuration, stores: LocalStoreKind()).map(DoctorReport.init)
        let isHealthy = report?.isHealthy != false && damage?.isEmpty != false
        if json {
            let found: JSONObject = [
                "healthy": .bool(isHealthy), "dataDirectory": .string(configuration.dataDirectory),
                "damage": damage.map { .array($0.map(JSONValue.string)) } ?? .null,
                "remote": configuration.remote.map { .string($0.url) } ?? .null,
                "notes": .array((configuration.notes + configuration.warnings).map(JSONValue.string)),
                "findings": .array(report?.json ?? []), "rights": .array(rights.map(JSONValue.string)),
                "users": .array(users.map(JSONValue.string)), "people": .array(people.map(JSONValue.string)),
                "replacedIds": .array(ids.map(JSONValue.string)),
            ]
            Console.print(found.jsonText)
        } else {
            print(configuration, damage, rights, users, people + ids, report)
        }
        if !isHealthy { throw ExitCode.failure }
    }

    private func print(
        _ configuration: GatewayConfiguration, _ damage: [String]?, _ rights: [String], _ users: [String],
        _ replica: [String], _ report: DoctorReport?
    ) {
        Console.print("✓ The configuration is valid. Data directory: \(configuration.dataDirectory)")
        for warning in configuration.warnings { Console.print("! \(warning)") }
        for note in configuration.notes { Console.print("  \(note)") }
        if let damage {
            for line in damage { Console.print("✗ \(line)") }
            if damage.isEmpty { Console.print("✓ The SQLite file shows no damage.") }
        }
        for line in rights + users { Console.print("  In this standalone gateway, \(line)") }
        for line in replica { Console.print("  In this replica, \(line)") }
        guard let remote = configuration.remote, let report else {
            Console.print("✓ No remote is configured: the gateway is standalone. There is nothing else to check.")
            return
        }
        Console.print("  Remote: \(remote.url)")
        for line in report.lines { Console.print(line) }
    }
}
