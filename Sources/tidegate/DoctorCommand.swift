import ArgumentParser
import Gateway
import LocalStore
import ParseModel

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks the settings and the remote.",
        discussion: """
            Takes the settings of 'serve', from the same three places, and asks the remote: can it be reached, are the \
            keys right, does it accept ids that a client has chosen, which classes exist. With --check-file it looks \
            for damage in the local file. Changes nothing in that file. Ends with exit code 1 where something is wrong.

            \(GatewayOptions.precedence)
            """)

    @OptionGroup var options: GatewayOptions

    @Flag(help: "Also look for damage in the SQLite file; it may be in use.")
    var checkFile = false

    @Flag(help: "Print the findings as JSON, for other programs.")
    var json = false

    func run() async throws {
        let configuration = try options.load()
        let damage =
            checkFile ? try await Doctor.checkFile(in: configuration.dataDirectory, stores: LocalStoreKind()) : nil
        var report: DoctorReport?
        if let remote = configuration.remote {
            report = DoctorReport(
                await Doctor.diagnose(remote, classes: configuration.classes), hasRestKey: remote.restKey != nil,
                classes: configuration.classes)
        }
        let isHealthy = report?.isHealthy != false && damage?.isEmpty != false
        if json {
            let found: JSONObject = [
                "healthy": .bool(isHealthy), "dataDirectory": .string(configuration.dataDirectory),
                "damage": damage.map { .array($0.map(JSONValue.string)) } ?? .null,
                "remote": configuration.remote.map { .string($0.url) } ?? .null,
                "notes": .array((configuration.notes + configuration.warnings).map(JSONValue.string)),
                "findings": .array(report?.json ?? []),
            ]
            Console.say(found.jsonText)
        } else {
            say(configuration, damage, report)
        }
        if !isHealthy { throw ExitCode.failure }
    }

    private func say(_ configuration: GatewayConfiguration, _ damage: [String]?, _ report: DoctorReport?) {
        Console.say("✓ The settings can be used. Data directory: \(configuration.dataDirectory)")
        for warning in configuration.warnings { Console.say("! \(warning)") }
        for note in configuration.notes { Console.say("  \(note)") }
        if let damage {
            for line in damage { Console.say("✗ \(line)") }
            if damage.isEmpty { Console.say("✓ The SQLite file shows no damage.") }
        }
        guard let remote = configuration.remote, let report else {
            Console.say("✓ No remote is set: the gateway is standalone, and there is nothing else to check.")
            return
        }
        Console.say("  Remote: \(remote.url)")
        for line in report.lines { Console.say(line) }
    }
}
