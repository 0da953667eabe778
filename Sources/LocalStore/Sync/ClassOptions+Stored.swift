import GRDB
import ParseModel
import StoreService
import SyncModel

/// The form in which options and pulls lie in the file.
extension ClassOptions {
    init(stored text: String) throws {
        self.init()
        guard let object = try? JSONReader.read(text).object else { throw Self.unreadable("they are not an object") }
        if let name = object["policy"] {
            guard let text = name.string else { throw Self.unreadable("the conflict policy is not a text") }
            policy = try .stored(text, as: "a conflict policy")
        }
        opField = object["opField"]?.string
        opFieldRefusal = object["opFieldRefusal"]?.string
        deletedField = object["deletedField"]?.string
        pullsRelations = object["relations"]?.bool ?? true
        if let json = object["files"] {
            guard let downloads = FileDownloads(json: json) else {
                throw Self.unreadable("the option files is unknown")
            }
            files = downloads
        }
    }

    private static func unreadable(_ reason: String) -> StoreError {
        .database(operation: "read the options of a class", reason: "\(reason) (SQLite 11)")
    }

    var stored: String {
        var object: JSONObject = ["policy": .string(policy.rawValue), "relations": .bool(pullsRelations)]
        object["opField"] = opField.map(JSONValue.string)
        object["opFieldRefusal"] = opFieldRefusal.map(JSONValue.string)
        object["deletedField"] = deletedField.map(JSONValue.string)
        if files != FileDownloads() { object["files"] = files.json }
        return object.jsonText
    }
}

extension NamedPull {
    /// - Parameter row: name, conditions and keys.
    init(_ row: Row) throws {
        self.init(
            name: row[0], conditions: try JSONReader.read(row[1] as String).object ?? [:],
            keys: try NamedPull.keys(stored: row[2]))
    }

    /// In which subsets a class is pulled, by their names.
    static func all(of className: String, in db: Database) throws -> [NamedPull] {
        let statement = try db.cachedStatement(
            sql: "SELECT name, conditions, keys FROM pulls WHERE class = ? ORDER BY name")
        return try Row.fetchAll(statement, arguments: [className]).map(NamedPull.init)
    }

    static func keys(stored text: String?) throws -> [String]? {
        try text.flatMap { try JSONReader.read($0).array?.compactMap(\.string) }
    }

    var storedKeys: String? { keys.map { JSONValue.array($0.map(JSONValue.string)).jsonText } }
}
