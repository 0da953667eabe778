import GRDB
import ParseModel
import StoreService

/// The schemas for the checks of clients' writes. In one transaction, many creates of a class read its schema only once. The
/// cache is emptied at each commit and rollback, and by each write that may change a schema.
final class SchemaCache: TransactionObserver, @unchecked Sendable {
    // By class; nil for a class without a schema. Used only on the writer's queue.
    private var schemas: [String: ClassSchema?] = [:]

    func schema(of className: String, read: () throws -> ClassSchema?) rethrows -> ClassSchema? {
        if let known = schemas[className] { return known }
        let schema = try read()
        schemas[className] = .some(schema)
        return schema
    }

    /// Empties the cache. Called for a change of a schema, and after each commit and rollback.
    func forget() { schemas = [:] }

    // MARK: TransactionObserver

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { forget() }
    func databaseDidRollback(_ db: Database) { forget() }
}
