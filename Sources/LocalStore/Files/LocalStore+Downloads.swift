import GRDB
import ParseModel
import StoreService

/// Contents that come from the remote, and go again where room is needed.
extension LocalStore {
    /// After a failure the next try waits for a minute, and twice as long after each further one, a day at most.
    private static func wait(after attempts: Int) -> Duration { .seconds(min(60 << min(attempts, 11), 86_400)) }

    package func filesToDownload(limit: Int) throws -> [FileDownload] {
        let now = environment.now().milliseconds
        return try readOnce { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT name, remote_url FROM files WHERE is_wanted AND sha256 IS NULL AND remote_url IS NOT NULL
                        AND (next_at IS NULL OR next_at <= ?) ORDER BY next_at, name LIMIT ?
                    """, arguments: [now, limit]
            ).map { FileDownload(name: $0[0], url: $0[1]) }
        }
    }

    /// - Parameter isGone: the remote does not have it, and will not be asked again unless somebody reads it.
    package func downloadFailed(_ name: String, reason: String, isGone: Bool) async throws {
        try await write { transaction in
            let attempts =
                try Int.fetchOne(
                    transaction.db, sql: "SELECT attempts FROM files WHERE name = ?", arguments: [name]) ?? 0
            try transaction.execute(
                """
                UPDATE files SET attempts = attempts + 1, next_at = ?, error = ?, is_wanted = is_wanted AND NOT ?
                WHERE name = ?
                """,
                [(transaction.now + Self.wait(after: attempts)).milliseconds, reason, isGone, name])
        }
    }

    /// Drops contents that the remote has, those first that nobody has read for longest, until those that are left need no
    /// more than `bytesMax`. What only this machine has stays, and what a change carries that is not on the remote yet.
    package func evictContents(bytesMax: Int) async throws {
        let isTooMuch = try await readOnce { try Self.bytes(in: $0) > bytesMax }
        guard isTooMuch else { return }
        let dropped = try await write { transaction in
            var dropped: [String] = []
            var bytes = try Self.bytes(in: transaction.db)
            let rows = try Row.fetchAll(
                transaction.db,
                sql: """
                    SELECT sha256, max(size), max(used_at) FROM files WHERE sha256 IS NOT NULL GROUP BY sha256
                    HAVING count(*) = count(remote_url)
                        AND NOT max(EXISTS (SELECT 1 FROM outbox_files o WHERE o.name = files.name)) ORDER BY 3
                    """)
            for row in rows where bytes > bytesMax {
                try transaction.execute(
                    "UPDATE files SET sha256 = NULL, size = NULL, is_wanted = 0 WHERE sha256 = ?", [row[0] as String])
                dropped.append(row[0])
                bytes -= row[1] as Int
            }
            return dropped
        }
        try await dropContents(dropped)
    }

    /// What contents need on disk that the remote has too.
    private static func bytes(in db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT sum(size) FROM (SELECT max(size) AS size FROM files WHERE sha256 IS NOT NULL GROUP BY sha256
                    HAVING count(*) = count(remote_url))
                """) ?? 0
    }
}
