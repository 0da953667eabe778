import GRDB
import ParseModel
import StoreService

/// Compares two contents of an object. Differences that the acknowledgement of a push causes are ignored.
///
/// Ignored are:
/// - the object's id and dates
/// - ids of objects and names of files that the remote has replaced, and the URLs of files, which the server derives from their names
/// - relation fields, which a server returns with every object of the class
/// - fields that are null
/// - the class's `opField`, the field for operation ids
///
/// The order of keys and the notation of numbers do not matter.
struct StableContent {
    private let className: String
    private let transaction: StoreTransaction
    private var db: Database { transaction.db }

    init(className: String, in transaction: StoreTransaction) {
        (self.className, self.transaction) = (className, transaction)
    }

    /// Whether two contents are the same, apart from the ignored differences.
    func isSame(_ one: JSONObject, _ other: JSONObject) throws -> Bool {
        for (field, _) in one where try !isSame(field, in: one, and: other) { return false }
        for (field, _) in other where try one[field] == nil && !isSame(field, in: one, and: other) { return false }
        return true
    }

    /// Whether a field has the same value in two contents, apart from the ignored differences.
    func isSame(_ field: String, in one: JSONObject, and other: JSONObject) throws -> Bool {
        let (value, otherValue) = (one[field], other[field])
        if value == otherValue { return true }
        return try stable(field: value) == stable(field: otherValue) || field == opField()
    }

    /// The class's field for operation ids. It is read only when a field differs, because most fields are equal.
    private func opField() throws -> String? { try transaction.options(of: className).opField }

    private func stable(field value: JSONValue?) throws -> JSONValue? {
        guard let value, !value.isNull else { return nil }
        if case .relation = FieldType(of: value) { return nil }
        return try stable(value)
    }

    private func stable(_ value: JSONValue) throws -> JSONValue {
        switch value {
        case .null, .bool, .string: return value
        case .number(let number): return .number(number.canonical)
        case .array(let elements): return .array(try elements.map(stable))
        case .object(let object):
            if let pointer = Pointer(value) {
                return Pointer(className: pointer.className, objectId: try presentId(of: pointer)).json
            }
            if let file = FileReference(value) {
                return FileReference(name: try presentName(ofFile: file.name), url: nil).json
            }
            return .object(JSONObject(try object.map { ($0.key, try stable($0.value)) }))
        }
    }

    private func presentId(of pointer: Pointer) throws -> String {
        try Aliases(db: db).id(of: pointer.className, pointer.objectId)
    }

    private func presentName(ofFile name: String) throws -> String {
        try FileTable(db: db).presentName(of: name) ?? name
    }
}
