import GRDB
import ParseModel
import StoreService

/// The schemas and id fields for clients' writes. In one transaction, many creates of a class read them only once. The cache is
/// emptied at each commit and rollback, and by each write that may change a schema or the options of a class.
final class SchemaCache: TransactionObserver, @unchecked Sendable {
    // By class; nil for a class without a schema. Used only on the writer's queue.
    private var schemas: [String: ClassSchema?] = [:]
    private var idFields: [String: IdFields] = [:]

    func schema(of className: String, read: () throws -> ClassSchema?) rethrows -> ClassSchema? {
        if let known = schemas[className] { return known }
        let schema = try read()
        schemas[className] = .some(schema)
        return schema
    }

    func idFields(of className: String, read: () throws -> IdFields) rethrows -> IdFields {
        if let known = idFields[className] { return known }
        let fields = try read()
        idFields[className] = fields
        return fields
    }

    /// Empties the cache. Called for a change of a schema or of a class's options, and after each commit and rollback.
    func forget() { (schemas, idFields) = ([:], [:]) }

    // MARK: TransactionObserver

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { forget() }
    func databaseDidRollback(_ db: Database) { forget() }
}
