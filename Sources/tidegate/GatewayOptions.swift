import ArgumentParser
import Foundation
import Gateway

/// The settings that the command line can give; the environment and the file have all of them.
struct GatewayOptions: ParsableArguments {
    static let precedence = """
        Each setting can be given in three places. The command line counts before the environment, and the environment \
        before the YAML file of --config. The names are the same: --pull-interval is TIDEGATE_PULL_INTERVAL in the \
        environment and 'pull-interval:' in the file.

        Command-line arguments are visible to other users of this machine (ps): give keys by TIDEGATE_REST_KEY, \
        TIDEGATE_MASTER_KEY, TIDEGATE_ACCESS_KEY, TIDEGATE_LOCAL_REST_KEY and TIDEGATE_LOCAL_MASTER_KEY, or in a file that only you can read.
        """

    @Option(help: ArgumentHelp("The YAML file of settings. (TIDEGATE_CONFIG)", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("Where to listen. Default: 127.0.0.1:1338.", valueName: "host:port"))
    var listen: String?

    @Option(help: ArgumentHelp("Where the SQLite file lives. Default: \(Self.dataDefault).", valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The Parse Server to follow, such as https://example.org/parse. Without it the gateway is standalone.",
            valueName: "url"))
    var remote: String?

    @Option(help: ArgumentHelp("The application id of the remote.", valueName: "id"))
    var appId: String?

    @Option(help: ArgumentHelp("The remote's REST key, where it wants one.", valueName: "key"))
    var restKey: String?

    @Option(help: ArgumentHelp("The remote's master key; rarely needed.", valueName: "key"))
    var masterKey: String?

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("A class to keep in step; may be given several times.", valueName: "name"))
    var classes: [String] = []

    @Option(
        help: ArgumentHelp(
            "The directory of the web page, or 'none'. Default: the page that came along.", valueName: "dir"))
    var web: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How often to look for changes of the remote. Default: 60.", valueName: "seconds"))
    var pullInterval: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How far each pull reaches back, for changes that the remote wrote late. Default: 10.", valueName: "seconds"
        ))
    var pullOverlap: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How often all that is kept is compared with the remote. Default: 86400.", valueName: "seconds"))
    var auditInterval: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How often the newest rows are compared with the remote. Default: 300.", valueName: "seconds"))
    var recentAuditInterval: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How far back those rows were updated. Default: 3600.", valueName: "seconds"))
    var recentAuditWindow: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Hold a removal of more than this share of a class until it is confirmed. Default: 0.5.", valueName: "share"
        ))
    var removalShareMax: String?

    @Option(help: ArgumentHelp("What local clients must send as X-Tidegate-Access-Key.", valueName: "key"))
    var accessKey: String?

    @Option(help: ArgumentHelp("The application id that local clients must name. Default: any.", valueName: "id"))
    var localAppId: String?

    @Option(help: ArgumentHelp("The key that local clients must send. Default: any.", valueName: "key"))
    var localRestKey: String?

    @Option(
        help: ArgumentHelp(
            "The gateway's own master key. Default: the one in the file master-key of the data directory.",
            valueName: "key"))
    var localMasterKey: String?

    @Option(help: ArgumentHelp("A further Host that is answered; may be given several times.", valueName: "name"))
    var allowedHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "A web origin whose pages may call the gateway; may be given several times.", valueName: "origin"))
    var allowedOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "'full': a power cut loses nothing acknowledged (default). 'normal': faster, may lose the last moments.",
            valueName: "mode"))
    var synchronous: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The largest request body. Default: 20971520.", valueName: "bytes"))
    var bodyBytesMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The largest file that may be uploaded. Default: 20971520.", valueName: "bytes"))
    var fileBytesMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The largest file that is fetched. Default: 268435456.", valueName: "bytes"))
    var fileDownloadBytesMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The room for files that the remote has too; older ones go. Default: 1073741824.", valueName: "bytes"))
    var fileCacheBytes: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most objects of one list. Default: as many as asked for.", valueName: "count"))
    var pageMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most operations of one batch. Default: 1000.", valueName: "count"))
    var batchMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most streams of changes at one time. Default: 256.", valueName: "count"))
    var streamsMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most objects that are pulled of one class. Default: 10000000.", valueName: "count"))
    var classObjectsMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Pull nothing more with less room on the disk. 0: no such limit. Default: 268435456.", valueName: "bytes"))
    var diskFreeMin: String?

    @Option(
        help: ArgumentHelp(
            "A host whose files are fetched though its address is not public; may be given several times.",
            valueName: "host"))
    var fileHosts: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long a call to the remote waits for earlier writes to get there. Default: 10.", valueName: "seconds"))
    var forwardWait: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most fields that local writes may give a class. Default: 1000.", valueName: "count"))
    var classFieldsMax: String?

    @Option(
        name: .customLong("idempotency-ttl"), parsing: .unconditional,
        help: ArgumentHelp(
            "How long to refuse a second request with the same X-Parse-Request-Id. Default: 0, never.",
            valueName: "seconds"))
    var idempotencyTTL: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "An array field that the classes named by --class get on the remote, so that no lost answer leaves a question: "
                + "tidegateOps, for instance. Default: none.", valueName: "name"))
    var opField: String?

    @Flag(help: "Let clients give new objects an objectId of their own, where the remote lets them too.")
    var allowCustomObjectId = false

    @Flag(
        help:
            "Go on with a data directory that is a copy. Say it once, and only where the original is gone."
    )
    var takeOver = false

    @Option(
        help: ArgumentHelp("trace, debug, info, notice, warning, error or critical. Default: info.", valueName: "level")
    )
    var logLevel: String?

    /// What was given on the command line, by setting.
    var arguments: [ConfigurationKey: [String]] {
        let single: [ConfigurationKey: String?] = [
            .listen: listen, .data: data, .remote: remote, .appId: appId, .restKey: restKey, .masterKey: masterKey,
            .web: web, .pullInterval: pullInterval, .pullOverlap: pullOverlap, .auditInterval: auditInterval,
            .recentAuditInterval: recentAuditInterval, .recentAuditWindow: recentAuditWindow,
            .removalShareMax: removalShareMax,
            .accessKey: accessKey, .localAppId: localAppId, .localRestKey: localRestKey,
            .localMasterKey: localMasterKey, .synchronous: synchronous, .bodyBytesMax: bodyBytesMax, .pageMax: pageMax,
            .fileBytesMax: fileBytesMax, .fileDownloadBytesMax: fileDownloadBytesMax, .fileCacheBytes: fileCacheBytes,
            .batchMax: batchMax, .streamsMax: streamsMax, .classFieldsMax: classFieldsMax,
            .idempotencyTTL: idempotencyTTL, .logLevel: logLevel, .takeOver: takeOver ? "true" : nil,
            .opField: opField, .allowCustomObjectId: allowCustomObjectId ? "true" : nil,
            .classObjectsMax: classObjectsMax, .diskFreeMin: diskFreeMin, .forwardWait: forwardWait,
        ]
        let lists: [ConfigurationKey: [String]] = [
            .className: classes, .allowedHost: allowedHost, .allowedOrigin: allowedOrigin, .fileHosts: fileHosts,
        ]
        return single.compactMapValues { text in text.map { [$0] } }
            .merging(lists.filter { !$0.value.isEmpty }) { _, list in list }
    }

    /// Reads the command line together with the environment and the file.
    func load() throws -> GatewayConfiguration {
        // In the environment and the file nothing means "not set"; who types an option wants something.
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
