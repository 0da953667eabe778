import GRDB
import ParseModel
import SyncModel

/// Objects in a SQLite file: what local clients read and write, and what the sync engine keeps in step with a remote.
package final class LocalStore: ObjectStore {
    package struct Configuration: Sendable {
        package enum Synchronous: String, Sendable { case full, normal }

        package var directory: String
        package var identity: StoreIdentity
        /// `full`: a power cut loses nothing that was acknowledged. `normal`: it may lose the last moments.
        package var synchronous: Synchronous = .full
        /// Whether a create may bring its own objectId. A stock Parse Server refuses. A replica takes one unless its remote is
        /// known to refuse.
        package var allowsChosenIds = false
        /// How many fields local writes may bring a class to. Pulled rows may bring more.
        package var classFieldsMax = 1000
        /// Called after local writes are on disk.
        package var onLocalWrite: @Sendable () -> Void = {}
        /// Called from any thread where a read has come upon damaged objects that no check of the file has named.
        package var onDamage: @Sendable (_ objects: [FileFindings.DamagedObject]) -> Void = { _ in }
        /// Whether a copied directory shall be accepted as the one to be used.
        package var takesOver = false
        /// Whether a write's time is never before that of an earlier one, also when the clock goes back. Parse Server
        /// gives no such promise; where a store plays one, neither does it.
        package var keepsStampsInOrder = true
        /// In a deterministic run: each write is a transaction of its own, carried out on the caller's thread, with
        /// somebody watching.
        package var watch: CommitWatch?
        /// The rule for pending work under changed rows. Another one than the standard is a deliberate break.
        package var rebase: RebaseRules.Rebase = RebaseRules.decide
        /// Called in the transaction after each event of an object's life. Checkers use it.
        package var audit: (@Sendable (_ before: ObjectLife, _ after: ObjectLife, _ event: LifeEvent) -> Void)?
        var indexing = IndexKeeper.Limits()

        package init(directory: String, identity: StoreIdentity) {
            self.directory = directory
            self.identity = identity
        }
    }

    package let configuration: Configuration
    /// This gateway among all that serve the same remote.
    package let replicaId: String
    let environment: Environment
    private let directory: DataDirectory
    private let writer: GroupCommitWriter
    let readers: ReaderPool
    let indexes: IndexKeeper
    let contents: ContentDirectory
    let damaged: DamagedObjects
    private let reads: ReadWatch
    private let stamps: WriteStamps
    private let schemaCache = SchemaCache()
    let tagCache = TagCache()
    private let past = PastStates()

    /// Opens the file, or makes it.
    /// - Throws: `StoreError`; a file that is newer, in use, or somebody else's is not touched.
    package init(_ configuration: Configuration, environment: Environment) throws {
        _ = SQLiteMemory.isUncounted
        self.configuration = configuration
        self.environment = environment
        damaged = DamagedObjects(onFound: configuration.onDamage)
        reads = ReadWatch(uptime: environment.uptime)
        indexes = IndexKeeper(limits: configuration.indexing, began: environment.uptime())
        directory = try DataDirectory(path: configuration.directory)
        try directory.requireFileOfLeftovers()
        try directory.makeDatabaseFile()
        contents = ContentDirectory(in: directory.path)
        let path = directory.databasePath
        do {
            var reading = Self.connection(Interruption())
            reading.readonly = true
            let isNew = try DatabaseQueue(path: path, configuration: reading).unsafeRead {
                try Migrations.isNew($0, path: path)
            }
            if isNew { try directory.requireNoLeftovers() }
            var writing = Self.connection(Interruption())
            writing.journalMode = .wal
            let queue = try DatabaseQueue(path: path, configuration: writing)
            queue.add(transactionObserver: schemaCache)
            queue.add(transactionObserver: tagCache)
            let opened = try queue.writeWithoutTransaction { [directory] db in
                // GRDB chooses NORMAL for WAL while it opens, so this comes after.
                try db.execute(sql: "PRAGMA synchronous = \(configuration.synchronous.rawValue)")
                try Migrations.run(in: db)
                return try db.inTransactionReturning {
                    let replicaId = try configuration.identity.claim(
                        db, in: directory, takesOver: configuration.takesOver, environment: environment)
                    // What was on its way when the last process ended may have arrived.
                    try db.execute(
                        sql: """
                            DELETE FROM unanswered WHERE (class, id) IN (SELECT class, id FROM outbox WHERE phase = 'inFlight');
                            UPDATE outbox SET phase = 'unknown' WHERE phase = 'inFlight';
                            """)
                    let newest = try Int64.fetchOne(db, sql: Self.newestUpdate) ?? 0
                    // Views of a replica carry the remote's stamps, which may be ahead of ours.
                    let floor = configuration.identity.isReplica ? 0 : newest
                    return (replicaId: replicaId, floor: ParseDate(milliseconds: floor))
                }
            }
            replicaId = opened.replicaId
            stamps = WriteStamps(
                after: opened.floor, keepsOrder: configuration.keepsStampsInOrder, now: environment.now)
            let readLock = SharedReadLock {
                var holding = Self.connection(Interruption())
                holding.readonly = true
                holding.allowsUnsafeTransactions = true
                return try DatabaseQueue(path: path, configuration: holding)
            }
            writer = GroupCommitWriter(queue: queue, readLock: readLock, watch: configuration.watch)
            let threads = ReadThreads(isInline: configuration.watch != nil)
            readers = ReaderPool(lock: readLock, watch: reads, threads: threads) { interruption in
                var reading = Self.connection(interruption)
                reading.readonly = true
                // Pages out of the system's cache, without a call and a copy for each: a list of 100 objects that lie apart
                // spent a fifth of its time in 'pread'.
                reading.prepareDatabase { try $0.execute(sql: "PRAGMA mmap_size = \(Self.mappedBytesMax)") }
                return try DatabaseQueue(path: path, configuration: reading)
            }
        } catch {
            throw StoreError.wrapping(error, operation: "open \(path)")
        }
        contents.forgetDrafts()
    }

    private static let mappedBytesMax = 1 << 30

    /// By an index of each class: the file is opened as fast however many objects are in it.
    private static let newestUpdate = """
        SELECT max((SELECT max(updated_at) FROM objects WHERE class = c.class)) FROM class_counts c
        """

    /// The lock goes last, and the writer after the readers, so that it leaves one file without a log.
    deinit {
        readers.close()
        writer.close()
    }

    /// A read-only connection beside those of the pool, for long work.
    func openReading() throws -> DatabaseQueue {
        var configuration = Self.connection(Interruption())
        configuration.readonly = true
        return try DatabaseQueue(path: directory.databasePath, configuration: configuration)
    }

    private static func connection(_ interruption: Interruption) -> GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { db in
            QueryFunctions.register(in: db, interruption)
            try db.execute(sql: "PRAGMA cache_size = -8000")
            // Sorting in a file would fail on a full disk, where reads have to go on, and leave objects outside the
            // data directory for a while. What is kept is bounded by the page asked for and what it skips, or else by the class.
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    /// Queries that still run end with an error: the store is about to close.
    package func interruptReads() { reads.interruptAll() }

    // MARK: Access for the parts of the store

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try readers.read(body) }

    func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value { try readers.readOnce(body) }

    /// A read in an async function. It leaves the cooperative pool.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await readers.read(body)
    }

    func readOnce<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await readers.readOnce(body)
    }

    /// - Parameter isLocal: the write is one of a local client: it changes schemas only where it says so itself, and neither
    ///   aliases nor class options.
    func write<Value: Sendable>(
        isLocal: Bool = false, _ body: @escaping @Sendable (StoreTransaction) throws -> Value
    ) async throws -> Value {
        // A job holds no store, which would live on for a moment after its last user has let it go, and its lock with it.
        try await writer.write { [stamps, configuration, environment, schemaCache, tagCache, past] db in
            var isUndone = true
            defer { if isUndone || !isLocal { schemaCache.forget() } }
            if !isLocal { tagCache.forgetAtCommit() }
            let value = try body(
                StoreTransaction(
                    db: db, now: stamps.next(), store: configuration, environment: environment, schemas: schemaCache,
                    past: past))
            isUndone = false
            return value
        }
    }

    // MARK: ObjectStore

    package func onCommit(_ observer: @escaping @Sendable () -> Void) { writer.observers.add(observer) }

    package func object(_ className: String, _ objectId: String) throws -> StoredObject? {
        try readOnce { db in
            var found = try Self.object(className, objectId, in: db)
            if found == nil {
                let alias = try db.cachedStatement(sql: "SELECT id FROM aliases WHERE class = ? AND alias = ?")
                guard let id = try String.fetchOne(alias, arguments: [className, objectId]) else { return nil }
                found = try Self.object(className, id, in: db)
            }
            if let found, try damaged.all(of: className, in: db).contains(where: { $0.objectId == found.objectId }) {
                throw StoreError.damaged(className: className, objectId: found.objectId)
            }
            return found
        }
    }

    private static func object(_ className: String, _ objectId: String, in db: Database) throws -> StoredObject? {
        let statement = try db.cachedStatement(
            sql: "SELECT id, view, state, is_provisional FROM objects WHERE class = ? AND id = ? AND view IS NOT NULL")
        try statement.bind(texts: className, objectId)
        var found: StoredObject?
        try statement.forEachObject { found = $0 }
        return found
    }

    package func perform(
        _ requests: [WriteRequest], atomically: Bool
    ) async -> [Result<WriteReceipt, any Error>] {
        do {
            defer { configuration.onLocalWrite() }
            let writes = requests.map { PreparedWrite($0, fieldsMax: configuration.classFieldsMax) }
            return try await write(isLocal: true) { transaction in
                // What throws is undone anyway where it is alone.
                if writes.count == 1 { return [.success(try transaction.perform(writes[0]))] }
                var results: [Result<WriteReceipt, any Error>] = []
                for write in writes {
                    do {
                        results.append(.success(try transaction.savepoint { try transaction.perform(write) }))
                    } catch {
                        guard !atomically, transaction.db.isInsideTransaction else { throw error }
                        results.append(.failure(StoreError.wrapping(error, operation: "write")))
                    }
                }
                return results
            }
        } catch {
            return requests.map { _ in .failure(error) }
        }
    }

    package func classNames() throws -> [String] {
        // A replica knows schemas of classes of which it keeps nothing.
        let schemas =
            configuration.identity.isReplica ? "" : "UNION SELECT class FROM fields UNION SELECT class FROM schemas"
        return try readOnce { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM classes UNION SELECT class FROM objects \(schemas) ORDER BY 1")
        }
    }
}

extension Database {
    fileprivate func inTransactionReturning<Value>(_ body: () throws -> Value) throws -> Value {
        var value: Value?
        try inTransaction(.immediate) {
            value = try body()
            return .commit
        }
        guard let value else { preconditionFailure("a transaction that committed has run its body") }
        return value
    }
}
