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
            local file for damage. It never changes that file. With --settings-only it checks nothing but the settings, \
            and asks no remote. The exit code is 1 if a check fails.

            \(GatewayOptions.precedence)
            """)

    @OptionGroup var options: GatewayOptions

    @Flag(help: "Also check the SQLite file for damage. The file may be in use.")
    var checkFile = false

    @Flag(help: "Check only the settings, as before a reload of the service.")
    var settingsOnly = false

    @Flag(help: "Print the findings as JSON.")
    var json = false

    func validate() throws {
        if checkFile, settingsOnly {
            throw ValidationError("--settings-only leaves the file alone: leave out --check-file")
        }
    }

    func run() async throws {
        let configuration = try options.load(for: Self.self)
        if settingsOnly { return printSettings(configuration) }
        let found = try await DoctorFindings(configuration, includesFile: checkFile, stores: LocalStoreKind())
        if json { Console.print(found.json.jsonText) } else { print(configuration, found) }
        if !found.isHealthy { throw ExitCode.failure }
    }

    private func printSettings(_ configuration: GatewayConfiguration) {
        if json { return Console.print(DoctorFindings.settings(configuration).jsonText) }
        Console.print("✓ The configuration is valid. Data directory: \(configuration.dataDirectory)")
        for warning in configuration.warnings { Console.print("! \(warning)") }
        for note in configuration.notes { Console.print("  \(note)") }
    }

    private func print(_ configuration: GatewayConfiguration, _ found: DoctorFindings) {
        printSettings(configuration)
        if let damage = found.damage {
            for line in damage { Console.print("✗ \(line)") }
            if damage.isEmpty { Console.print("✓ The SQLite file shows no damage.") }
        }
        for line in found.rights + found.users { Console.print("  In this standalone gateway, \(line)") }
        for line in found.people + found.replacedIds { Console.print("  In this replica, \(line)") }
        guard let remote = configuration.remote, let findings = found.remote else {
            Console.print("✓ No remote is configured: the gateway is standalone. There is nothing else to check.")
            return
        }
        Console.print("  Remote: \(remote.url)")
        for line in DoctorReport(findings).lines { Console.print(line) }
    }
}
