import GRDB
import ParseModel
import StoreService

/// The open SQLite file, with its directory, its writer and its readers.
final class StoreFile: Sendable {
    private let directory: DataDirectory
    private let reads: ReadWatch
    let writer: GroupCommitWriter
    let readers: ReaderPool
    let contents: ContentDirectory
    /// The id of this gateway, unique among all gateways of the same remote.
    let replicaId: String
    /// The lowest timestamp that a new write may have; 0 in a replica.
    let stampFloor: ParseDate

    private static let mappedBytesMax = 1 << 30
    /// The page cache of each connection, in KiB. It is smaller in the store of a single user, because a gateway can
    /// have twenty such stores open, and a first sync fills the cache.
    private let cacheKiB: Int

    /// Opens the file, or creates it.
    /// - Parameter observers: are notified of the writer's transactions.
    /// - Throws: `StoreError`. A file of a newer version, a file in use and a file of another program stay unchanged.
    init(
        _ configuration: StoreConfiguration, environment: Environment, observers: [any TransactionObserver]
    ) throws {
        let reads = ReadWatch(uptime: environment.uptime)
        self.reads = reads
        directory = try DataDirectory(path: configuration.directory)
        try directory.requireFileOfLeftovers()
        try directory.makeDatabaseFile()
        contents = ContentDirectory(in: directory.path, sharedDirectory: configuration.sharedDirectory)
        let cacheKiB = configuration.sharedDirectory == nil ? 8000 : 2000
        self.cacheKiB = cacheKiB
        let path = directory.databasePath
        do {
            let isNew = try Self.openReader(path, cacheKiB).unsafeRead { try Migrations.isNew($0, path: path) }
            if isNew { try directory.requireNoLeftovers() }
            var writing = Self.connection(Interruption(), cacheKiB)
            writing.journalMode = .wal
            let queue = try DatabaseQueue(path: path, configuration: writing)
            for observer in observers { queue.add(transactionObserver: observer) }
            (replicaId, stampFloor) = try queue.writeWithoutTransaction { [directory] db in
                // GRDB sets NORMAL when it opens a WAL file. This PRAGMA then sets the configured value.
                try db.execute(sql: "PRAGMA synchronous = \(configuration.synchronous.rawValue)")
                try isNew ? Migrations.begin(db) : Migrations.run(in: db)
                return try Self.begin(db, configuration, in: directory, environment)
            }
            let readLock = SharedReadLock {
                var holding = Self.connection(Interruption(), cacheKiB)
                holding.readonly = true
                holding.allowsUnsafeTransactions = true
                return try DatabaseQueue(path: path, configuration: holding)
            }
            writer = try GroupCommitWriter(
                queue: queue, readLock: readLock, executor: configuration.executor, watch: configuration.watch,
                limits: configuration.pageWrites)
            let threads = ReadThreads(count: configuration.executor.readThreads)
            readers = ReaderPool(
                lock: readLock, watch: reads, threads: threads, queryBytesMax: configuration.queryBytesMax
            ) { interruption in
                var reading = Self.connection(interruption, cacheKiB)
                reading.readonly = true
                // A read of a mapped page needs neither a system call nor a copy. Without the mapping, a list of 100 scattered
                // objects spent a fifth of its time in `pread`.
                reading.prepareDatabase { try $0.execute(sql: "PRAGMA mmap_size = \(Self.mappedBytesMax)") }
                return try DatabaseQueue(path: path, configuration: reading)
            }
        } catch {
            throw StoreError.wrapping(error, operation: "open \(path)")
        }
        contents.forgetDrafts()
    }

    /// Checks that the file belongs to this gateway. Requests that an earlier process left in flight get the phase
    /// `unknown`.
    /// - Returns: the replica's id, and the lowest timestamp of new writes.
    private static func begin(
        _ db: Database, _ configuration: StoreConfiguration, in directory: DataDirectory, _ environment: Environment
    ) throws -> (replicaId: String, stampFloor: ParseDate) {
        var replicaId = ""
        var newestMs: Int64 = 0
        try db.inTransaction(.immediate) {
            replicaId = try configuration.identity.claim(
                db, in: directory, takesOver: configuration.takesOver, environment: environment)
            try db.run(
                """
                DELETE FROM unanswered WHERE (class, id, identity) IN (
                    SELECT class, id, identity FROM outbox WHERE \(OutboxTable.isOfAny) AND phase = 'inFlight')
                """)
            try db.run("UPDATE outbox SET phase = 'unknown' WHERE \(OutboxTable.isOfAny) AND phase = 'inFlight'")
            // In a replica the lowest timestamp stays 0, because its objects have timestamps of the remote, which may
            // be ahead of the local clock.
            if configuration.identity.remote == nil { newestMs = try db.integer(newestUpdate) ?? 0 }
            return .commit
        }
        return (replicaId, ParseDate(milliseconds: newestMs))
    }

    /// A query for the latest `updatedAt` of all objects. It reads one index entry per class, so that the time to open a file
    /// does not depend on the number of objects.
    private static let newestUpdate = """
        SELECT max((SELECT max(updated_at) FROM objects WHERE class = c.class)) FROM class_counts c
        """

    /// Closes the writer last, so that closing it removes the write-ahead log.
    deinit {
        readers.close()
        writer.close()
    }

    /// Opens a read-only connection outside of the reader pool, for long work.
    func openReader() throws -> DatabaseQueue { try Self.openReader(directory.databasePath, cacheKiB) }

    private static func openReader(_ path: String, _ cacheKiB: Int) throws -> DatabaseQueue {
        var configuration = connection(Interruption(), cacheKiB)
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func connection(_ interruption: Interruption, _ cacheKiB: Int) -> GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { db in
            QueryFunctions.register(in: db, interruption)
            try db.fixPlans()
            try db.execute(sql: "PRAGMA cache_size = -\(cacheKiB)")
            // Sorting in a temporary file would fail on a full disk, and would write objects outside of the data directory. The
            // memory for sorting is bounded by `QueryMemory`.
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    /// Interrupts running and later queries of clients, which then throw. Called before the store closes.
    func interruptReads() { reads.interruptAll() }
}
