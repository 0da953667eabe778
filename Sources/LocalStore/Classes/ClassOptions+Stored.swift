import ParseModel
import StoreService
import SyncModel

/// Reads and writes the JSON of class options in the column `options` of `classes`.
extension ClassOptions {
    init(stored text: String) throws {
        self.init()
        guard let object = try? JSONReader.read(text).object else { throw Self.unreadable("they are not an object") }
        if let name = object["policy"] {
            guard let text = name.string else { throw Self.unreadable("the conflict policy is not a text") }
            policy = try .stored(text, as: "a conflict policy")
        }
        opField = object["opField"]?.string
        declinesOpField = object["opField"]?.isNull == true
        opFieldRefusal = object["opFieldRefusal"]?.string
        deletedField = object["deletedField"]?.string
        pullsRelations = object["relations"]?.bool ?? true
        if let json = object["files"] {
            guard let downloads = FileDownloads(json: json) else {
                throw Self.unreadable("the option files is unknown")
            }
            files = downloads
        }
        if let json = object["idFields"] {
            guard let fields = json.object.flatMap(IdFields.init(json:)) else {
                throw Self.unreadable("the option idFields is unknown")
            }
            idFields = fields
        }
        if let json = object["table"] {
            guard let table = json.string else { throw Self.unreadable("the table is not a text") }
            mapping.table = table
        }
        if let json = object["fields"] {
            guard let fields = json.object else { throw Self.unreadable("the types of fields are not an object") }
            for (name, json) in fields {
                guard let type = json.object.flatMap(FieldType.init(json:)), ClassMapping.converts(type) else {
                    throw Self.unreadable("the type of a field is unknown")
                }
                mapping.fields[name] = type
            }
        }
    }

    private static func unreadable(_ reason: String) -> StoreError {
        .database(operation: "read the options of a class", reason: "\(reason) (SQLite 11)")
    }

    var stored: String {
        var object: JSONObject = ["policy": .string(policy.rawValue), "relations": .bool(pullsRelations)]
        object["opField"] = opField.map(JSONValue.string)
        if opField == nil, declinesOpField { object["opField"] = JSONValue.null }
        object["opFieldRefusal"] = opFieldRefusal.map(JSONValue.string)
        object["deletedField"] = deletedField.map(JSONValue.string)
        if files != FileDownloads() { object["files"] = files.json }
        if !idFields.isEmpty { object["idFields"] = .object(idFields.json) }
        object["table"] = mapping.table.map(JSONValue.string)
        if !mapping.fields.isEmpty { object["fields"] = .object(mapping.fieldTypes) }
        return object.jsonText
    }
}
