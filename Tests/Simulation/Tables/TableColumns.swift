import ParseModel
import StoreService
import TablesServer

/// The columns of all tables, and the conversion between rows and the server's objects.
enum TableColumns {
    /// The classes of the simulation. Each is a table.
    static let classes = ["Note", "Place"]
    static let names = ["title", "n", "a", "b", "ref", "text", "ops", ClassSettings.Shared.deletedFieldName]
    /// A column whose name cannot be the name of a Parse field. Objects do not contain it, and no replica may change
    /// it.
    static let unknown = "length"
    /// The class to which the pointers in the column `ref` point.
    static let pointerTarget = "Place"

    static let typed: [TablesServer.Column] =
        names.map { .init($0, $0 == "n" ? .number : $0 == ClassSettings.Shared.deletedFieldName ? .bool : .text) }
        + [.init(unknown, .number)]

    /// The columns for an object of the server. The value for a pointer is the id of its target.
    static func columns(of object: JSONObject) -> [String: JSONValue] {
        var columns: [String: JSONValue] = [:]
        for name in names {
            guard let value = object[name], !value.isNull else { continue }
            columns[name] = Pointer(value).map { .string($0.objectId) } ?? value
        }
        return columns
    }

    /// The names of an object's fields that have no column.
    static func unknownFields(of object: JSONObject) -> [String] {
        object.keys.filter { !(names + ["objectId", "createdAt", "updatedAt"]).contains($0) }
    }

    /// The write of the server's object that corresponds to the change of a row.
    /// - Parameter before: the row before the change; nil for a new row.
    /// - Returns: nil for a change of a tombstone, because it has no object.
    static func write(_ change: RowChange, after before: TablesServer.Row?, of className: String) -> WriteRequest? {
        let row = change.row
        let isLive = before?.isDeleted == false
        if case .remove = change { return .delete(className: className, objectId: row.id) }
        if row.isDeleted { return isLive ? .delete(className: className, objectId: row.id) : nil }
        let old = isLive ? before?.fields ?? [:] : [:]
        var body: JSONObject = [:]
        for name in names where (row.fields[name] ?? .null) != (old[name] ?? .null) {
            body[name] = field(row.fields[name] ?? .null, of: name)
        }
        guard isLive else {
            body["objectId"] = .string(row.id)
            return .create(className: className, body: body)
        }
        // A write that changes no value still changes the version.
        if body.isEmpty { body["title"] = field(old["title"] ?? .null, of: "title") }
        return .update(className: className, objectId: row.id, body: body)
    }

    /// Converts a column value to a field value. A null clears the field.
    private static func field(_ value: JSONValue, of name: String) -> JSONValue {
        if value.isNull { return ["__op": "Delete"] }
        guard name == ServerHistory.pointerField, let id = value.string else { return value }
        return Pointer(className: pointerTarget, objectId: id).json
    }
}
