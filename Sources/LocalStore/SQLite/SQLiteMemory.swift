import CSQLite

/// Settings for SQLite's memory in the whole process.
enum SQLiteMemory {
    /// Whether SQLite's memory statistics are off. The first access turns them off: SQLite counts memory under one lock for all
    /// connections, and readers on two cores spent most of their time waiting for this lock.
    static let isUncounted = tidegate_sqlite_stop_counting_memory() == 0
}
