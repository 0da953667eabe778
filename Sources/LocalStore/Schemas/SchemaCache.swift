import GRDB
import ParseModel
import StoreService

/// The schemas for the checks of clients' writes. A schema is read once for many creates of a class (7% of a create). Every other
/// kind of write may change a schema, and empties the cache.
final class SchemaCache: TransactionObserver, @unchecked Sendable {
    // Used only on the writer's queue.
    private var schemas: [String: ClassSchema?] = [:]

    func schema(of className: String, read: () throws -> ClassSchema?) rethrows -> ClassSchema? {
        if let known = schemas[className] { return known }
        let schema = try read()
        schemas[className] = .some(schema)
        return schema
    }

    /// Empties the cache. Called after a change of a schema, and after a rollback.
    func forget() { schemas = [:] }

    // MARK: TransactionObserver

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { forget() }
    func databaseDidRollback(_ db: Database) { forget() }
}
