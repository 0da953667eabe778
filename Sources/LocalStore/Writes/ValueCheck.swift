import ParseModel
import StoreService
import SyncModel

/// Refuses local writes of values that the remote cannot store.
struct ValueCheck {
    let transaction: StoreTransaction

    /// Checks the values that a write sets.
    /// - Parameter fields: the object's fields after the write.
    /// - Throws: the remote's `ParseError` for a value that it cannot store.
    func check(_ operations: FieldOperations, making fields: JSONObject, of className: String) throws {
        guard let rules = transaction.store.valueRules else { return }
        let mapping =
            rules.mapsValues(of: className)
            ? try ClassMappings(db: transaction.db).mapping(of: className) : ClassMapping()
        // Only the written fields are checked. The other fields can come from the remote, which has stored them.
        let written = JSONObject(operations.fields.compactMap { name in fields[name].map { (name, $0) } })
        if let refusal = rules.refusal(of: written, in: className, mapping: mapping) { throw refusal }
    }
}
