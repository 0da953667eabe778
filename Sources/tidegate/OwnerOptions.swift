import ArgumentParser
import Foundation
import Gateway
import LocalStore
import Logging

/// The options that select the gateway for a command of the person who runs it: a running gateway, or the data
/// directory of a stopped one.
struct OwnerOptions: ParsableArguments {
    static let explanation = """
        Works on a running gateway (--url) with its master key, or on the data directory of a stopped one (--data). \
        Without --master-key and TIDEGATE_LOCAL_MASTER_KEY, the key is read from the file master-key in the data directory \
        of this machine's gateway. Passwords are read from a prompt or from standard input, one line.
        """

    @OptionGroup var gateway: ClientOptions

    @Option(
        help: ArgumentHelp("The gateway's master key. Safer: TIDEGATE_LOCAL_MASTER_KEY.", valueName: "key"))
    var masterKey: String?

    @Option(
        help: ArgumentHelp("The data directory of a gateway that does not run.", valueName: "dir"))
    var data: String?

    func validate() throws {
        if data != nil, gateway.url != nil || masterKey != nil {
            throw ValidationError("--data is for a stopped gateway: leave out --url and --master-key")
        }
    }

    /// The users and roles of the selected gateway, after a check of its master key.
    /// - Throws: `ConfigurationError`, `GatewayError` or `GatewayClientError`.
    func people(environment: [String: String] = ProcessInfo.processInfo.environment) async throws -> People {
        let people = try selected(environment)
        try await people.check()
        return people
    }

    /// Exports and removes the data of users in the selected replica.
    /// - Throws: `ConfigurationError` or `GatewayError`.
    func userData(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> UserForgetting {
        let directories = StandardDirectories.live(environment: environment)
        if let data {
            return UserForgetting(
                try StoppedSpaces(
                    directory: directories.absolute(data), stores: LocalStoreKind(), logger: Self.logger))
        }
        return UserForgetting(RunningSpaces(try client(environment, directories)))
    }

    private func selected(_ environment: [String: String]) throws -> People {
        let directories = StandardDirectories.live(environment: environment)
        if let data {
            let stopped = try StoppedGateway(
                directory: directories.absolute(data), stores: LocalStoreKind(), logger: Self.logger)
            return People(stopped.client)
        }
        return People(try client(environment, directories))
    }

    /// The log of commands on a stopped gateway.
    private static var logger: Logger {
        var logger = Logger(label: "tidegate")
        logger.logLevel = .error
        return logger
    }

    /// A client of the running gateway, with its master key.
    private func client(
        _ environment: [String: String], _ directories: StandardDirectories
    ) throws -> GatewayClient {
        guard let key = OwnerKey.found(masterKey, environment, directories) else {
            throw ConfigurationError(
                "the gateway's master key is unknown: set \(Setting.localMasterKey.variable), or name the data "
                    + "directory of a stopped gateway with --data")
        }
        return try gateway.client(masterKey: key, environment: environment)
    }
}

/// Finds the master key of a gateway, for commands of the person who runs it.
enum OwnerKey {
    /// The given key, or else the key in the environment, or else the content of the file `master-key` in the standard
    /// data directory. Nil if there is none.
    static func found(_ given: String?, _ environment: [String: String], _ directories: StandardDirectories) -> String?
    {
        given ?? environment[Setting.localMasterKey.variable].flatMap { $0.isEmpty ? nil : $0 }
            ?? inFile(environment, directories)
    }

    private static func inFile(_ environment: [String: String], _ directories: StandardDirectories) -> String? {
        let named = environment[Setting.data.variable].flatMap { $0.isEmpty ? nil : directories.absolute($0) }
        guard let directory = named ?? directories.data(named: "tidegate"),
            let content = FileManager.default.contents(atPath: directory + "/master-key")
        else { return nil }
        let key = String(decoding: content, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return key.isEmpty ? nil : key
    }
}
