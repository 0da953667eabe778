import GRDB
import ParseModel
import StoreService

/// An object's fields in a form that an acknowledgement of our own push does not change. Two states of an object are compared
/// in this form, and the tag is computed from it.
///
/// Ids and file names are the first ones, by which local clients have known them; the address of a file, which its server
/// makes of the name, is left out. So are relations, which a server shows on every object of a class that has one, nulls, and
/// the class's `opField`. The order of keys and the spelling of numbers do not matter.
struct StableContent {
    private let fields: JSONObject

    /// - Parameters:
    ///   - opField: the class's field for ids of operations.
    ///   - names: nil where ids and names never change.
    init(_ fields: JSONObject, without opField: String?, names: FirstNames?) throws {
        var stable: [(String, JSONValue)] = []
        for (field, value) in fields where !Self.ownFields.contains(field) && field != opField {
            if value.isNull { continue }
            if case .relation = FieldType(of: value) { continue }
            stable.append((field, try Self.stable(value, names)))
        }
        self.fields = JSONObject(Self.sorted(stable))
    }

    private static let ownFields: Set<String> = ["objectId", "createdAt", "updatedAt"]

    /// The value of a field; nil where it has none.
    subscript(field: String) -> JSONValue? { fields[field] }

    /// Whether two states of an object are the same.
    func isSame(as other: StableContent) -> Bool { fields == other.fields }

    /// A strong entity tag (RFC 9110 §8.8.1), quotation marks included.
    /// - Parameter hidden: fields that the reader may not see, and shall not be able to guess by the tag.
    func tag(hiding hidden: [String]) -> String {
        var shown = fields
        if !hidden.isEmpty { shown.removeAll { hidden.contains($0) } }
        let digest = ContentDigest()
        shown.jsonBytes.withUnsafeBytes { digest.add($0) }
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

/// The ids and file names that were given here, before the remote gave others.
struct FirstNames {
    let db: Database

    func first(of pointer: Pointer) throws -> Pointer {
        let known = try db.cachedStatement(sql: "SELECT id FROM aliases WHERE class = ? AND alias = ?")
            .firstRow([pointer.className, pointer.objectId]) { $0.text(0) }
        let first = try db.cachedStatement(sql: "SELECT min(alias) FROM aliases WHERE class = ? AND id = ?")
            .firstRow([pointer.className, known ?? pointer.objectId]) { $0.textIfAny(0) }
        return Pointer(className: pointer.className, objectId: (first ?? nil) ?? pointer.objectId)
    }

    func first(ofFile name: String) throws -> String {
        let known = try db.cachedStatement(sql: "SELECT name FROM file_aliases WHERE alias = ?")
            .firstRow([name]) { $0.text(0) }
        let first = try db.cachedStatement(sql: "SELECT min(alias) FROM file_aliases WHERE name = ?")
            .firstRow([known ?? name]) { $0.textIfAny(0) }
        return (first ?? nil) ?? name
    }
}
