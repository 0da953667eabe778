import ArgumentParser
import Foundation
import Gateway
import LocalStore
import Logging

/// The options that select the gateway of a command, and the rights of its requests.
struct ConnectionOptions: ParsableArguments {
    static let explanation = """
        Works on the gateway at --url, or on the gateway of a data directory (--data): the running one, or the file of a \
        stopped one, by the same rules. Without --session-file, requests have the rights of the gateway's master key, if \
        the key is found: --master-key, TIDEGATE_LOCAL_MASTER_KEY, or the file master-key in the data directory of a \
        gateway on this machine.
        """

    @Option(
        help: ArgumentHelp("The URL of the gateway. Default: http://127.0.0.1:1338. (TIDEGATE_URL)", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("The data directory of a running or stopped gateway.", valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "A PEM file with the authorities of the gateway's certificate, or with its self-signed certificate. (TIDEGATE_CA)",
            valueName: "file"))
    var ca: String?

    @Option(help: ArgumentHelp("The gateway's master key. Safer: TIDEGATE_LOCAL_MASTER_KEY.", valueName: "key"))
    var masterKey: String?

    @Option(
        help: ArgumentHelp(
            "A file with a user's session token. Requests then have the user's rights.", valueName: "file"))
    var sessionFile: String?

    @Option(
        help: ArgumentHelp(
            "The gateway's access key, if it requires one. Safer: TIDEGATE_ACCESS_KEY.", valueName: "key"))
    var accessKey: String?

    @Option(
        help: ArgumentHelp(
            "The application id, if the gateway requires one. (TIDEGATE_LOCAL_APP_ID)", valueName: "id"))
    var appId: String?

    @Option(
        help: ArgumentHelp(
            "The REST key for clients, if the gateway requires one. Safer: TIDEGATE_LOCAL_REST_KEY.", valueName: "key"))
    var restKey: String?

    /// The rights that a command needs.
    enum Rights {
        /// Those of the session, or of no user.
        case user
        /// Those of the session, or of the master key if it is found and the gateway accepts it, or of no user.
        case best
        /// Those of the master key.
        case owner
    }

    /// The gateway that the options select.
    enum Place {
        /// - Parameter directory: the data directory of `--data`; nil if the options name a URL.
        case running(GatewayAddress, directory: String?)
        case stopped(directory: String)
    }

    func validate() throws {
        if let url, !Self.isURL(url) { throw ValidationError("--url must begin with http:// or https://") }
        if data != nil, url != nil { throw ValidationError("--data and --url name two gateways: leave one out") }
        if sessionFile != nil, masterKey != nil {
            throw ValidationError("--session-file and --master-key name two rights: leave one out")
        }
    }

    /// - Throws: `ConfigurationError` if the variable TIDEGATE_URL has a URL of another scheme.
    func place(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> Place {
        if let data {
            let directory = StandardDirectories.live(environment: environment).absolute(data)
            return switch DirectoryGateway(in: directory, stores: LocalStoreKind()) {
            case .running(let address): .running(address, directory: directory)
            case .stopped: .stopped(directory: directory)
            }
        }
        let url = Self.given(url, or: "TIDEGATE_URL", environment) ?? "http://\(ListenAddress.standard)"
        guard Self.isURL(url) else { throw ConfigurationError("TIDEGATE_URL must begin with http:// or https://") }
        let address = GatewayAddress(
            url: url.hasSuffix("/") ? String(url.dropLast()) : url, caFile: try authorities(environment))
        return .running(address, directory: nil)
    }

    /// A client of the selected gateway, which may be a stopped one.
    /// - Parameter stallTimeout: the maximum time without progress of a request to a running gateway.
    /// - Throws: `ConfigurationError`, `GatewayError` or `GatewayClientError`.
    func client(
        _ rights: Rights = .best, stallTimeout: Duration = Self.stallTimeout,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws -> GatewayClient {
        switch try place(environment: environment) {
        case .running(let address, let directory):
            return try await client(rights, at: address, directory, stallTimeout, environment)
        case .stopped(let directory):
            let stopped = try await StoppedGateway(in: directory, stores: LocalStoreKind(), logger: Self.quietLogger)
            guard let token = try sessionToken() else { return stopped.client }
            return try stopped.client(sessionToken: token)
        }
    }

    /// A client of the selected gateway, which must run.
    /// - Throws: as ``client(_:environment:)``; `ConfigurationError` for a stopped gateway.
    func runningClient(
        _ rights: Rights, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws -> GatewayClient {
        guard case .running(let address, let directory) = try place(environment: environment) else {
            throw StoppedError(directory: data ?? "")
        }
        return try await client(rights, at: address, directory, Self.stallTimeout, environment)
    }

    static let stallTimeout = Duration.seconds(30)

    /// The log of commands on a stopped gateway.
    static var quietLogger: Logger {
        var logger = Logger(label: "tidegate")
        logger.logLevel = .error
        return logger
    }

    private func client(
        _ rights: Rights, at address: GatewayAddress, _ directory: String?, _ stallTimeout: Duration,
        _ environment: [String: String]
    ) async throws -> GatewayClient {
        var credentials = GatewayCredentials(
            accessKey: Self.given(accessKey, or: Setting.accessKey.variable, environment))
        credentials.applicationId = Self.given(appId, or: Setting.localAppId.variable, environment)
        credentials.clientKey = Self.given(restKey, or: Setting.localRestKey.variable, environment)
        credentials.sessionToken = try sessionToken()
        let key = sessionFile == nil ? ownerKey(of: address.url, directory, environment) : nil
        func client(_ credentials: GatewayCredentials) -> GatewayClient {
            GatewayClient(address, credentials: credentials, stallTimeout: stallTimeout)
        }
        switch rights {
        case .user: return client(credentials)
        case .owner:
            guard let key else {
                throw ConfigurationError(
                    "the gateway's master key is unknown: set \(Setting.localMasterKey.variable), or name the data "
                        + "directory of the gateway with --data")
            }
            credentials.masterKey = key
            return client(credentials)
        case .best:
            guard let key else { return client(credentials) }
            var owners = credentials
            owners.masterKey = key
            let owner = client(owners)
            if try await owner.hasMasterKey() { return owner }
            if masterKey != nil {
                throw ConfigurationError("the gateway at \(address.url) does not accept the master key")
            }
            // A key that was found, not given, may belong to another gateway.
            return client(credentials)
        }
    }

    /// The master key: the given one, or else the one in the environment, or else the content of the file `master-key` in the
    /// data directory. Nil if there is none. The key of the file is sent to gateways on this machine only.
    private func ownerKey(of url: String, _ directory: String?, _ environment: [String: String]) -> String? {
        if let key = Self.given(masterKey, or: Setting.localMasterKey.variable, environment) { return key }
        let directories = StandardDirectories.live(environment: environment)
        let standard =
            Self.given(nil, or: Setting.data.variable, environment).map(directories.absolute)
            ?? directories.data(named: "tidegate")
        guard directory != nil || ListenAddress.isLoopback(url: url), let place = directory ?? standard,
            let content = FileManager.default.contents(atPath: place + "/master-key")
        else { return nil }
        let key = String(decoding: content, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return key.isEmpty ? nil : key
    }

    /// The path of the file of `--ca`; nil for the authorities of the system.
    /// - Throws: `ConfigurationError` if the file cannot be read.
    private func authorities(_ environment: [String: String]) throws -> String? {
        guard let file = Self.given(ca, or: "TIDEGATE_CA", environment) else { return nil }
        let path = StandardDirectories.live(environment: environment).absolute(file)
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw ConfigurationError("--ca: cannot read \(path)")
        }
        return path
    }

    private static func isURL(_ text: String) -> Bool { text.hasPrefix("http://") || text.hasPrefix("https://") }

    private static func given(_ option: String?, or variable: String, _ environment: [String: String]) -> String? {
        option ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The token in the session file; nil without one.
    /// - Throws: `ConfigurationError` if the file cannot be read or holds no token.
    func sessionToken() throws -> String? {
        guard let file = sessionFile else { return nil }
        guard let content = FileManager.default.contents(atPath: file) else {
            throw ConfigurationError("--session-file: cannot read \(file)")
        }
        let token = String(decoding: content, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ConfigurationError("--session-file: \(file) holds no session token")
        }
        return token
    }
}

/// No gateway runs in a data directory, and the command needs a running one.
struct StoppedError: Error, CustomStringConvertible {
    let directory: String
    var description: String { "no gateway runs in \(directory): start it with 'tidegate serve --data \(directory)'" }
}
