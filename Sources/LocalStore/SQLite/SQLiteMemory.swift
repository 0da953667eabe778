import CSQLite

/// Settings of SQLite's memory for the whole process.
enum SQLiteMemory {
    /// Whether SQLite's memory statistics are off. The first access turns them off, because SQLite counts memory under one lock
    /// for all connections. Readers on two cores mostly waited for this lock.
    static let isUncounted = tidegate_sqlite_stop_counting_memory() == 0
}
