import GRDB

/// Runs cached prepared statements, and reads typed rows.
///
/// GRDB opens the connections and runs transactions, savepoints and scripts: migrations, PRAGMAs and the definitions of indexes.
/// For small statements, GRDB's own arguments, rows and observers would add half of SQLite's time (18% of a first pull, 14% of a
/// push, 12% of a `GET` by id).
extension Database {
    /// A prepared statement for the SQL: the cached statement of the connection, or a new one while the cached statement is running.
    func statement(_ sql: String) throws -> Statement {
        let kept = try cachedStatement(sql: sql)
        return kept.isBusy ? try makeStatement(sql: sql) : kept
    }

    /// Runs the statement to its end.
    func run(_ sql: String, _ values: SQLiteBindings = []) throws { try statement(sql).run(values) }

    /// Runs a statement, and passes each row to `read`.
    /// - Parameter read: called for each row. The row is valid only during the call.
    func forEachRow(_ sql: String, _ values: SQLiteBindings = [], _ read: (SQLiteRow) throws -> Void) throws {
        try statement(sql).forEachRow(values, read)
    }

    /// Runs a statement, and converts its rows.
    /// - Parameters:
    ///   - max: the maximum number of results. Later rows are not read.
    ///   - read: returns nil to leave the row out.
    func rows<Value>(
        _ sql: String, _ values: SQLiteBindings = [], max: Int = .max, _ read: (SQLiteRow) throws -> Value?
    ) throws -> [Value] {
        try statement(sql).rows(values, max: max, read)
    }

    /// Runs a statement up to its first row.
    /// - Returns: the value that `read` returns for the first row; nil if there is no row.
    func firstRow<Value>(
        _ sql: String, _ values: SQLiteBindings = [], _ read: (SQLiteRow) throws -> Value
    ) throws -> Value? {
        try statement(sql).firstRow(values, read)
    }

    // MARK: The first column

    func texts(_ sql: String, _ values: SQLiteBindings = []) throws -> [String] {
        try rows(sql, values) { $0.text(0) }
    }

    /// The first column of the first row; nil for NULL, and if there is no row.
    func text(_ sql: String, _ values: SQLiteBindings = []) throws -> String? {
        try firstRow(sql, values) { $0.textIfAny(0) } ?? nil
    }

    /// The first column of the first row; nil for NULL, and if there is no row.
    func integer(_ sql: String, _ values: SQLiteBindings = []) throws -> Int64? {
        try firstRow(sql, values) { $0.integerIfAny(0) } ?? nil
    }

    /// The first column of the first row; 0 for NULL, and if there is no row.
    func count(_ sql: String, _ values: SQLiteBindings = []) throws -> Int {
        try Int(integer(sql, values) ?? 0)
    }

    /// Whether the first column of the first row is not 0; false for NULL, and if there is no row.
    func isTrue(_ sql: String, _ values: SQLiteBindings = []) throws -> Bool {
        try integer(sql, values) ?? 0 != 0
    }
}
