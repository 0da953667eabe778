import CSQLite

/// SQLite's memory, for the whole process.
enum SQLiteMemory {
    /// SQLite counts what it allocates, under one lock for all connections, and nobody asks for the figures. With each row of
    /// a query by fields several pieces are allocated, so readers on two cores spent their time waiting for each other.
    static let isUncounted = tidegate_sqlite_stop_counting_memory() == 0
}
