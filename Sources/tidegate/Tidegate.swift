import ArgumentParser
import Gateway

/// The program's root command.
@main
struct Tidegate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tidegate",
        abstract: "A local Parse API that works offline and syncs with a remote Parse Server.",
        discussion: """
            Programs on this machine use Tidegate like a Parse Server. It answers from a local SQLite file, online and \
            offline. In the background it syncs that file with the remote.

            Start here:
              tidegate demo      two gateways with sample data
              tidegate serve     the gateway: standalone, or a replica of --remote
              tidegate doctor    checks the connection and the keys of the remote
              tidegate list      the objects of a class; get, put and delete read and change one
            """,
        version: Version.text,
        subcommands: [
            ServeCommand.self, DemoCommand.self, SyncCommand.self, StatusCommand.self, DoctorCommand.self,
            WhyCommand.self,
            UserCommand.self, RoleCommand.self, ServiceCommand.self,
            GetCommand.self, ListCommand.self, PutCommand.self, DeleteCommand.self, ClassesCommand.self,
            PendingCommand.self, ConflictsCommand.self, RejectionsCommand.self, RemovalsCommand.self,
            OpenCommand.self, TypesCommand.self,
            ExportCommand.self, ImportCommand.self, BackupCommand.self, RestoreCommand.self, CheckCommand.self,
            CompactCommand.self,
        ])

    /// Replaces the `main` of ArgumentParser, so that an invalid command line prints an error of one line.
    static func main() async {
        // On Linux, Swift reads the arguments from /proc, and has none without it.
        guard !CommandLine.arguments.isEmpty else {
            Console.printError("Error: the command line cannot be read, because /proc is not mounted")
            exit(withError: ExitCode.failure)
        }
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            if let line = Self.line(of: error) {
                Console.printError("Error: \(line)")
                exit(withError: ExitCode(of: error))
            }
            guard exitCode(for: error) == .validationFailure else {
                let isHelp = CommandLine.arguments.contains { ["help", "--help", "-h"].contains($0) }
                ShownSettings.$areCommon.withValue(isHelp) { exit(withError: error) }
            }
            let reason = message(for: error).split(whereSeparator: \.isNewline).joined(separator: " ")
            Console.printError("Error: \(reason) (see tidegate --help)")
            exit(withError: ExitCode.validationFailure)
        }
    }

    /// The line about an error that a command has thrown; nil for the errors of ArgumentParser, which has texts for them.
    private static func line(of error: any Error) -> String? {
        guard
            error is ConfigurationError || error is GatewayError || error is GatewayClientError || error is StoppedError
        else { return nil }
        return "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
