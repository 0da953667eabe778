import Configuration
import Foundation

/// The places that settings are read from. The first one that has a setting decides:
/// command line, environment, file.
struct ConfigurationSources {
    /// What one place says about a setting.
    struct Setting {
        let key: ConfigurationKey
        /// Several only for lists.
        let texts: [String]
        /// The setting as its place spells it, for errors: `--listen`, `TIDEGATE_LISTEN`, `tidegate.yaml: listen`.
        let origin: String

        /// The error line for a value that cannot be used.
        func wrong(_ reason: String) -> ConfigurationError { ConfigurationError("\(origin): \(reason)") }
    }

    private struct Source {
        let snapshot: any ConfigSnapshot
        let spelling: @Sendable (ConfigurationKey) -> String
    }

    private let sources: [Source]

    /// - Parameter arguments: values of options that were given, by setting.
    /// - Throws: `ConfigurationError` for a file that cannot be used.
    init(
        arguments: [ConfigurationKey: [String]], environment: [String: String], file path: String?
    ) throws(ConfigurationError) {
        let values = arguments.map { key, texts in
            let content: ConfigContent = key.isList ? .stringArray(texts) : .string(texts.last ?? "")
            return (AbsoluteConfigKey([key.name]), ConfigValue(content, isSecret: true))
        }
        // An empty variable counts as absent, so that one can be switched off in a service file or for a single call.
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

    /// The setting as the first place has it that has it at all; nil where none does.
    /// - Throws: `ConfigurationError` for a list where one value is needed.
    func setting(_ key: ConfigurationKey) throws(ConfigurationError) -> Setting? {
        for source in sources {
            let origin = source.spelling(key)
            guard let texts = try texts(of: key, in: source.snapshot, origin: origin), !texts.isEmpty else { continue }
            return Setting(key: key, texts: texts, origin: origin)
        }
        return nil
    }

    /// Whether the file holds a key, which other users of the machine should not read.
    func keysStandInFile() throws(ConfigurationError) -> Bool {
        guard let file = sources.dropFirst(2).first else { return false }
        let keys: [ConfigurationKey] = [.restKey, .masterKey, .accessKey, .localRestKey, .localMasterKey]
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

    /// A blank separates nothing: one inside of a name is a mistake, which is told where the name is read.
    private static func elements(of text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
    }
}
