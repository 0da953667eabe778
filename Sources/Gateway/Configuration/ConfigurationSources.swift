import Configuration
import Foundation

/// The sources of settings in order of precedence: command line, environment, file.
struct ConfigurationSources {
    /// A setting with its value in one source.
    struct Setting {
        let key: ConfigurationKey
        /// The values: one or more if `isList` is true for the key, otherwise one.
        let texts: [String]
        /// The setting's name in its source, for errors: `--listen`, `TIDEGATE_LISTEN`, `tidegate.yaml: listen`.
        let origin: String

        /// The error for an invalid value: `origin: reason`.
        func wrong(_ reason: String) -> ConfigurationError { ConfigurationError("\(origin): \(reason)") }
    }

    private struct Source {
        let snapshot: any ConfigSnapshot
        let spelling: @Sendable (ConfigurationKey) -> String
    }

    private let sources: [Source]

    /// - Parameter arguments: the values of command-line options, by setting.
    /// - Throws: `ConfigurationError` for an invalid file.
    init(
        arguments: [ConfigurationKey: [String]], environment: [String: String], file path: String?
    ) throws(ConfigurationError) {
        let values = arguments.map { key, texts in
            let content: ConfigContent = key.isList ? .stringArray(texts) : .string(texts.last ?? "")
            return (AbsoluteConfigKey([key.name]), ConfigValue(content, isSecret: true))
        }
        // An empty variable counts as absent, so that a service file or a shell command can unset a variable.
        let variables = EnvironmentVariablesProvider(environmentVariables: environment.filter { !$0.value.isEmpty })
        var sources = [
            Source(
                snapshot: InMemoryProvider(values: Dictionary(uniqueKeysWithValues: values)).snapshot(),
                spelling: { $0.option }),
            Source(snapshot: variables.prefixKeys(with: "tidegate").snapshot(), spelling: { $0.variable }),
        ]
        if let path {
            let file = try ConfigurationFile(path: path)
            sources.append(Source(snapshot: file.snapshot, spelling: { "\(path): \($0.name)" }))
        }
        self.sources = sources
    }

    /// The value of the setting in the first source that has it; nil if no source has the setting.
    /// - Throws: `ConfigurationError` for a list in place of a single value.
    func setting(_ key: ConfigurationKey) throws(ConfigurationError) -> Setting? {
        for source in sources {
            let origin = source.spelling(key)
            guard let texts = try texts(of: key, in: source.snapshot, origin: origin), !texts.isEmpty else { continue }
            return Setting(key: key, texts: texts, origin: origin)
        }
        return nil
    }

    /// Whether the configuration file contains a secret key; false without a file.
    func fileContainsKeys() throws(ConfigurationError) -> Bool {
        guard let file = sources.dropFirst(2).first else { return false }
        let keys: [ConfigurationKey] =
            [
                .restKey, .masterKey, .remoteToken, .accessKey, .localMasterKey, .localReadOnlyMasterKey,
                .localMaintenanceKey,
            ]
            + ConfigurationKey.clientKeys.map(\.value)
        for key in keys {
            let texts = try texts(of: key, in: file.snapshot, origin: file.spelling(key))
            if texts?.isEmpty == false { return true }
        }
        return false
    }

    private func texts(
        of key: ConfigurationKey, in snapshot: any ConfigSnapshot, origin: String
    ) throws(ConfigurationError) -> [String]? {
        let name = AbsoluteConfigKey([key.name])
        if key.isList, let listed = try? snapshot.value(forKey: name, type: .stringArray),
            case .stringArray(let texts)? = listed.value?.content
        {
            return texts.flatMap(Self.elements(of:))
        }
        let found: LookupResult
        do {
            found = try snapshot.value(forKey: name, type: .string)
        } catch {
            throw ConfigurationError("\(origin): must be a single value, not a list")
        }
        guard case .string(let text)? = found.value?.content else { return nil }
        guard key.isList else { return text.isEmpty ? nil : [text] }
        return Self.elements(of: text)
    }

    /// The values of a comma-separated text, without surrounding spaces and without empty values.
    private static func elements(of text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
    }
}
