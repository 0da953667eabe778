import GRDB
import GRDBSQLite
import StoreService

/// Measures the progress of one long SQL statement. SQLite runs the statement without a pause, so the meter reads SQLite's counters.
final class StatementMeter {
    /// The number of steps of SQLite's virtual machine between two reports.
    private static let steps: CInt = 50_000

    private let report: (_ steps: Int) -> Void
    private var calls = 0

    private init(_ report: @escaping (_ steps: Int) -> Void) { self.report = report }

    private func call() {
        calls += 1
        report(calls * Int(Self.steps))
    }

    /// - Parameter report: receives the number of steps so far.
    private static func run<Value>(
        in db: Database, _ report: @escaping (_ steps: Int) -> Void, _ work: () throws -> Value
    ) rethrows -> Value {
        let meter = StatementMeter(report)
        sqlite3_progress_handler(
            db.sqliteConnection, steps,
            { meter in
                Unmanaged<StatementMeter>.fromOpaque(meter!).takeUnretainedValue().call()
                return 0
            }, Unmanaged.passUnretained(meter).toOpaque())
        defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
        return try withExtendedLifetime(meter, work)
    }

    // MARK: Pages

    /// Runs a statement.
    /// - Parameter report: receives the number of bytes that the connection has read from its files since the begin of the statement.
    static func run(_ sql: String, in db: Database, bytesRead report: @escaping (Int) -> Void) throws {
        let (pageSize, before) = (try db.count("PRAGMA page_size"), pagesRead(db))
        let count = { (_: Int) in report((pagesRead(db) - before) * pageSize) }
        try run(in: db, count) { try db.execute(sql: sql) }
    }

    private static func pagesRead(_ db: Database) -> Int {
        var (count, highest) = (CInt(0), CInt(0))
        sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &count, &highest, 0)
        return Int(count)
    }

    // MARK: Checks

    /// The size of the file in bytes.
    static func size(of db: Database) throws -> Int {
        try db.count("PRAGMA page_count") * db.count("PRAGMA page_size")
    }

    /// Runs `PRAGMA integrity_check` or `PRAGMA quick_check`, as a step of the work that `meter` measures.
    /// - Parameters:
    ///   - step: the name of the step for people.
    ///   - weight: how many times longer than the reading of the file the check takes.
    static func check(
        _ sql: String, in db: Database, _ meter: WorkMeter?, _ step: String, weight: Int
    ) throws -> [String] {
        guard let meter else { return try db.texts(sql) }
        let bytes = try size(of: db)
        meter.begin(step, bytes: bytes * weight, total: bytes)
        let all = Double(max(1, try stepsOfCheck(db)))
        let advance = { (steps: Int) in meter.advance(to: Int(Double(bytes) * min(1, Double(steps) / all))) }
        return try run(in: db, advance) { try db.texts(sql) }
    }

    /// About the number of steps of `PRAGMA integrity_check`, which looks up each row in each index of its table. By
    /// measurement, it takes a dozen steps for a row, and six for a row in an index.
    private static func stepsOfCheck(_ db: Database) throws -> Int {
        try db.rows(
            """
            SELECT name, (SELECT count(*) FROM sqlite_schema i WHERE i.tbl_name = t.name AND i.type = 'index')
            FROM sqlite_schema t WHERE type = 'table' AND rootpage > 0
            """
        ) { ($0.text(0), $0.int(1)) }.reduce(0) { sum, table in
            let rows = try db.count("SELECT count(*) FROM \(table.0.quotedDatabaseIdentifier)")
            return sum + rows * (12 + 6 * table.1)
        }
    }
}
