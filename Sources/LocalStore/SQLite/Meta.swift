import GRDB

/// The table `meta`: facts about the whole file, by key.
enum Meta {
    /// The key of the time of the last successful sync, in milliseconds since 1970.
    static let lastSyncKey = "last_sync_at"

    static func value(of key: String, in db: Database) throws -> String? {
        try db.text("SELECT value FROM meta WHERE key = ?", [key])
    }

    static func set(_ key: String, _ value: String?, in db: Database) throws {
        if let value {
            try db.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", [key, value])
        } else {
            try db.run("DELETE FROM meta WHERE key = ?", [key])
        }
    }
}
