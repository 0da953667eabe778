import ParseModel
import StoreService
import SyncModel

/// The values that a remote with tables stores: dates, and pointers and bytes if the mapping of the class names their
/// field.
struct TableRules: RemoteValueRules {
    /// The classes that the remote stores with Parse's types.
    var typed: Set<String> = []

    func mapsValues(of className: String) -> Bool { !typed.contains(className) }

    func named(_ file: FileReference) -> FileReference { file }

    func refusal(of fields: JSONObject, in className: String, mapping: ClassMapping) -> ParseError? {
        guard mapsValues(of: className) else { return nil }
        for (field, value) in fields {
            guard let type = FieldType(of: value), ![.string, .number, .boolean].contains(type),
                mapping.fields[field] != type
            else { continue }
            return ParseError(.incorrectType, "\(field) cannot be stored")
        }
        return nil
    }
}
