import CSQLite

/// SQLite's memory, for the whole process.
enum SQLiteMemory {
    /// Whether SQLite's memory statistics are off. The first access turns them off: they are unused here, and SQLite counts them
    /// under one lock for all connections. A query by fields allocates several times for each row, so readers on two cores mostly
    /// waited for that lock.
    static let isUncounted = tidegate_sqlite_stop_counting_memory() == 0
}
