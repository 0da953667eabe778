import GRDB
import ParseModel
import StoreService

/// Records downloads and evictions of file contents in the table `files`.
struct FileContents {
    let db: Database

    /// The delay before the next attempt of a failed download: one minute, doubled with each failure, up to one day
    /// (exponential backoff).
    private static func retryDelay(after attempts: Int) -> Duration { .seconds(min(60 << min(attempts, 11), 86_400)) }

    func toDownload(limit: Int, now: ParseDate) throws -> [FileDownload] {
        try db.rows(
            """
            SELECT name, remote_url FROM files WHERE is_wanted AND sha256 IS NULL AND remote_url IS NOT NULL
                AND (next_at IS NULL OR next_at <= ?) ORDER BY next_at, name LIMIT ?
            """, [now.milliseconds, limit]
        ) { FileDownload(name: $0.text(0), url: $0.text(1)) }
    }

    /// Records a failed download, and the time of the next attempt.
    /// - Parameter isGone: whether the remote no longer has the file. If true, the file is downloaded only when a client reads it.
    func noteFailedDownload(_ name: String, reason: String, isGone: Bool, now: ParseDate) throws {
        let attempts = try db.count("SELECT attempts FROM files WHERE name = ?", [name])
        try db.run(
            """
            UPDATE files SET attempts = attempts + 1, next_at = ?, error = ?, is_wanted = is_wanted AND NOT ?
            WHERE name = ?
            """, [(now + Self.retryDelay(after: attempts)).milliseconds, reason, isGone, name])
    }

    /// The total size in bytes of the stored contents that the remote has too.
    func evictableBytes() throws -> Int {
        try db.count(
            """
            SELECT sum(size) FROM (SELECT max(size) AS size FROM files WHERE sha256 IS NOT NULL GROUP BY sha256
                HAVING count(*) = count(remote_url))
            """)
    }

    /// Records that contents are no longer stored, until at most `bytesMax` bytes of contents that the remote has too
    /// are left. The least recently used contents go first. Contents in pending changes stay.
    /// - Returns: the digests of the contents that the caller must delete.
    func evict(bytesMax: Int) throws -> [String] {
        var bytes = try evictableBytes()
        let contents = try db.rows(
            """
            SELECT sha256, max(size), max(used_at) FROM files WHERE sha256 IS NOT NULL GROUP BY sha256
            HAVING count(*) = count(remote_url)
                AND NOT max(EXISTS (SELECT 1 FROM outbox_files o WHERE o.name = files.name)) ORDER BY 3
            """
        ) { (sha256: $0.text(0), size: $0.int(1)) }
        var dropped: [String] = []
        for content in contents where bytes > bytesMax {
            try db.run("UPDATE files SET sha256 = NULL, size = NULL, is_wanted = 0 WHERE sha256 = ?", [content.sha256])
            dropped.append(content.sha256)
            bytes -= content.size
        }
        return dropped
    }

    func contains(_ sha256: String) throws -> Bool {
        try db.isTrue("SELECT EXISTS (SELECT 1 FROM files WHERE sha256 = ?)", [sha256])
    }

    /// The digests of all contents that belong to files.
    func digests() throws -> Set<String> {
        Set(try db.texts("SELECT DISTINCT sha256 FROM files WHERE sha256 IS NOT NULL"))
    }
}
