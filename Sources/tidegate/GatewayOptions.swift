import ArgumentParser
import Foundation
import Gateway

/// The options of `serve` and `doctor`. Further settings are read from the environment and the configuration file.
struct GatewayOptions: ParsableArguments {
    static let precedence = """
        Settings come from three places. The command line overrides the environment, and the environment overrides the \
        YAML file of --config. The names match: --pull-interval is TIDEGATE_PULL_INTERVAL in the environment and \
        'pull-interval:' in the file.

        Other users of this machine can see command-line arguments (ps). Set keys in the environment, for \
        example in TIDEGATE_ACCESS_KEY, or in a file that only you can read.
        """

    @Option(help: ArgumentHelp("The YAML file of settings. (TIDEGATE_CONFIG)", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The address to listen on. Default: 127.0.0.1:1338.", valueName: "host:port"))
    var listen: String?

    @Option(help: ArgumentHelp("The directory of the SQLite file. Default: \(Self.dataDefault).", valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The URL of the remote, such as https://example.org/parse. Without it the gateway is standalone.",
            valueName: "url"))
    var remote: String?

    @Option(
        help: ArgumentHelp(
            "The kind of the remote: parse, for a Parse Server or a standalone Tidegate, or datasync, for the tables of "
                + "Azure Mobile Apps or Community Datasync. Default: parse with --app-id, otherwise the kind that the "
                + "data directory keeps, or that the answers of the remote show.",
            valueName: "kind"))
    var remoteKind: String?

    @Option(help: ArgumentHelp("The application id of the remote.", valueName: "id"))
    var appId: String?

    @Option(help: ArgumentHelp("The remote's REST key, if it requires one.", valueName: "key"))
    var restKey: String?

    @Option(help: ArgumentHelp("The remote's master key. Rarely needed.", valueName: "key"))
    var masterKey: String?

    @Option(
        help: ArgumentHelp(
            "The user's token for a remote of tables. Better: TIDEGATE_REMOTE_TOKEN, a file or a command.",
            valueName: "token"))
    var remoteToken: String?

    @Option(help: ArgumentHelp("A file with the user's token. It is read again after a refusal.", valueName: "path"))
    var remoteTokenFile: String?

    @Option(
        help: ArgumentHelp(
            "A shell command that prints the user's token. It runs again after a refusal, at most once a minute.",
            valueName: "command"))
    var remoteTokenCommand: String?

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("A class to sync. Repeatable.", valueName: "name"))
    var classes: [String] = []

    @Option(
        help: ArgumentHelp(
            "The directory of the web page, or 'none'. Default: the installed page.", valueName: "dir"))
    var web: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The interval between pulls. Default: 60.", valueName: "seconds"))
    var pullInterval: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The time by which each pull overlaps the previous one, to catch late commits. Default: 10.",
            valueName: "seconds"
        ))
    var pullOverlap: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The interval between full audits, which compare every object with the remote. Default: 86400.",
            valueName: "seconds"))
    var auditInterval: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The interval between audits of recently updated objects. Default: 300.", valueName: "seconds"))
    var recentAuditInterval: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The age limit of the objects in such an audit. Default: 3600.", valueName: "seconds"))
    var recentAuditWindow: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The largest share of a class that is removed without confirmation. Default: 0.5.", valueName: "share"
        ))
    var removalShareMax: String?

    @Option(help: ArgumentHelp("The key that clients must send as X-Tidegate-Access-Key.", valueName: "key"))
    var accessKey: String?

    @Option(help: ArgumentHelp("The application id that clients must send. Default: any.", valueName: "id"))
    var localAppId: String?

    @Option(help: ArgumentHelp("The REST key that clients must send. Default: any.", valueName: "key"))
    var localRestKey: String?

    @Option(
        name: .customLong("local-javascript-key"),
        help: ArgumentHelp("The key that clients of the JavaScript SDK must send. Default: any.", valueName: "key"))
    var localJavaScriptKey: String?

    @Option(help: ArgumentHelp("The key that clients of the app SDKs must send. Default: any.", valueName: "key"))
    var localClientKey: String?

    @Option(
        name: .customLong("local-dotnet-key"),
        help: ArgumentHelp("The key that clients of the .NET SDK must send. Default: any.", valueName: "key"))
    var localDotNETKey: String?

    @Option(
        help: ArgumentHelp(
            "The gateway's own master key. Default: the content of the file master-key in the data directory.",
            valueName: "key"))
    var localMasterKey: String?

    @Option(
        help: ArgumentHelp(
            "A key that reads like the gateway's master key and cannot write. Default: none.", valueName: "key"))
    var localReadOnlyMasterKey: String?

    @Option(
        help: ArgumentHelp(
            "A key that reads and writes all objects, for imports. Default: none.", valueName: "key"))
    var localMaintenanceKey: String?

    @Option(
        name: .customLong("local-master-key-ips"),
        help: ArgumentHelp(
            "An address or a network, such as 10.0.0.0/8, whose clients may use the gateway's master key, read-only "
                + "master key and maintenance key. Repeatable. Default: only loopback.", valueName: "address"))
    var localMasterKeyIPs: [String] = []

    @Option(help: ArgumentHelp("An additional accepted Host header. Repeatable.", valueName: "name"))
    var allowedHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "A web origin whose pages may call the gateway. Repeatable.", valueName: "origin"))
    var allowedOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "'full' (default): a power cut loses no acknowledged write. 'normal': faster, but a power cut can lose the latest writes.",
            valueName: "mode"))
    var synchronous: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The largest request body. Default: 20971520.", valueName: "bytes"))
    var bodyBytesMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The largest file upload. Default: 20971520.", valueName: "bytes"))
    var fileBytesMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The largest file download from the remote. Default: 268435456.", valueName: "bytes"))
    var fileDownloadBytesMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The size of the cache for files of the remote. Least recently used files are evicted. Default: 1073741824.",
            valueName: "bytes"))
    var fileCacheBytes: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of objects in a list response. Default: no limit.", valueName: "count"))
    var pageMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of operations in a batch. Default: 1000.", valueName: "count"))
    var batchMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of open change streams. Default: 256.", valueName: "count"))
    var streamsMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of pulled objects in a class. Default: 10000000.", valueName: "count"))
    var classObjectsMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The free disk space below which pulls stop; 0 for no limit. Default: 268435456.", valueName: "bytes"))
    var diskFreeMin: String?

    @Option(
        help: ArgumentHelp(
            "A host with a private address from which files may be downloaded. Repeatable.",
            valueName: "host"))
    var fileHosts: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum time that a forwarded call waits for earlier queued writes, and a user's first request for the first sync of a class. Default: 10.",
            valueName: "seconds"))
    var forwardWait: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum number of fields in a class, for local writes. Default: 1000.", valueName: "count"))
    var classFieldsMax: String?

    @Option(
        name: .customLong("idempotency-ttl"), parsing: .unconditional,
        help: ArgumentHelp(
            "The time during which a repeated X-Parse-Request-Id is refused; 0 to accept all. Default: 0.",
            valueName: "seconds"))
    var idempotencyTTL: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "An array field for operation ids, such as tidegateOps, added to the classes of --class on the remote. "
                + "It shows whether a write with a lost response was applied. Default: none.", valueName: "name"))
    var opField: String?

    @Flag(help: "Let clients choose the objectId of new objects, if the remote allows it.")
    var allowCustomObjectId = false

    @Flag(
        help:
            "Use a copied data directory. Set this once, and only if the original no longer runs."
    )
    var takeOver = false

    @OptionGroup(title: "Users of a replica") var people: PeopleOptions

    @OptionGroup(title: "Users and sessions of a standalone gateway") var accounts: AccountOptions

    @Option(
        help: ArgumentHelp(
            "The log level: trace, debug, info, notice, warning, error or critical. Default: info.", valueName: "level")
    )
    var logLevel: String?

    /// The values on the command line, by setting.
    var arguments: [ConfigurationKey: [String]] {
        let single: [ConfigurationKey: String?] = [
            .listen: listen, .data: data, .remote: remote, .remoteKind: remoteKind, .appId: appId, .restKey: restKey,
            .masterKey: masterKey, .remoteToken: remoteToken, .remoteTokenFile: remoteTokenFile,
            .remoteTokenCommand: remoteTokenCommand, .web: web, .pullInterval: pullInterval, .pullOverlap: pullOverlap,
            .auditInterval: auditInterval,
            .recentAuditInterval: recentAuditInterval, .recentAuditWindow: recentAuditWindow,
            .removalShareMax: removalShareMax,
            .accessKey: accessKey, .localAppId: localAppId, .localRestKey: localRestKey,
            .localJavaScriptKey: localJavaScriptKey, .localClientKey: localClientKey, .localDotNETKey: localDotNETKey,
            .localMasterKey: localMasterKey, .localReadOnlyMasterKey: localReadOnlyMasterKey,
            .localMaintenanceKey: localMaintenanceKey, .synchronous: synchronous, .bodyBytesMax: bodyBytesMax,
            .pageMax: pageMax,
            .fileBytesMax: fileBytesMax, .fileDownloadBytesMax: fileDownloadBytesMax, .fileCacheBytes: fileCacheBytes,
            .batchMax: batchMax, .streamsMax: streamsMax, .classFieldsMax: classFieldsMax,
            .idempotencyTTL: idempotencyTTL, .logLevel: logLevel, .takeOver: takeOver ? "true" : nil,
            .opField: opField, .allowCustomObjectId: allowCustomObjectId ? "true" : nil,
            .classObjectsMax: classObjectsMax, .diskFreeMin: diskFreeMin, .forwardWait: forwardWait,
        ]
        let lists: [ConfigurationKey: [String]] = [
            .className: classes, .allowedHost: allowedHost, .allowedOrigin: allowedOrigin, .fileHosts: fileHosts,
            .localMasterKeyIPs: localMasterKeyIPs,
        ]
        return single.merging(accounts.arguments) { own, _ in own }.merging(people.arguments) { own, _ in own }
            .compactMapValues { text in text.map { [$0] } }
            .merging(lists.filter { !$0.value.isEmpty }) { _, list in list }
    }

    /// Reads the configuration from the command line, the environment and the configuration file.
    /// - Throws: `ConfigurationError` for an invalid setting.
    func load() throws -> GatewayConfiguration {
        // In the environment and in the file, an empty value counts as absent. On the command line, an empty value is an error.
        for (key, texts) in arguments where texts.contains("") {
            throw ConfigurationError("\(key.option) needs a value")
        }
        let environment = ProcessInfo.processInfo.environment
        return try GatewayConfiguration.load(
            arguments: arguments, environment: environment, file: config, directories: .live(environment: environment))
    }

    private static var dataDefault: String {
        #if os(macOS)
            "~/Library/Application Support/tidegate"
        #else
            "~/.local/share/tidegate"
        #endif
    }
}
