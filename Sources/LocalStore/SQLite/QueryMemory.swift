import CQueryMemory
import GRDB
import StoreService

/// Limits the memory that SQLite allocates for a client's query. SQLite parses a JSON text into a tree of many times its length, and it
/// sorts in memory.
enum QueryMemory {
    /// The maximum for one query, in bytes. All queries together have twice as much, and 8 MiB each
    /// (`Sources/CQueryMemory/include/CQueryMemory.h`).
    static let bytesMax = 128 << 20

    /// The largest memory, in bytes, of the latest query of the calling thread that was interrupted.
    static var latestPeak: Int { Int(tidegate_query_memory_peak()) }

    /// Runs a query with an account of its memory. A query that exceeds its memory is interrupted.
    /// - Throws: `StoreError.tooMuchMemory`, `StoreError.memoryInUse`, and the errors of `body`.
    static func bounded<Value>(_ db: Database, bytesMax: Int, _ body: () throws -> Value) throws -> Value {
        let before = tidegate_query_memory_begin(db.sqliteConnection, Int64(bytesMax))
        let result = Result { try body() }
        let excess = tidegate_query_memory_end(before)
        if case .failure(let error) = result, let exceeded = Self.error(excess, behind: error) { throw exceeded }
        return try result.get()
    }

    /// Runs one part of a query. If it exceeds the memory of the query, runs `second` in its place.
    /// - Parameter isPossible: whether `second` can still replace `body`.
    static func bounded(
        _ body: () throws -> Void, orIf isPossible: () -> Bool, _ second: () throws -> Void
    ) throws {
        do {
            try body()
        } catch  where Self.error(tidegate_query_memory_excess(), behind: error) != nil && isPossible() {
            // SQLite has released the memory of the interrupted statement.
            tidegate_query_memory_go_on()
            try second()
        }
    }

    /// - Parameter error: the error with which the query has ended. Only an interruption can be due to its memory.
    private static func error(_ excess: Int32, behind error: any Error) -> StoreError? {
        guard (error as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT else { return nil }
        return switch Int(excess) {
        case TIDEGATE_QUERY_MEMORY_OWN: .tooMuchMemory
        case TIDEGATE_QUERY_MEMORY_SHARED: .memoryInUse
        default: nil
        }
    }
}
