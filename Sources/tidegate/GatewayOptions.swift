import ArgumentParser
import Foundation
import Gateway

/// The options of `serve` and `doctor`: the file of settings, and all settings.
struct GatewayOptions: ParsableArguments {
    static let precedence = """
        Settings come from three places. The command line overrides the environment, and the environment overrides the \
        YAML file of --config. The names match: --pull-interval is TIDEGATE_PULL_INTERVAL in the environment and \
        'pull-interval:' in the file. --help-all lists all settings. A remote that was \
        chosen on the page counts if none of the three names a remote.

        Other users of this machine can see command-line arguments (ps). Set keys in the environment, for \
        example in TIDEGATE_ACCESS_KEY, or in a file that only you can read.
        """

    @Option(help: ArgumentHelp("The YAML file of settings. (TIDEGATE_CONFIG)", valueName: "file"))
    var config: String?

    @Flag(help: "Show the help with all settings.")
    var helpAll = false

    @OptionGroup(title: ProcessSettings.title) var process: SettingOptions<ProcessSettings>
    @OptionGroup(title: RemoteSettings.title) var remote: SettingOptions<RemoteSettings>
    @OptionGroup(title: ClientSettings.title) var clients: SettingOptions<ClientSettings>
    @OptionGroup(title: FileSettings.title) var files: SettingOptions<FileSettings>
    @OptionGroup(title: ReplicaUserSettings.title) var replicaUsers: SettingOptions<ReplicaUserSettings>
    @OptionGroup(title: LogInSettings.title) var logIns: SettingOptions<LogInSettings>
    @OptionGroup(title: ParseServerSettings.title) var parseServer: SettingOptions<ParseServerSettings>
    @OptionGroup var removed: SettingOptions<RemovedSettings>

    /// The values on the command line, by setting.
    var arguments: [Setting: [String]] {
        let groups = [
            process.values, remote.values, clients.values, files.values, replicaUsers.values, logIns.values,
            parseServer.values, removed.values,
        ]
        return groups.reduce(into: [:]) { $0.merge($1) { one, _ in one } }
    }

    /// Reads the configuration from the command line, the environment and the configuration file.
    /// - Parameter command: the command with these options.
    /// - Throws: `ConfigurationError` for an invalid setting; `CleanExit` with the help of the command for `--help-all`.
    func load(for command: any ParsableCommand.Type) throws -> GatewayConfiguration {
        if helpAll { throw CleanExit.message(Tidegate.helpMessage(for: command, columns: nil)) }
        // In the environment and in the file, an empty value counts as absent. On the command line, an empty value is an error.
        for (setting, texts) in arguments where texts.contains("") {
            throw ConfigurationError("\(setting.option) needs a value")
        }
        let environment = ProcessInfo.processInfo.environment
        return try GatewayConfiguration.load(
            arguments: arguments, environment: environment, file: config, directories: .live(environment: environment))
    }
}
