extension Migrations {
    /// The request ids of clients, so that a repeated request is performed once. `number` gives the order of arrival.
    static let requestIds = """
        CREATE TABLE request_ids (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX request_ids_by_expiry ON request_ids (expires_at);
        """
}
