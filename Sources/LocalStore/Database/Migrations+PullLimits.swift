extension Migrations {
    /// Rows that pulls skipped as too large, and the reason why a class is no longer pulled.
    static let pullLimits = """
        CREATE TABLE skipped_rows (
            class TEXT NOT NULL,
            pull TEXT NOT NULL,
            id TEXT NOT NULL,
            updated_at INTEGER NOT NULL,
            reason TEXT NOT NULL,
            PRIMARY KEY (class, pull, id)
        ) WITHOUT ROWID, STRICT;
        ALTER TABLE classes ADD COLUMN stopped_because TEXT;
        """
}
