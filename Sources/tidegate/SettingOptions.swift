import ArgumentParser
import Gateway

/// Whether the help shows only the common settings. The suggestions for a misspelled option and the shell completion
/// always use all settings.
enum ShownSettings {
    @TaskLocal static var areCommon = false
}

/// The options of a group of settings, made from its table.
///
/// ArgumentParser finds options as the properties of a type, by its mirror. This type has a mirror of its own instead: one child
/// for each setting of the group.
struct SettingOptions<Group: SettingGroup>: ParsableArguments, CustomReflectable {
    /// The values on the command line, by setting.
    private(set) var values: [Setting: [String]] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: Key.self)
        for setting in Group.settings {
            let key = Key(setting.name)
            let texts: [String]
            switch setting.form {
            case .flag: texts = try options.decode(Flag<Bool>.self, forKey: key).wrappedValue ? ["true"] : []
            case .list: texts = try options.decode(Option<[String]>.self, forKey: key).wrappedValue
            case .value, .number:
                texts = [try options.decode(Option<String?>.self, forKey: key).wrappedValue].compactMap(\.self)
            }
            if !texts.isEmpty { values[setting] = texts }
        }
    }

    var customMirror: Mirror {
        Mirror(self, children: Group.settings.map { (label: $0.name, value: Self.definition(of: $0)) })
    }

    private static func definition(of setting: Setting) -> Any {
        let name = NameSpecification.customLong(setting.name)
        let help = ArgumentHelp(
            text(of: setting), valueName: setting.valueName, visibility: visibility(of: setting))
        return switch setting.form {
        case .flag: Flag(wrappedValue: false, name: name, help: help)
        case .list: Option<[String]>(wrappedValue: [], name: name, help: help)
        case .value: Option<String?>(name: name, help: help)
        case .number: Option<String?>(name: name, parsing: .unconditional, help: help)
        }
    }

    private static func text(of setting: Setting) -> String {
        let standard = setting.form == .flag ? nil : setting.standard.map { "Default: \($0)." }
        return [setting.text, setting.form == .list ? "Repeatable." : nil, standard].compactMap(\.self)
            .joined(separator: " ")
    }

    private static func visibility(of setting: Setting) -> ArgumentVisibility {
        if Group.self == RemovedSettings.self { return .private }
        return setting.isCommon || !ShownSettings.areCommon ? .default : .hidden
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}
