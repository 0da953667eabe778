import GRDB
import ParseModel
import StoreService

/// An object's fields in a form that does not change when the remote acknowledges a push. States are compared in this form, and
/// tags are computed from it.
///
/// A pointer contains the alphabetically first alias of its object, if there are aliases. A file has the alphabetically first of
/// its earlier names, if there are any. The form leaves out:
/// - the object's id and dates
/// - the URLs of files, which the server derives from their names
/// - relations, which a server shows on every object of the class
/// - fields that are null
/// - the class's `opField`
///
/// The order of keys and the spelling of numbers do not matter.
struct StableContent {
    private let fields: JSONObject

    /// - Parameters:
    ///   - opField: the class's field for operation ids; nil if the class has none.
    ///   - names: finds the first alias of an object that a pointer names, and the first earlier name of a file. Nil in a
    ///     standalone gateway, where ids and names never change.
    init(_ fields: JSONObject, without opField: String?, names: FirstNames?) throws {
        var stable: [(String, JSONValue)] = []
        for (field, value) in fields where !Self.ownFields.contains(field) && field != opField {
            if value.isNull { continue }
            if case .relation = FieldType(of: value) { continue }
            stable.append((field, try Self.stable(value, names)))
        }
        self.fields = JSONObject(Self.sorted(stable))
    }

    static let ownFields: Set<String> = ["objectId", "createdAt", "updatedAt"]

    /// The value of a field; nil if the field is missing.
    subscript(field: String) -> JSONValue? { fields[field] }

    /// Whether two states of an object are the same.
    func isSame(as other: StableContent) -> Bool { fields == other.fields }

    /// A strong entity tag (RFC 9110 §8.8.1), quotation marks included.
    /// - Parameter hidden: fields that the principal may not read. The tag does not depend on their values.
    func tag(hiding hidden: [String]) -> String {
        var shown = fields
        if !hidden.isEmpty { shown.removeAll { hidden.contains($0) } }
        return Self.tag(of: shown.jsonBytes)
    }

    /// The tag of a content with the given JSON text (`StableText`).
    static func tag(of text: [UInt8]) -> String {
        let digest = ContentDigest()
        text.withUnsafeBytes { digest.add($0) }
        return "\"\(digest.finish().prefix(32))\""
    }

    private static func stable(_ value: JSONValue, _ names: FirstNames?) throws -> JSONValue {
        switch value {
        case .null, .bool, .string: return value
        case .number(let number): return .number(number.canonical)
        case .array(let elements): return .array(try elements.map { try stable($0, names) })
        case .object(let object):
            if let pointer = Pointer(value) { return try (names?.first(of: pointer) ?? pointer).json }
            if let file = FileReference(value) {
                return FileReference(name: try names?.first(ofFile: file.name) ?? file.name, url: nil).json
            }
            return .object(JSONObject(sorted(try object.map { ($0.key, try stable($0.value, names)) })))
        }
    }

    private static func sorted(_ members: [(String, JSONValue)]) -> [(String, JSONValue)] {
        members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    }
}

/// Finds the alphabetically first alias of an object or earlier name of a file; without any, returns the given id or name.
struct FirstNames {
    let db: Database

    func first(of pointer: Pointer) throws -> Pointer {
        let id = try Aliases(db: db).id(of: pointer.className, pointer.objectId)
        let first = try db.text("SELECT min(alias) FROM aliases WHERE class = ? AND id = ?", [pointer.className, id])
        return Pointer(className: pointer.className, objectId: first ?? pointer.objectId)
    }

    func first(ofFile name: String) throws -> String {
        let present = try FileTable(db: db).presentName(of: name) ?? name
        return try db.text("SELECT min(alias) FROM file_aliases WHERE name = ?", [present]) ?? name
    }
}
