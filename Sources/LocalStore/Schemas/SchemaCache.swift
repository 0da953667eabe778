import GRDB
import ParseModel
import StoreService

/// The schemas against which clients' writes are checked. Each is read once in a transaction, which many creates of a class share (7% of
/// a create). Any other write may change a schema, and empties the cache.
final class SchemaCache: TransactionObserver, @unchecked Sendable {
    // Used only on the writer's queue.
    private var schemas: [String: ClassSchema?] = [:]

    func schema(of className: String, read: () throws -> ClassSchema?) rethrows -> ClassSchema? {
        if let known = schemas[className] { return known }
        let schema = try read()
        schemas[className] = .some(schema)
        return schema
    }

    /// Called when a schema was changed, or when its change may have been undone.
    func forget() { schemas = [:] }

    // MARK: TransactionObserver

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { forget() }
    func databaseDidRollback(_ db: Database) { forget() }
}
