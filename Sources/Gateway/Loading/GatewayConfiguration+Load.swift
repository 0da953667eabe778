import Foundation
import GatewayAPI
import Logging

extension GatewayConfiguration {
    /// Reads all settings. The command line overrides the environment, which overrides the file. The file overrides
    /// the connection that was chosen on the page, and the defaults.
    /// - Parameters:
    ///   - arguments: the options of the command line, by setting.
    ///   - file: the path of the YAML file; nil for the path in `TIDEGATE_CONFIG`, if any.
    ///   - directories: finds the default directories.
    ///   - remotes: the known kinds of remotes.
    /// - Throws: `ConfigurationError`, one line with the setting.
    package static func load(
        arguments: [Setting: [String]] = [:], environment: [String: String], file: String? = nil,
        directories: StandardDirectories, remotes: RemoteFactory = .standard
    ) throws(ConfigurationError) -> GatewayConfiguration {
        let named = environment["TIDEGATE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        var sources = try ConfigurationSources(arguments: arguments, environment: environment, file: file ?? named)

        var configuration = GatewayConfiguration(dataDirectory: try dataDirectory(sources, directories))
        try sources.addConnection(in: configuration.dataDirectory)
        for setting in Setting.all {
            if let given = try sources.given(setting) { try setting.apply(given, &configuration) }
        }
        configuration.remoteAuthorities = try remoteAuthorities(sources, directories)
        configuration.remote = try remote(sources, remotes)
        configuration.remote?.caFile = configuration.remoteAuthorities
        configuration.certificate = try certificate(sources, directories)
        configuration.webDirectory = try webDirectory(sources, directories)
        configuration.backups = try BackupSettings.load(
            sources, directories, dataDirectory: configuration.dataDirectory)
        configuration.openAPIFile = directories.openAPIFile()
        configuration.thumbnailProgram = directories.thumbnailProgram()
        try configuration.people.complete(sources, directories, configuration.remote)
        try configuration.localKeys.addOwnersKeys(sources)
        configuration.listen = try listenAddress(sources, hasAccessKey: configuration.accessKey != nil)
        if configuration.accessKey == nil, let setting = try sources.given(.tlsCertificate) {
            throw setting.wrong(
                "a gateway with TLS is for other machines, which needs an access key: set \(Setting.accessKey.variable)"
            )
        }
        for setting in RemovedSettings.settings {
            for given in try sources.everywhere(setting) {
                configuration.removedSettings.append(
                    "\(given.origin) is no longer a setting and has no effect: \(setting.text)")
            }
        }
        configuration.settings = try settings(sources)
        configuration.unknownVariables = unknownVariables(in: environment)
        if let path = file ?? named, try sources.fileContainsKeys() { configuration.exposedFile = ExposedFile(path) }
        return configuration
    }

    /// The settings with their values and sources. A command that prints the remote's token may contain a secret, so it is not shown.
    private static func settings(_ sources: ConfigurationSources) throws(ConfigurationError) -> [SettingInUse] {
        var all: [SettingInUse] = []
        for group in Setting.groups {
            for setting in group.settings {
                let given = try sources.given(setting)
                let isSecret = setting.isSecret || setting == .remoteTokenCommand
                all.append(
                    SettingInUse(
                        name: setting.name, group: group.title, text: setting.text,
                        value: isSecret ? nil : given?.texts.joined(separator: ", ") ?? setting.standard,
                        isSecret: isSecret, source: given?.origin))
            }
        }
        return all
    }

    private static func listenAddress(
        _ sources: ConfigurationSources, hasAccessKey: Bool
    ) throws(ConfigurationError) -> ListenAddress {
        guard let setting = try sources.given(.listen) else { return .standard }
        guard let address = ListenAddress(setting.text) else {
            throw setting.wrong(
                "'\(setting.text)' is not an IP address with a port, such as 127.0.0.1:1338 or [::1]:1338")
        }
        guard address.isLoopback || hasAccessKey else {
            throw setting.wrong(
                "\(address) can be reached by other machines, which needs an access key: "
                    + "set \(Setting.accessKey.variable)")
        }
        return address
    }

    private static func certificate(
        _ sources: ConfigurationSources, _ directories: StandardDirectories
    ) throws(ConfigurationError) -> CertificateFiles? {
        switch (try sources.given(.tlsCertificate), try sources.given(.tlsKey)) {
        case (nil, nil): return nil
        case (let certificate?, nil):
            throw certificate.wrong("needs the private key: add \(Setting.tlsKey.option) FILE")
        case (nil, let key?): throw key.wrong("needs the certificate: add \(Setting.tlsCertificate.option) FILE")
        case (let certificate?, let key?):
            return CertificateFiles(
                certificate: directories.absolute(certificate.text), key: directories.absolute(key.text))
        }
    }

    private static func remoteAuthorities(
        _ sources: ConfigurationSources, _ directories: StandardDirectories
    ) throws(ConfigurationError) -> String? {
        guard let authorities = try sources.given(.remoteCA) else { return nil }
        let path = directories.absolute(authorities.text)
        guard FileManager.default.isReadableFile(atPath: path) else { throw authorities.wrong("cannot read \(path)") }
        return path
    }

    private static func remote(
        _ sources: ConfigurationSources, _ remotes: RemoteFactory
    ) throws(ConfigurationError) -> Remote? {
        let kind = try sources.given(.remoteKind)
        let applicationId = try sources.given(.appId)
        let restKey = try sources.given(.restKey)
        let masterKey = try sources.given(.masterKey)
        let token = try remoteToken(sources)
        let liveQuery = try sources.given(.remoteLiveQueryURL)
        guard let address = try sources.given(.remote) else {
            if let stray = kind ?? applicationId ?? restKey ?? masterKey ?? token?.setting ?? liveQuery {
                throw stray.wrong("is given without a remote: add \(Setting.remote.option) URL")
            }
            return nil
        }
        let url = try address.remoteURL()
        // Only a Parse Server has an application id. Without one, the kind is detected later.
        let named = try kind.map { given throws(ConfigurationError) in try given.choice(among: remotes.names) }
        let remoteKind = named.map(RemoteKind.init) ?? (applicationId == nil ? nil : .parse)
        if let remoteKind, applicationId == nil, remotes.needsApplicationId(remoteKind) {
            throw address.wrong("needs the application id of the remote: add \(Setting.appId.option) ID")
        }
        var remote = Remote(
            kind: remoteKind, url: url, applicationId: try applicationId?.headerText(), restKey: try restKey?.secret(),
            masterKey: try masterKey?.secret(), token: token?.token)
        if let liveQuery { remote.liveQuery = try liveQuery.liveQueryAddress() }
        return remote
    }

    /// The source of the remote's token, and the setting that names it. At most one setting may name a source.
    private static func remoteToken(
        _ sources: ConfigurationSources
    ) throws(ConfigurationError) -> (setting: GivenSetting, token: RemoteToken)? {
        var found: (setting: GivenSetting, token: RemoteToken)?
        for key in [Setting.remoteToken, .remoteTokenFile, .remoteTokenCommand] {
            guard let setting = try sources.given(key) else { continue }
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
        if let setting = try sources.given(.data) { return directories.absolute(setting.text) }
        guard let path = directories.data(named: "tidegate") else {
            throw ConfigurationError(
                "\(Setting.data.option): there is no home directory to put the data into: name a directory")
        }
        return path
    }

    private static func webDirectory(
        _ sources: ConfigurationSources, _ directories: StandardDirectories
    ) throws(ConfigurationError) -> String? {
        guard let setting = try sources.given(.web) else { return directories.web() }
        guard setting.text != "none" else { return nil }
        let path = directories.absolute(setting.text)
        guard FileManager.default.isReadableFile(atPath: path + "/index.html") else {
            throw setting.wrong("\(path) holds no index.html that can be read; 'none' serves no page")
        }
        return path
    }

    private static func unknownVariables(in environment: [String: String]) -> [String] {
        let settings = (Setting.all + RemovedSettings.settings).map(\.variable)
        let known = Set(settings + ["TIDEGATE_CONFIG", "TIDEGATE_URL"])
        return environment.keys.filter { $0.hasPrefix("TIDEGATE_") && !known.contains($0) }.sorted()
    }
}

extension GatewayConfiguration.LocalKeys {
    fileprivate mutating func addOwnersKeys(_ sources: ConfigurationSources) throws(ConfigurationError) {
        masterKey = try ownersKey(.localMasterKey, sources)
        readOnlyMasterKey = try ownersKey(.localReadOnlyMasterKey, sources)
        maintenanceKey = try ownersKey(.localMaintenanceKey, sources)
    }

    /// The value of a setting for the master key, the read-only master key or the maintenance key. It must differ from
    /// the client keys and from those of these keys that were read before.
    private func ownersKey(_ key: Setting, _ sources: ConfigurationSources) throws(ConfigurationError) -> Secret? {
        guard let given = try sources.given(key) else { return nil }
        let secret = try given.secret()
        if let (_, same) = Setting.clientKeys.first(where: { clientKeys[$0.key] == secret }) {
            throw given.wrong("must not be the same as \(same.name): every client would be the owner")
        }
        if secret == masterKey || secret == readOnlyMasterKey {
            let same: Setting = secret == masterKey ? .localMasterKey : .localReadOnlyMasterKey
            throw given.wrong("must not be the same as \(same.name): the keys have different rights")
        }
        return secret
    }
}
