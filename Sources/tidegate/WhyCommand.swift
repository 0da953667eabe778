import ArgumentParser
import Foundation
import Gateway
import LocalStore
import Logging
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
            directory of a stopped gateway (--data). With --user, the data of one user of a personal replica.
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("The gateway's master key. Safer: TIDEGATE_LOCAL_MASTER_KEY.", valueName: "key"))
    var masterKey: String?

    @Option(help: ArgumentHelp("The data directory of a gateway that does not run.", valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("A user of a personal replica: the id, or the name.", valueName: "user"))
    var user: String?

    @Flag(help: "Print the answer as JSON, or {\"error\": …}.") var json = false

    @Argument(help: ArgumentHelp("The object: its class and its id.", valueName: "class/id"))
    var object: ObjectName

    func validate() throws {
        if data != nil, options.url != nil || masterKey != nil {
            throw ValidationError("--data is for a stopped gateway: leave out --url and --master-key")
        }
    }

    func run() async throws {
        do {
            let life = try await life()
            Console.print(json ? life.jsonText : Self.text(life))
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    private func life() async throws -> JSONObject {
        let environment = ProcessInfo.processInfo.environment
        let directories = StandardDirectories.live(environment: environment)
        if let data {
            var logger = Logger(label: "tidegate")
            logger.logLevel = .error
            return try StoppedLives(
                directory: directories.absolute(data), user: user, stores: LocalStoreKind(), logger: logger
            ).life(of: object.className, object.objectId)
        }
        let key = OwnerKey.found(masterKey, environment, directories)
        if user != nil, key == nil {
            throw ConfigurationError("--user needs the gateway's master key: set \(Setting.localMasterKey.variable)")
        }
        do {
            return try await RunningLives(options.client(masterKey: key)).life(
                of: object.className, object.objectId, user: user)
        } catch GatewayClientError.refused(status: 403, _, _) where masterKey == nil && user == nil && key != nil {
            // The key that was found may belong to another gateway.
            return try await RunningLives(options.client()).life(of: object.className, object.objectId, user: nil)
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

/// The class and the id of an object on the command line: `Holiday/9vKXp2nQwR`.
struct ObjectName: ExpressibleByArgument {
    let className: String
    let objectId: String

    /// - Parameter argument: `Class/id`, or the path of the object in the API.
    init?(argument: String) {
        let path = argument.hasPrefix("/classes/") ? String(argument.dropFirst("/classes/".count)) : argument
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        (className, objectId) = (parts[0], parts[1])
    }
}
