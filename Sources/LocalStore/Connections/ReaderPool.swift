import GRDB
import StoreService
import Synchronization

/// A pool of read-only connections. Each running read uses its own connection, so a read never waits for another read.
final class ReaderPool: Sendable {
    /// The type is `Sendable` because only one read at a time uses a connection.
    private struct Connection: @unchecked Sendable {
        let queue: DatabaseQueue
        let interruption: Interruption
        /// The SQL of the clients' queries that this connection keeps prepared.
        var prepared: Set<String> = []
        /// The latest statement that `firstRow` has run on this connection. It stays prepared.
        var kept: (sql: String, statement: Statement)?
    }

    /// Returns a prepared statement for the SQL of a query.
    typealias Prepare = (_ sql: String) throws -> Statement

    private let idle = Mutex<[Connection]>([])
    private let open: @Sendable (Interruption) throws -> DatabaseQueue
    private let lock: SharedReadLock
    private let watch: ReadWatch
    private let threads: ReadThreads
    /// The maximum memory of a client's query, in bytes.
    private let queryBytesMax: Int
    private static let idleMax = 16
    /// The maximum number of clients' statements that a connection keeps prepared.
    private static let preparedMax = 200
    private static let preparedLengthMax = 1000

    init(
        lock: SharedReadLock, watch: ReadWatch, threads: ReadThreads, queryBytesMax: Int,
        open: @escaping @Sendable (Interruption) throws -> DatabaseQueue
    ) {
        self.threads = threads
        self.queryBytesMax = queryBytesMax
        self.lock = lock
        self.watch = watch
        self.open = open
    }

    /// Closes the idle connections.
    func close() {
        lock.close()
        idle.withLock { $0.removeAll() }
    }

    /// Reads in one snapshot of the file.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try using { connection in try connection.queue.read(body) }
    }

    /// Reads with a single statement, which needs no transaction.
    func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try using { connection in try connection.queue.unsafeRead(body) }
    }

    /// Reads the first row of a single statement, which stays prepared. It bypasses the queue of the connection, which saves a
    /// tenth of a `GET` by id.
    func firstRow<Value>(
        _ sql: String, _ values: SQLiteBindings, _ read: (SQLiteRow) throws -> Value
    ) throws -> Value? {
        try using { connection in
            if let kept = connection.kept, kept.sql == sql { return try kept.statement.firstRow(values, read) }
            let statement = try connection.queue.unsafeRead { try $0.makeStatement(sql: sql) }
            connection.kept = (sql, statement)
            return try statement.firstRow(values, read)
        }
    }

    /// Reads in one snapshot, on a thread of `ReadThreads`.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await threads.run { try self.read(body) }
    }

    /// Reads with a single statement, on a thread of `ReadThreads`.
    func readOnce<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await threads.run { try self.readOnce(body) }
    }

    /// Runs a client's query in one snapshot, with limits of time and memory. Up to `preparedMax` short statements stay prepared
    /// for later queries.
    /// - Throws: `StoreError.tookTooLong` if the query was interrupted; `StoreError.tooMuchMemory` and `StoreError.memoryInUse`.
    func query<Value>(timeout: ReadTimeout, _ body: (Database, Prepare) throws -> Value) throws -> Value {
        try using { connection in
            let ticket = watch.begin(connection.queue, connection.interruption, timeout: timeout)
            let result = Result {
                try connection.queue.read { db in
                    try QueryMemory.bounded(db, bytesMax: queryBytesMax) {
                        try body(db) { try Self.statement($0, in: db, &connection.prepared) }
                    }
                }
            }
            let wasInterrupted = watch.end(ticket)
            if case .failure = result, wasInterrupted { throw StoreError.tookTooLong }
            return try result.get()
        }
    }

    private static func statement(_ sql: String, in db: Database, _ prepared: inout Set<String>) throws -> Statement {
        let isKept = prepared.contains(sql) || prepared.count < preparedMax && sql.utf8.count <= preparedLengthMax
        guard isKept else { return try db.makeStatement(sql: sql) }
        prepared.insert(sql)
        return try db.cachedStatement(sql: sql)
    }

    private func openConnection() throws -> Connection {
        let interruption = Interruption()
        return Connection(queue: try open(interruption), interruption: interruption)
    }

    private func using<Value>(_ body: (inout Connection) throws -> Value) throws -> Value {
        lock.noteRead()
        var connection = try idle.withLock({ $0.popLast() }) ?? openConnection()
        defer { idle.withLock { if $0.count < Self.idleMax { $0.append(connection) } } }
        do {
            return try body(&connection)
        } catch {
            throw StoreError.wrapping(error, operation: "read")
        }
    }
}
