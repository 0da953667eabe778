import ArgumentParser
import Gateway

@main
struct Tidegate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tidegate",
        abstract: "A local Parse API that works offline and syncs with a remote Parse Server.",
        discussion: """
            Every program on this machine talks to Tidegate as to a Parse Server, and gets its answer from a local \
            SQLite file, online or not. In the background Tidegate keeps that file and the remote in step.

            Start here:
              tidegate demo      two gateways with sample data, to play with
              tidegate serve     the gateway; standalone, or a replica of --remote
              tidegate doctor    can the remote be reached, and are the keys right?
            """,
        version: Version.text,
        subcommands: [
            ServeCommand.self, DemoCommand.self, SyncCommand.self, StatusCommand.self, DoctorCommand.self,
        ])

    /// As the library's own, but for a command line that cannot be understood: one line says why.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            let reason = message(for: error).split(whereSeparator: \.isNewline).joined(separator: " ")
            Console.complain("Error: \(reason) (see tidegate --help)")
            exit(withError: ExitCode.validationFailure)
        }
    }
}
