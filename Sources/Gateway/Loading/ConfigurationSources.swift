import Configuration
import Foundation

/// The sources of settings in order of precedence: command line, environment, credentials of systemd, file, and the connection
/// that was chosen on the page.
struct ConfigurationSources {
    private struct Source {
        let snapshot: any ConfigSnapshot
        let spelling: @Sendable (Setting) -> String
    }

    private var sources: [Source]
    /// The file that the user has written; nil without a file.
    private var file: Source?

    /// - Parameter arguments: the values of command-line options, by setting.
    /// - Throws: `ConfigurationError` for an invalid file.
    init(
        arguments: [Setting: [String]], environment: [String: String], file path: String?
    ) throws(ConfigurationError) {
        let values = arguments.map { setting, texts in
            let content: ConfigContent = setting.form == .list ? .stringArray(texts) : .string(texts.last ?? "")
            return (AbsoluteConfigKey([setting.name]), ConfigValue(content, isSecret: true))
        }
        // An empty variable counts as absent, so that a service file or a shell command can unset a variable.
        let variables = EnvironmentVariablesProvider(environmentVariables: environment.filter { !$0.value.isEmpty })
        let sources = [
            Source(
                snapshot: InMemoryProvider(values: Dictionary(uniqueKeysWithValues: values)).snapshot(),
                spelling: { $0.option }),
            Source(snapshot: variables.prefixKeys(with: "tidegate").snapshot(), spelling: { $0.variable }),
        ]
        let credentials = try Self.credentials(environment)
        file = try path.map { path throws(ConfigurationError) in try Self.source(path) }
        self.sources = sources + [credentials, file].compactMap(\.self)
    }

    /// The keys that systemd gives to the service (`LoadCredential`): files in `CREDENTIALS_DIRECTORY` that are named like the
    /// setting, such as `tidegate-access-key`.
    private static func credentials(_ environment: [String: String]) throws(ConfigurationError) -> Source? {
        guard let directory = environment["CREDENTIALS_DIRECTORY"], directory.hasPrefix("/") else { return nil }
        let name: @Sendable (Setting) -> String = { "tidegate-\($0.name)" }
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for setting in Setting.all where setting.isSecret {
            let path = "\(directory)/\(name(setting))"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
            guard let text = text?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else {
                throw ConfigurationError("the credential \(name(setting)) is empty or cannot be read")
            }
            values[AbsoluteConfigKey([setting.name])] = ConfigValue(.string(text), isSecret: true)
        }
        return Source(
            snapshot: InMemoryProvider(values: values).snapshot(), spelling: { "the credential \(name($0))" })
    }

    private static func source(_ path: String) throws(ConfigurationError) -> Source {
        let file = try ConfigurationFile(path: path)
        return Source(snapshot: file.snapshot, spelling: { "\(path): \($0.name)" })
    }

    /// Adds the connection that was chosen on the page, unless another source names a remote.
    mutating func addConnection(in dataDirectory: String) throws(ConfigurationError) {
        guard let path = SavedConnection.file(in: dataDirectory), try given(.remote) == nil else { return }
        sources.append(try Self.source(path))
    }

    /// The value of the setting in the first source that has it; nil if no source has the setting.
    /// - Throws: `ConfigurationError` for a list in place of a single value.
    func given(_ setting: Setting) throws(ConfigurationError) -> GivenSetting? {
        for source in sources {
            if let given = try given(setting, by: source) { return given }
        }
        return nil
    }

    /// The value of the setting in each source that has it.
    /// - Throws: `ConfigurationError` for a list in place of a single value.
    func everywhere(_ setting: Setting) throws(ConfigurationError) -> [GivenSetting] {
        var all: [GivenSetting] = []
        for source in sources {
            if let given = try given(setting, by: source) { all.append(given) }
        }
        return all
    }

    /// Whether the configuration file contains a secret key; false without a file.
    func fileContainsKeys() throws(ConfigurationError) -> Bool {
        guard let file else { return false }
        for setting in Setting.all where setting.isSecret {
            if try given(setting, by: file) != nil { return true }
        }
        return false
    }

    private func given(_ setting: Setting, by source: Source) throws(ConfigurationError) -> GivenSetting? {
        let origin = source.spelling(setting)
        guard let texts = try texts(of: setting, in: source.snapshot, origin: origin), !texts.isEmpty else {
            return nil
        }
        return GivenSetting(setting: setting, texts: texts, origin: origin)
    }

    private func texts(
        of setting: Setting, in snapshot: any ConfigSnapshot, origin: String
    ) throws(ConfigurationError) -> [String]? {
        let name = AbsoluteConfigKey([setting.name])
        if setting.form == .list, let listed = try? snapshot.value(forKey: name, type: .stringArray),
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
        guard setting.form == .list else { return text.isEmpty ? nil : [text] }
        return Self.elements(of: text)
    }

    /// The values of a comma-separated text, without surrounding spaces and without empty values.
    private static func elements(of text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
    }
}
