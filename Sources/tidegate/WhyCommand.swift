import ArgumentParser
import Gateway
import LocalStore
import ParseModel

/// `tidegate why`: prints the life of one object.
struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Tells the life of one object in plain lines, and why it is not shown.",
        discussion: """
            Shows when the object was created or pulled, its waiting, sent, refused and decided changes, and the reasons why clients \
            do not see it. The gateway knows only what its file keeps; the output names what is unknown.

            Asks a running gateway (--url), with its master key if the key is found as for 'tidegate status', or reads the data \
            directory of a running or stopped gateway (--data). With --user, the data of one user of a personal replica. \
            The exit code is 1 if nothing is known of the object.
            """)

    @OptionGroup var options: ConnectionOptions

    @Option(help: ArgumentHelp("A user of a personal replica: the id, or the name.", valueName: "user"))
    var user: String?

    @Flag(help: "Print the answer as JSON, or {\"error\": …}.") var json = false

    @Argument(help: ArgumentHelp("The object: its class and its id.", valueName: "class/id"))
    var object: ObjectName

    func run() async throws {
        do {
            let life = try await life()
            Console.print(json ? life.jsonText : Self.text(life))
            // Each stored object, change and deletion has a line with a time.
            let lines = life["lines"]?.array?.compactMap(\.object) ?? []
            if !lines.contains(where: { $0["at"]?.string != nil }) { throw ExitCode.failure }
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    private func life() async throws -> JSONObject {
        switch try options.place() {
        case .stopped(let directory):
            return try StoppedLives(
                directory: directory, user: user, stores: LocalStoreKind(), logger: ConnectionOptions.quietLogger
            ).life(of: object.className, object.objectId)
        case .running:
            let client = try await options.client(user == nil ? .best : .owner)
            return try await RunningLives(client).life(of: object.className, object.objectId, user: user)
        }
    }

    /// The lines, each with its time.
    static func text(_ life: JSONObject) -> String {
        let lines = life["lines"]?.array?.compactMap(\.object) ?? []
        return lines.map { line in
            let at = line["at"]?.string ?? ""
            return at + String(repeating: " ", count: max(0, 24 - at.count)) + "  " + (line["text"]?.string ?? "")
        }.joined(separator: "\n")
    }
}
