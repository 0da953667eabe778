import ParseModel

/// A setting with the value that the gateway uses.
package struct SettingInUse: Sendable, Hashable {
    package let name: String
    /// The title of the setting's group in the help.
    let group: String
    let text: String
    /// The value; nil for a secret, and for a setting without a value and without a default.
    let value: String?
    let isSecret: Bool
    /// The option, the variable or the line of the configuration file that gives the value; nil for the default.
    let source: String?

    package init(name: String, group: String, text: String, value: String?, isSecret: Bool, source: String?) {
        self.name = name
        self.group = group
        self.text = text
        self.value = value
        self.isSecret = isSecret
        self.source = source
    }

    /// `{"name":"pull-interval","group":"Remote","about":"…","value":"60","secret":false,"source":"default"}`
    package var json: JSONObject {
        [
            "name": .string(name), "group": .string(group), "about": .string(text),
            "value": value.map(JSONValue.string) ?? .null, "secret": .bool(isSecret),
            "source": .string(source ?? "default"),
        ]
    }
}

/// A line of the program's log.
package struct LogLine: Sendable, Hashable {
    /// The number of the line, from 1.
    package let number: Int
    package let at: ParseDate
    /// The name of the level: `warning`.
    package let level: String
    package let message: String

    package init(number: Int, at: ParseDate, level: String, message: String) {
        self.number = number
        self.at = at
        self.level = level
        self.message = message
    }

    var json: JSONObject {
        [
            "number": .number(JSONNumber(Int64(number))), "at": .string(at.iso), "level": .string(level),
            "message": .string(message),
        ]
    }
}

/// What the gateway's program knows about itself, for the person who runs it.
package protocol ProgramReport: Sendable {
    /// All settings, in the order of the help.
    var settings: [SettingInUse] { get }
    /// The kept lines of the log that have a number above `number`, oldest first.
    func logLines(after number: Int) -> [LogLine]
    /// The state of the backups that the gateway writes; nil if none are configured.
    var backups: BackupStatus? { get }
    /// The findings of `tidegate doctor`.
    /// - Parameter includesFile: whether the SQLite file is checked for damage, which reads the whole file.
    func checks(includesFile: Bool) async throws -> JSONObject
}
