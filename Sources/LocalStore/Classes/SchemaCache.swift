import GRDB
import ParseModel
import StoreService
import SyncModel

/// Caches the schemas and options of classes for the writes of clients, so that many creates of a class in one transaction read
/// them once. The cache is emptied at each commit and rollback, and by each write that may change a schema or options.
final class SchemaCache: TransactionObserver, @unchecked Sendable {
    // The cached values by class; a schema is nil for a class without one. Used only on the writer's queue.
    private var schemas: [String: ClassSchema?] = [:]
    private var options: [String: ClassOptions] = [:]

    func schema(of className: String, read: () throws -> ClassSchema?) rethrows -> ClassSchema? {
        if let known = schemas[className] { return known }
        let schema = try read()
        schemas[className] = .some(schema)
        return schema
    }

    func options(of className: String, read: () throws -> ClassOptions) rethrows -> ClassOptions {
        if let known = options[className] { return known }
        let read = try read()
        options[className] = read
        return read
    }

    /// Empties the cache. Called for a change of a schema or of a class's options, and after each commit and rollback.
    func forget() { (schemas, options) = ([:], [:]) }

    // MARK: TransactionObserver

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { forget() }
    func databaseDidRollback(_ db: Database) { forget() }
}
