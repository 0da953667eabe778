import CQueryMemory
import GRDB
import StoreService

/// Limits the memory that SQLite allocates for a client's query. SQLite parses a JSON text into a tree that is many times as
/// large, and it sorts in memory.
enum QueryMemory {
    /// The maximum for one query, in bytes. Each running query may use 8 MiB without further limit. Beyond these, all
    /// running queries together may use twice this maximum (`Sources/CQueryMemory/include/CQueryMemory.h`).
    static let bytesMax = 128 << 20

    /// The peak memory use, in bytes, of the latest query that was interrupted on the calling thread.
    static var latestPeak: Int { Int(tidegate_query_memory_peak()) }

    /// Runs a query, and counts its memory. A query that exceeds its limit is interrupted.
    /// - Throws: `StoreError.tooMuchMemory`, `StoreError.memoryInUse`, and the errors of `body`.
    static func bounded<Value>(_ db: Database, bytesMax: Int, _ body: () throws -> Value) throws -> Value {
        let before = tidegate_query_memory_begin(db.sqliteConnection, Int64(bytesMax))
        let result = Result { try body() }
        let excess = tidegate_query_memory_end(before)
        if case .failure(let error) = result, let exceeded = Self.error(excess, behind: error) { throw exceeded }
        return try result.get()
    }

    /// Runs `body`, a part of a query. If it exceeds the memory limit and `isPossible` returns true, runs `second`
    /// instead.
    /// - Parameter isPossible: whether `second` can still replace `body`, for example because `body` has returned no
    ///   row.
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

    /// The error for an exceeded memory limit; nil if the query failed for another reason.
    /// - Parameter error: the error with which the query ended. Only a query that was interrupted can have exceeded the
    ///   limit.
    private static func error(_ excess: Int32, behind error: any Error) -> StoreError? {
        guard (error as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT else { return nil }
        return switch Int(excess) {
        case TIDEGATE_QUERY_MEMORY_OWN: .tooMuchMemory
        case TIDEGATE_QUERY_MEMORY_SHARED: .memoryInUse
        default: nil
        }
    }
}
