import ParseModel
import StoreService
import SyncModel

/// Refuses local writes whose objects the remote can never store.
struct ValueCheck {
    let transaction: StoreTransaction

    /// Checks an object as it is after a local write.
    /// - Parameter fields: the object's fields after the write.
    /// - Throws: the remote's `ParseError` for an object that it can never store.
    func check(_ operations: FieldOperations, making fields: JSONObject, of className: String) throws {
        guard let rules = transaction.store.valueRules else { return }
        let mapping =
            rules.mapsValues(of: className)
            ? try ClassMappings(db: transaction.db).mapping(of: className) : ClassMapping()
        // The other fields may come from the remote, which has stored them.
        let written = JSONObject(operations.fields.compactMap { name in fields[name].map { (name, $0) } })
        if let refusal = rules.refusal(of: written, in: className, mapping: mapping) { throw refusal }
    }
}
