import GRDBSQLite

/// A value that can be bound to a `?` of an SQL statement.
protocol SQLiteBindable: Sendable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32
}

/// The values of a statement in order; nil is NULL.
typealias SQLiteBindings = [(any SQLiteBindable)?]

extension String: SQLiteBindable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        // -1 is SQLITE_TRANSIENT: SQLite copies the text.
        sqlite3_bind_text(
            statement, place, self, Int32(utf8.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
}

extension Int64: SQLiteBindable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 { sqlite3_bind_int64(statement, place, self) }
}

extension Int: SQLiteBindable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 { Int64(self).bind(to: statement, at: place) }
}

extension Double: SQLiteBindable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 { sqlite3_bind_double(statement, place, self) }
}

extension Bool: SQLiteBindable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        Int64(self ? 1 : 0).bind(to: statement, at: place)
    }
}
