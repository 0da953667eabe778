import GRDB
import ParseModel
import StoreService
import SyncModel

/// Runs the read and write transactions of a store, and keeps its caches consistent with the file. The file is open while this
/// object exists.
final class Transactions: Sendable {
    let configuration: StoreConfiguration
    let environment: Environment
    let file: StoreFile
    let access: StoreAccess
    let authorship: Authorship
    let sessions: SessionCache
    let objectCache: ObjectCache
    private let schemaCache: SchemaCache
    private let past = PastStates()
    private let stamps: WriteStamps
    private let ways: StoreTransaction.Ways

    var readers: ReaderPool { file.readers }

    /// Opens the file, or creates it.
    /// - Throws: `StoreError`. A file of a newer version, a file in use and a file of another program stay unchanged.
    init(
        _ configuration: StoreConfiguration, environment: Environment, ways: StoreTransaction.Ways
    ) throws {
        self.configuration = configuration
        self.environment = environment
        self.ways = ways
        access = StoreAccess(configuration.rights)
        authorship = Authorship(configuration.rights, author: configuration.author)
        (sessions, schemaCache) = (SessionCache(), SchemaCache())
        objectCache = ObjectCache(bytesMax: configuration.objectCacheBytesMax)
        file = try StoreFile(
            configuration, environment: environment,
            observers: [schemaCache, objectCache, access.rights, access.acls, sessions])
        stamps = WriteStamps(
            after: file.stampFloor, keepsOrder: configuration.keepsStampsInOrder, now: environment.now)
    }

    // MARK: Reads

    /// Reads with several statements in one snapshot.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try readers.read(body) }

    /// Reads with a single statement, which needs no transaction.
    func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value { try readers.readOnce(body) }

    /// Reads in one snapshot from async code, through `ReadThreads`.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await readers.read(body)
    }

    /// Reads with a single statement from async code, through `ReadThreads`.
    func readOnce<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await readers.readOnce(body)
    }

    /// The principal's rights on a class.
    func rules(of className: String, as principal: Principal) throws -> AccessRules {
        AccessRules(
            principal,
            try access.rights.rights(of: className) {
                // Reads in a new snapshot. A snapshot of the caller could be older than the last change of the permissions.
                try read { try access.permissions(in: $0).rights(of: className) }
            })
    }

    // MARK: Writes

    /// Runs `body` in a write transaction, which other writes may share.
    /// - Parameters:
    ///   - author: the author of the running sync; nil for the author of the principal.
    ///   - isLocal: whether a local client makes the write. Its commit removes only the saved objects from the object
    ///     cache. The commit of any other write empties the caches of objects and rights. A local write that changes a
    ///     schema must empty the schema cache itself.
    func write<Value: Sendable>(
        as principal: Principal = .master, of author: AuthorKey? = nil, isLocal: Bool = false,
        kind: WriteKind = .other,
        _ body: @escaping @Sendable (StoreTransaction) throws -> Value
    ) async throws -> Value {
        // The closure does not capture `self`. If it did, the writer's queue would keep the file open and its directory
        // locked for a moment after the last user of the store has released it.
        try await file.writer.write(kind) {
            [
                stamps, configuration, environment, schemaCache, objectCache, access, authorship, past, sessions,
                ways
            ] db in
            var isUndone = true
            defer {
                if isUndone || !isLocal { schemaCache.forget() }
                if isUndone { access.acls.forgetKeys() }
            }
            if !isLocal {
                objectCache.removeAllAtCommit()
                access.rights.forgetAtCommit()
            }
            let value = try body(
                StoreTransaction(
                    db: db, now: stamps.next(), store: configuration, environment: environment, principal: principal,
                    author: author ?? authorship.key(of: principal, in: db), authorship: authorship,
                    schemas: schemaCache, access: access, objects: objectCache, past: past, ways: ways,
                    sessions: sessions))
            isUndone = false
            return value
        }
    }
}
