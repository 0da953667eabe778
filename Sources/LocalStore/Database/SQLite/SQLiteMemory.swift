import CSQLite

/// SQLite's memory, for the whole process.
enum SQLiteMemory {
    /// Turns off SQLite's memory statistics, which are unused here. SQLite counts them under one lock for all connections. A
    /// query by fields allocates several times for each row, so readers on two cores mostly waited for that lock.
    static let isUncounted = tidegate_sqlite_stop_counting_memory() == 0
}
