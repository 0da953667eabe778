import ArgumentParser
import Gateway

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

    func run() async throws {
        let configuration = try options.load()
        Console.say("✓ The settings can be used. Data directory: \(configuration.dataDirectory)")
        var isWhole = true
        if checkFile {
            let damage = try await Doctor.checkFile(in: configuration.dataDirectory)
            for line in damage { Console.say("✗ \(line)") }
            if damage.isEmpty { Console.say("✓ The SQLite file shows no damage.") }
            isWhole = damage.isEmpty
        }
        guard let remote = configuration.remote else {
            Console.say("✓ No remote is set: the gateway is standalone, and there is nothing else to check.")
            if !isWhole { throw ExitCode.failure }
            return
        }
        Console.say("  Remote: \(remote.url)")
        let report = DoctorReport(
            await Doctor.diagnose(remote, classes: configuration.classes), hasRestKey: remote.restKey != nil,
            classes: configuration.classes)
        for line in report.lines { Console.say(line) }
        if !report.isHealthy || !isWhole { throw ExitCode.failure }
    }
}
