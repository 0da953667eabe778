/// A setting of the gateway: a row of the table that makes its option, its variable, its YAML key, its help and its documentation.
/// `SettingTable.swift` has the rows.
package struct Setting: Sendable {
    /// How a source gives the setting.
    package enum Form: Sendable {
        /// One value.
        case value
        /// One number, which may be negative on the command line, so that the error is about the number.
        case number
        /// Several values: repeated options, a YAML list, or values separated by commas.
        case list
        /// An option without a value. The variable and the YAML key take `true` or `false`.
        case flag
    }

    /// The name: the key in the YAML file.
    package let name: String
    package let form: Form
    /// The word for the value in the help: `seconds`.
    package let valueName: String
    /// Whether the value is a key that no other user of the machine may read.
    let isSecret: Bool
    /// Whether `serve --help` shows the setting. `--help-all` shows all settings.
    package let isCommon: Bool
    /// The default in words; nil for none.
    package let standard: String?
    /// The description: one or more sentences without Markdown.
    package let text: String
    /// Sets the property of the configuration. It does nothing for a setting that `GatewayConfiguration.load` combines
    /// with others.
    let apply: @Sendable (GivenSetting, inout GatewayConfiguration) throws(ConfigurationError) -> Void

    /// A setting that is a property of the configuration, which also has the default.
    /// - Parameter standard: the default in words, if the property's value does not say it.
    init<Value>(
        _ name: String, _ type: SettingType<Value>,
        _ property: WritableKeyPath<GatewayConfiguration, Value> & Sendable,
        default standard: String? = nil, isCommon: Bool = false, _ text: String
    ) {
        self.init(
            name, type, default: standard ?? type.text(GatewayConfiguration(dataDirectory: "")[keyPath: property]),
            isCommon: isCommon, text
        ) { given, configuration throws(ConfigurationError) in
            configuration[keyPath: property] = try type.read(given)
        }
    }

    /// A setting that `GatewayConfiguration.load` reads together with others.
    init<Value>(
        _ name: String, _ type: SettingType<Value>, default standard: String? = nil, isCommon: Bool = false,
        _ text: String,
        apply: @escaping @Sendable (GivenSetting, inout GatewayConfiguration) throws(ConfigurationError) -> Void = {
            _, _ in
        }
    ) {
        self.name = name
        self.form = type.form
        self.valueName = type.valueName
        self.isSecret = type.isSecret
        self.isCommon = isCommon
        self.standard = standard
        self.text = text
        self.apply = apply
    }

    /// The option on the command line.
    package var option: String { "--" + name }

    /// The environment variable.
    package var variable: String { "TIDEGATE_" + name.uppercased().replacing("-", with: "_") }
}

extension Setting {
    /// All groups, in the order of the help.
    package static let groups: [any SettingGroup.Type] = [
        ProcessSettings.self, RemoteSettings.self, ClientSettings.self, FileSettings.self, ReplicaUserSettings.self,
        LogInSettings.self, ParseServerSettings.self,
    ]

    /// All settings, in the order of the help.
    package static let all: [Setting] = groups.flatMap { $0.settings }

    /// Whether a setting has this name, or had it before it was removed.
    static func isKnown(_ name: String) -> Bool { (all + RemovedSettings.settings).contains { $0.name == name } }

    /// The setting whose name is most similar to a misspelled name; nil if every name differs by more than two letters.
    static func nearest(to name: String) -> Setting? {
        let spelt = name.lowercased().filter { $0.isLetter }
        let distances = all.map { setting in
            (setting: setting, distance: editDistance(Array(spelt), Array(setting.name.filter { $0.isLetter })))
        }
        guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= 2 else { return nil }
        return best.setting
    }

    /// The Levenshtein distance of two words.
    private static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let substituted = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}

extension Setting: Hashable {
    package static func == (one: Setting, other: Setting) -> Bool { one.name == other.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A group of settings: a section of the help and of the documentation.
package protocol SettingGroup: Sendable {
    static var title: String { get }
    static var settings: [Setting] { get }
}
