import GRDBSQLite
import ParseModel

/// The current row of a statement. Columns count from 0.
struct SQLiteRow {
    let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func integerIfAny(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    func int(_ column: Int32) -> Int { Int(integer(column)) }

    func bool(_ column: Int32) -> Bool { integer(column) != 0 }

    /// The date in a column that holds milliseconds since 1970.
    func date(_ column: Int32) -> ParseDate { ParseDate(milliseconds: integer(column)) }

    func dateIfAny(_ column: Int32) -> ParseDate? { isNull(column) ? nil : date(column) }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    func textIfAny(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// The object whose class is in this column, and whose id is in the next column.
    func pointer(_ column: Int32) -> Pointer { Pointer(className: text(column), objectId: text(column + 1)) }

    /// The strings of a JSON array; empty for NULL and for other JSON.
    func textsOfJSON(_ column: Int32) throws -> [String] {
        try textIfAny(column).flatMap { try JSONReader.read($0).array?.compactMap(\.string) } ?? []
    }

    /// The JSON object in a column, at most `JSONReader.storedDepthMax` levels deep; nil for NULL and for other JSON.
    func object(_ column: Int32) throws -> JSONObject? {
        try textIfAny(column).flatMap { try JSONReader.read($0, depthMax: JSONReader.storedDepthMax).object }
    }

    /// The bytes of a text. They are valid until the next row.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        // SQLite requires this order of the two calls.
        let text = sqlite3_column_text(statement, column)
        return UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column)))
    }

    private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
}
