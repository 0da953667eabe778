import GRDB
import GRDBSQLite

/// Objects straight from SQLite's rows. GRDB's own rows and arguments take longer than the search itself (12% of a `GET`
/// by id), so the reads that answer clients do without.
extension Statement {
    /// Steps through rows of id, view and state.
    func forEachObject(_ body: (StoredObject) throws -> Void) throws {
        defer { sqlite3_reset(sqliteStatement) }
        while try step() { try body(StoredObject(row: sqliteStatement)) }
    }

    /// Binds texts to the first places, one after the other.
    func bind(texts: String...) throws {
        for (place, text) in texts.enumerated() {
            var text = text
            let code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // SQLite keeps a copy.
                    sqlite3_bind_text(
                        sqliteStatement, Int32(place + 1), $0.baseAddress, Int32($0.count),
                        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
                }
            }
            guard code == SQLITE_OK else { throw lastError }
        }
    }

    /// - Returns: whether there is a row.
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

extension StoredObject {
    /// From the row that a statement stands on.
    fileprivate init(row: OpaquePointer) {
        self.init(
            objectId: String(decoding: Self.bytes(row, 0), as: UTF8.self), json: Array(Self.bytes(row, 1)),
            state: SyncState(rawValue: Int(sqlite3_column_int64(row, 2))) ?? .synced)
    }

    private static func bytes(_ row: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer {
        // In this order, since the second call may not be made before the first.
        let text = sqlite3_column_text(row, column)
        return UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(row, column)))
    }
}
