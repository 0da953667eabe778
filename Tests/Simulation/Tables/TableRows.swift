import Foundation
import ParseModel
import StoreService

/// The rows of all tables, tombstones included. The objects of the server become rows through its change feed.
struct TableRows: Sendable {
    struct Row: Sendable {
        let pointer: Pointer
        /// The values of the columns that clients know. A column without a value is null.
        var columns: JSONObject
        /// The value of the column `TableColumns.unknown`.
        var unknown: JSONValue
        let createdAt: ParseDate
        /// The time of the last change in microseconds since 1970.
        var changedUs: Int64
        var version: String
        /// The number of changes of the row.
        var changes: Int
        var isDeleted: Bool

        var id: String { pointer.objectId }
    }

    private let settings: TablesSettings
    private var rows: [Pointer: Row] = [:]
    /// The number of changes of all rows.
    private var changes = 0

    init(_ settings: TablesSettings) { self.settings = settings }

    subscript(pointer: Pointer) -> Row? { rows[pointer] }

    func rows(of className: String) -> [Row] { rows.values.filter { $0.pointer.className == className } }

    /// Notes a changed or deleted object of the server.
    /// - Parameters:
    ///   - now: the time of a deletion.
    ///   - isOwn: whether users of the server made the change. They also set the column `TableColumns.unknown`.
    /// - Returns: the names of fields without a column.
    mutating func note(_ entry: ChangeEntry, at now: ParseDate, isOwn: Bool) -> [String] {
        let pointer = Pointer(className: entry.className, objectId: entry.objectId)
        guard let object = entry.json.flatMap({ try? JSONReader.read($0).object }) else {
            if settings.keepsTombstones {
                change(pointer, at: now) { $0.isDeleted = true }
            } else {
                rows[pointer] = nil
            }
            return []
        }
        let columns = TableColumns.columns(of: object)
        guard let createdAt = object["createdAt"]?.string.flatMap(ParseDate.init(iso:)),
            let updatedAt = object["updatedAt"]?.string.flatMap(ParseDate.init(iso:))
        else { return ["createdAt", "updatedAt"] }
        if rows[pointer] == nil {
            rows[pointer] = Row(
                pointer: pointer, columns: columns, unknown: .null, createdAt: createdAt, changedUs: 0, version: "",
                changes: 0, isDeleted: false)
        }
        let mark = JSONValue.int(changes)
        change(pointer, at: updatedAt) { row in
            row.columns = columns
            row.isDeleted = false
            if isOwn { row.unknown = mark }
        }
        return object.keys.filter { !TableColumns.isStored($0) }
    }

    /// Changes a row past the change feed: a column that no object has, or a tombstone, which is no object.
    mutating func change(_ pointer: Pointer, at now: ParseDate, _ edit: (inout Row) -> Void) {
        guard var row = rows[pointer] else { return }
        changes += 1
        row.changes += 1
        row.version = Data("\(settings.countsVersionsByRow ? row.changes : changes)".utf8).base64EncodedString()
        row.changedUs = now.milliseconds * 1000 + (settings.hasFineTimes ? Int64(changes * 617 % 1000) : 0)
        edit(&row)
        rows[pointer] = row
    }

    /// Sets the column `TableColumns.unknown`, as a part of the change that has just been noted.
    mutating func setUnknown(_ value: JSONValue, of pointer: Pointer) { rows[pointer]?.unknown = value }
}

/// The columns of all tables.
enum TableColumns {
    /// The classes of the simulation, which are the tables.
    static let classes = ["Note", "Place"]
    static let names = ["title", "n", "a", "b", "ref", "text", "ops", ClassSettings.Shared.deletedFieldName]
    /// A column that Parse's rules for names of fields forbid. No object has it, and no replica may change it.
    static let unknown = "length"
    /// The class to which the pointers in the column `ref` point.
    static let pointerTarget = "Place"
    /// The names that the protocol reserves.
    static let reserved: Set<String> = ["id", "createdAt", "updatedAt", "version", "deleted"]

    static func isStored(_ field: String) -> Bool {
        names.contains(field) || ["objectId", "createdAt", "updatedAt"].contains(field)
    }

    /// The columns of an object of the server. A pointer is the id of its target.
    static func columns(of object: JSONObject) -> JSONObject {
        var columns: JSONObject = [:]
        for name in names {
            guard let value = object[name], !value.isNull else { continue }
            columns[name] = Pointer(value).map { .string($0.objectId) } ?? value
        }
        return columns
    }

    /// The field value of a column value.
    static func field(_ value: JSONValue, of name: String) -> JSONValue {
        guard name == ServerHistory.pointerField, let id = value.string else { return value }
        return Pointer(className: pointerTarget, objectId: id).json
    }
}
