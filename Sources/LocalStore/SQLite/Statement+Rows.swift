import GRDB
import GRDBSQLite

/// Runs a prepared statement by SQLite's C functions, without the overhead of GRDB.
extension Statement {
    /// Whether the statement has started, and is neither finished nor reset.
    var isBusy: Bool { sqlite3_stmt_busy(sqliteStatement) != 0 }

    /// Runs the statement to its end.
    func run(_ values: SQLiteBindings) throws {
        try bind(values)
        defer { sqlite3_reset(sqliteStatement) }
        while try step() {}
    }

    /// Runs the statement, and passes each row to `read`.
    /// - Parameter read: called for each row. The row is valid only during the call.
    func forEachRow(_ values: SQLiteBindings = [], _ read: (SQLiteRow) throws -> Void) throws {
        try bind(values)
        try forEachBoundRow(read)
    }

    /// Runs the statement with the values that are already bound, and passes each row to `read`.
    func forEachBoundRow(_ read: (SQLiteRow) throws -> Void) throws {
        defer { sqlite3_reset(sqliteStatement) }
        while try step() { try read(SQLiteRow(statement: sqliteStatement)) }
    }

    /// Runs the statement, and converts its rows.
    /// - Parameters:
    ///   - max: the maximum number of results. Later rows are not read.
    ///   - read: returns nil to leave the row out.
    func rows<Value>(
        _ values: SQLiteBindings = [], max: Int = .max, _ read: (SQLiteRow) throws -> Value?
    ) throws -> [Value] {
        try bind(values)
        defer { sqlite3_reset(sqliteStatement) }
        var found: [Value] = []
        while found.count < max, try step() {
            if let value = try read(SQLiteRow(statement: sqliteStatement)) { found.append(value) }
        }
        return found
    }

    /// Runs the statement up to its first row.
    /// - Returns: the value that `read` returns for the first row; nil if there is no row.
    func firstRow<Value>(_ values: SQLiteBindings, _ read: (SQLiteRow) throws -> Value) throws -> Value? {
        try bind(values)
        defer { sqlite3_reset(sqliteStatement) }
        return try step() ? read(SQLiteRow(statement: sqliteStatement)) : nil
    }

    func bind(_ values: SQLiteBindings) throws {
        precondition(values.count == Int(sqlite3_bind_parameter_count(sqliteStatement)), sql)
        sqlite3_reset(sqliteStatement)
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            let code = value?.bind(to: sqliteStatement, at: place) ?? sqlite3_bind_null(sqliteStatement, place)
            guard code == SQLITE_OK else { throw lastError }
        }
    }

    /// Moves to the next row. Returns false after the last row.
    private func step() throws -> Bool {
        switch sqlite3_step(sqliteStatement) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        default: throw lastError
        }
    }

    private var lastError: DatabaseError {
        let connection = sqlite3_db_handle(sqliteStatement)
        return DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: sqlite3_errmsg(connection).map { String(cString: $0) }, sql: sql)
    }
}
