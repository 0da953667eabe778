import Foundation
import GatewayAPI
import Logging

extension GatewayConfiguration {
    /// Reads all settings. The command line overrides the environment, which overrides the file. The file overrides the defaults.
    /// - Parameters:
    ///   - arguments: the options of the command line, by setting.
    ///   - file: the path of the YAML file; nil for the path in `TIDEGATE_CONFIG`, if any.
    ///   - directories: finds the default directories.
    ///   - remotes: the known kinds of remotes.
    /// - Throws: `ConfigurationError`, one line with the setting.
    package static func load(
        arguments: [ConfigurationKey: [String]] = [:], environment: [String: String], file: String? = nil,
        directories: StandardDirectories, remotes: RemoteFactory = .standard
    ) throws(ConfigurationError) -> GatewayConfiguration {
        let named = environment["TIDEGATE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        let sources = try ConfigurationSources(arguments: arguments, environment: environment, file: file ?? named)

        var configuration = GatewayConfiguration(dataDirectory: try dataDirectory(sources, directories))
        configuration.remote = try remote(sources, remotes)
        configuration.webDirectory = try webDirectory(sources, directories)
        configuration.openAPIFile = directories.openAPIFile()
        if let classes = try sources.setting(.className) { configuration.classes = try classes.classNames() }
        if let field = try sources.setting(.opField) { configuration.opFieldOfClasses = try field.fieldName() }
        if let interval = try sources.setting(.pullInterval) {
            configuration.pullInterval = try interval.seconds(in: 1...604_800)
        }
        if let interval = try sources.setting(.auditInterval) {
            configuration.auditInterval = try interval.seconds(in: 60...31_536_000)
        }
        if let interval = try sources.setting(.recentAuditInterval) {
            configuration.recentAuditInterval = try interval.seconds(in: 10...604_800)
        }
        if let window = try sources.setting(.recentAuditWindow) {
            configuration.recentAuditWindow = try window.seconds(in: 60...604_800)
        }
        if let overlap = try sources.setting(.pullOverlap) {
            configuration.pullOverlap = try overlap.seconds(in: 0...3600)
        }
        if let level = try sources.setting(.logLevel) { configuration.logLevel = try level.choice() }
        if let mode = try sources.setting(.synchronous) { configuration.synchronous = try mode.choice() }
        if let hosts = try sources.setting(.allowedHost) { configuration.allowedHosts = try hosts.hostNames() }
        if let origins = try sources.setting(.allowedOrigin) { configuration.allowedOrigins = try origins.webOrigins() }
        if let bytes = try sources.setting(.bodyBytesMax) {
            configuration.bodyBytesMax = try bytes.integer(in: 1024...1_073_741_824)
        }
        if let bytes = try sources.setting(.fileBytesMax) {
            configuration.fileBytesMax = try bytes.integer(in: 1024...10_737_418_240)
        }
        if let bytes = try sources.setting(.fileDownloadBytesMax) {
            configuration.fileDownloadBytesMax = try bytes.integer(in: 1024...10_737_418_240)
        }
        if let bytes = try sources.setting(.fileCacheBytes) {
            configuration.fileCacheBytes = try bytes.integer(in: 0...1_099_511_627_776)
        }
        if let page = try sources.setting(.pageMax) { configuration.pageMax = try page.integer(in: 1...1_000_000) }
        if let batch = try sources.setting(.batchMax) { configuration.batchMax = try batch.integer(in: 1...10_000) }
        // Each stream occupies one of the server's 1024 connections. At least half of them stay free for other requests.
        if let streams = try sources.setting(.streamsMax) {
            configuration.streamsMax = try streams.integer(in: 1...512)
        }
        if let fields = try sources.setting(.classFieldsMax) {
            configuration.classFieldsMax = try fields.integer(in: 1...100_000)
        }
        if let lifetime = try sources.setting(.idempotencyTTL) {
            configuration.idempotencyTTL = try lifetime.seconds(in: 0...604_800)
        }
        if let share = try sources.setting(.removalShareMax) {
            configuration.removalShareMax = try share.decimal(in: 0...1)
        }
        if let objects = try sources.setting(.classObjectsMax) {
            configuration.classObjectsMax = try objects.integer(in: 1...1_000_000_000)
        }
        if let bytes = try sources.setting(.diskFreeMin) {
            configuration.diskFreeMin = try bytes.integer(in: 0...1_099_511_627_776)
        }
        if let hosts = try sources.setting(.fileHosts) { configuration.fileHosts = try hosts.hostNames() }
        if let wait = try sources.setting(.forwardWait) { configuration.forwardWait = try wait.seconds(in: 0...600) }
        if let allows = try sources.setting(.allowCustomObjectId) {
            configuration.allowsChosenIds = try allows.bool()
        }
        if let takesOver = try sources.setting(.takeOver) { configuration.takesOver = try takesOver.bool() }
        configuration.accounts = try AccountSettings(sources)
        configuration.people = try PeopleSettings(sources, directories, configuration.remote)
        configuration.localKeys = try localKeys(sources)
        configuration.accessKey = try sources.setting(.accessKey)?.secret()
        configuration.listen = try listenAddress(sources, hasAccessKey: configuration.accessKey != nil)
        configuration.unknownVariables = unknownVariables(in: environment)
        if let path = file ?? named, try sources.fileContainsKeys(), FileMode.isReadableByOthers(path) {
            configuration.exposedFile = path
        }
        return configuration
    }

    private static func listenAddress(
        _ sources: ConfigurationSources, hasAccessKey: Bool
    ) throws(ConfigurationError) -> ListenAddress {
        guard let setting = try sources.setting(.listen) else { return .standard }
        guard let address = ListenAddress(setting.text) else {
            throw setting.wrong(
                "'\(setting.text)' is not an IP address with a port, such as 127.0.0.1:1338 or [::1]:1338")
        }
        guard address.isLoopback || hasAccessKey else {
            throw setting.wrong(
                "\(address) can be reached by other machines, which needs an access key: "
                    + "set \(ConfigurationKey.accessKey.variable)")
        }
        return address
    }

    private static func localKeys(_ sources: ConfigurationSources) throws(ConfigurationError) -> LocalKeys {
        var keys = LocalKeys()
        keys.applicationId = try sources.setting(.localAppId)?.headerText()
        for (kind, key) in ConfigurationKey.clientKeys { keys.clientKeys[kind] = try sources.setting(key)?.secret() }
        keys.masterKey = try ownersKey(.localMasterKey, sources, keys)
        keys.readOnlyMasterKey = try ownersKey(.localReadOnlyMasterKey, sources, keys)
        keys.maintenanceKey = try ownersKey(.localMaintenanceKey, sources, keys)
        if let networks = try sources.setting(.localMasterKeyIPs) { keys.masterKeyNetworks = try networks.networks() }
        return keys
    }

    /// One of the keys of the gateway's owner. It must differ from the keys in `keys`.
    private static func ownersKey(
        _ key: ConfigurationKey, _ sources: ConfigurationSources, _ keys: LocalKeys
    ) throws(ConfigurationError) -> Secret? {
        guard let setting = try sources.setting(key) else { return nil }
        let secret = try setting.secret()
        if let (_, same) = ConfigurationKey.clientKeys.first(where: { keys.clientKeys[$0.key] == secret }) {
            throw setting.wrong("must not be the same as \(same.name): every client would be the owner")
        }
        if secret == keys.masterKey || secret == keys.readOnlyMasterKey {
            let same = secret == keys.masterKey ? ConfigurationKey.localMasterKey : .localReadOnlyMasterKey
            throw setting.wrong("must not be the same as \(same.name): the keys have different rights")
        }
        return secret
    }

    private static func remote(
        _ sources: ConfigurationSources, _ remotes: RemoteFactory
    ) throws(ConfigurationError) -> Remote? {
        let kind = try sources.setting(.remoteKind)
        let applicationId = try sources.setting(.appId)
        let restKey = try sources.setting(.restKey)
        let masterKey = try sources.setting(.masterKey)
        let token = try remoteToken(sources)
        guard let address = try sources.setting(.remote) else {
            if let stray = kind ?? applicationId ?? restKey ?? masterKey ?? token?.setting {
                throw stray.wrong("is given without a remote: add \(ConfigurationKey.remote.option) URL")
            }
            return nil
        }
        let url = try address.remoteURL()
        // Only a Parse Server has an application id. Without one, the kind is detected later.
        let named = try kind.map { setting throws(ConfigurationError) in try setting.choice(among: remotes.names) }
        let remoteKind = named.map(RemoteKind.init) ?? (applicationId == nil ? nil : .parse)
        if let remoteKind, applicationId == nil, remotes.needsApplicationId(remoteKind) {
            throw address.wrong("needs the application id of the remote: add \(ConfigurationKey.appId.option) ID")
        }
        return Remote(
            kind: remoteKind, url: url, applicationId: try applicationId?.headerText(), restKey: try restKey?.secret(),
            masterKey: try masterKey?.secret(), token: token?.token)
    }

    /// The source of the remote's token, and the setting that names it. At most one setting may name a source.
    private static func remoteToken(
        _ sources: ConfigurationSources
    ) throws(ConfigurationError) -> (setting: ConfigurationSources.Setting, token: RemoteToken)? {
        var found: (setting: ConfigurationSources.Setting, token: RemoteToken)?
        for key in [ConfigurationKey.remoteToken, .remoteTokenFile, .remoteTokenCommand] {
            guard let setting = try sources.setting(key) else { continue }
            if let found {
                throw setting.wrong("is given besides \(found.setting.origin): only one of them can name the token")
            }
            let token: RemoteToken =
                switch key {
                case .remoteTokenFile: .file(setting.text)
                case .remoteTokenCommand: .command(setting.text)
                default: .fixed(try setting.secret())
                }
            found = (setting, token)
        }
        return found
    }

    private static func dataDirectory(
        _ sources: ConfigurationSources, _ directories: StandardDirectories
    ) throws(ConfigurationError) -> String {
        if let setting = try sources.setting(.data) { return directories.absolute(setting.text) }
        guard let path = directories.data(named: "tidegate") else {
            throw ConfigurationError(
                "\(ConfigurationKey.data.option): there is no home directory to put the data into: name a directory")
        }
        return path
    }

    private static func webDirectory(
        _ sources: ConfigurationSources, _ directories: StandardDirectories
    ) throws(ConfigurationError) -> String? {
        guard let setting = try sources.setting(.web) else { return directories.web() }
        guard setting.text != "none" else { return nil }
        let path = directories.absolute(setting.text)
        guard FileManager.default.isReadableFile(atPath: path + "/index.html") else {
            throw setting.wrong("\(path) holds no index.html that can be read; 'none' serves no page")
        }
        return path
    }

    private static func unknownVariables(in environment: [String: String]) -> [String] {
        let known = Set(ConfigurationKey.allCases.map(\.variable)).union(["TIDEGATE_CONFIG", "TIDEGATE_URL"])
        return environment.keys.filter { $0.hasPrefix("TIDEGATE_") && !known.contains($0) }.sorted()
    }
}
