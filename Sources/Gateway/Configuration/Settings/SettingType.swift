import GatewayAPI
import HTTPServer

/// The type of a setting. It parses a value from text, checks its bounds, and formats it as text.
struct SettingType<Value: Sendable>: Sendable {
    /// The word for the value in the help.
    let valueName: String
    var form = Setting.Form.value
    var isSecret = false
    /// Parses the value. Throws if the text is invalid.
    let read: @Sendable (GivenSetting) throws(ConfigurationError) -> Value
    /// The text of a value, with which the help shows it as the default; nil to show no default.
    var text: @Sendable (Value) -> String? = { _ in nil }
}

extension SettingType where Value == Duration {
    static func seconds(_ range: ClosedRange<Double>) -> Self {
        Self(valueName: "seconds", form: .number) { given throws(ConfigurationError) in
            try given.seconds(in: range)
        } text: {
            String($0.components.seconds)
        }
    }
}

extension SettingType where Value == Duration? {
    /// A time in seconds; nil is written as 0.
    static func secondsOrNever(_ range: ClosedRange<Double>) -> Self {
        Self(valueName: "seconds", form: .number) { given throws(ConfigurationError) in
            let time = try given.seconds(in: range)
            return time > .zero ? time : nil
        } text: {
            String($0?.components.seconds ?? 0)
        }
    }
}

extension SettingType where Value == Int {
    static func integer(_ valueName: String, _ range: ClosedRange<Int>) -> Self {
        Self(valueName: valueName, form: .number) { given throws(ConfigurationError) in
            try given.integer(in: range)
        } text: {
            $0 == .max ? nil : String($0)
        }
    }
}

extension SettingType where Value == Bool {
    static var bool: Self {
        Self(valueName: "bool") { given throws(ConfigurationError) in
            try given.bool()
        } text: {
            String($0)
        }
    }

    static var flag: Self {
        Self(valueName: "bool", form: .flag) { given throws(ConfigurationError) in
            try given.bool()
        } text: {
            String($0)
        }
    }
}

extension SettingType where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static func choice(_ valueName: String) -> Self {
        Self(valueName: valueName) { given throws(ConfigurationError) in
            try given.choice()
        } text: {
            $0.rawValue
        }
    }
}

extension SettingType where Value == String? {
    /// Any text, such as a path.
    static func text(_ valueName: String) -> Self {
        Self(valueName: valueName) { given throws(ConfigurationError) in given.text }
    }

    /// A text that is sent in an HTTP header.
    static func headerText(_ valueName: String) -> Self {
        Self(valueName: valueName) { given throws(ConfigurationError) in try given.headerText() }
    }

    static var regularExpression: Self {
        Self(valueName: "pattern") { given throws(ConfigurationError) in try given.regularExpression() }
    }
}

extension SettingType where Value == Secret? {
    static func secret(_ valueName: String = "key") -> Self {
        Self(valueName: valueName, isSecret: true) { given throws(ConfigurationError) in try given.secret() }
    }
}

extension SettingType where Value == [String] {
    static var classNames: Self {
        Self(valueName: "name", form: .list) { given throws(ConfigurationError) in try given.classNames() }
    }

    static func hostNames(_ valueName: String) -> Self {
        Self(valueName: valueName, form: .list) { given throws(ConfigurationError) in try given.hostNames() }
    }

    static var webOrigins: Self {
        Self(valueName: "origin", form: .list) { given throws(ConfigurationError) in try given.webOrigins() }
    }
}

extension SettingType where Value == [IPNetwork] {
    static var networks: Self {
        Self(valueName: "address", form: .list) { given throws(ConfigurationError) in try given.networks() }
    }
}
