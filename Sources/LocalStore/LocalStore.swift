import GRDB
import ParseModel
import StoreService
import SyncModel

/// Objects in a SQLite file: what local clients read and write, and what the sync engine keeps in step with a remote.
package final class LocalStore: GatewayStore {
    /// The settings that every store has, and those of this one. The members of `settings` are members of this type.
    @dynamicMemberLookup
    package struct Configuration: Sendable {
        package var settings: StoreSettings
        /// Whether a write's time is never before that of an earlier one, also after the clock was set back. Parse Server does
        /// not promise this; a store that plays a Parse Server turns it off.
        package var keepsStampsInOrder = true
        /// For a deterministic run: each write is a transaction of its own on the caller's thread, and the watch sees each commit.
        package var watch: CommitWatch?
        /// The rule for pending work under changed rows. A rule other than the standard one is a deliberate break.
        package var rebase: RebaseRules.Rebase = RebaseRules.decide
        /// Called in the transaction after each event of an object's life. Checkers use it.
        package var audit: (@Sendable (_ before: ObjectLife, _ after: ObjectLife, _ event: LifeEvent) -> Void)?
        var indexing = IndexKeeper.Limits()

        package init(_ settings: StoreSettings) { self.settings = settings }

        package init(directory: String, identity: StoreIdentity) {
            self.init(StoreSettings(directory: directory, identity: identity))
        }

        package subscript<Value>(dynamicMember path: WritableKeyPath<StoreSettings, Value>) -> Value {
            get { settings[keyPath: path] }
            set { settings[keyPath: path] = newValue }
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
        as principal: Principal = .master, isLocal: Bool = false,
        _ body: @escaping @Sendable (StoreTransaction) throws -> Value
    ) async throws -> Value {
        // A job holds no store, which would live on for a moment after its last user has let it go, and its lock with it.
        try await writer.write { [stamps, configuration, environment, schemaCache, tagCache, past] db in
            var isUndone = true
            defer { if isUndone || !isLocal { schemaCache.forget() } }
            if !isLocal { tagCache.forgetAtCommit() }
            let value = try body(
                StoreTransaction(
                    db: db, now: stamps.next(), store: configuration, environment: environment, principal: principal,
                    schemas: schemaCache, past: past))
            isUndone = false
            return value
        }
    }

    // MARK: ObjectStore

    package func onCommit(_ observer: @escaping @Sendable () -> Void) { writer.observers.add(observer) }

    package func object(
        _ className: String, _ objectId: String, as principal: Principal
    ) throws -> StoredObject? {
        try AccessRules.authorize(.get, className, objectId, as: principal)
        return try readOnce { db in
            var found = try Self.object(className, objectId, in: db)
            if found == nil {
                let alias = try db.cachedStatement(sql: "SELECT id FROM aliases WHERE class = ? AND alias = ?")
                guard let id = try String.fetchOne(alias, arguments: [className, objectId]) else { return nil }
                found = try Self.object(className, id, in: db)
            }
            if let found, try damaged.all(of: className, in: db).contains(where: { $0.objectId == found.objectId }) {
                throw StoreError.damaged(className: className, objectId: found.objectId)
            }
            return try found?.shown(to: principal, of: className)
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
        _ requests: [WriteRequest], as principal: Principal, atomically: Bool
    ) async -> [Result<WriteReceipt, any Error>] {
        do {
            defer { configuration.onLocalWrite() }
            let writes = requests.map { PreparedWrite($0, fieldsMax: configuration.classFieldsMax) }
            return try await write(as: principal, isLocal: true) { transaction in
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
