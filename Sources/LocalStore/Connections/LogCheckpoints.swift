import CSQLite
import GRDB

/// Moves the pages of the write-ahead log into the file (a checkpoint), when the log has reached its limit.
///
/// A checkpoint writes each changed page once, even if the log has it many times. Each page of a long pull changes much of the index of
/// ids, because ids are random. With a log of 64 MB in the place of 4 MB, the first sync of 1,000,000 objects takes 30% less time. A checkpoint
/// of 64 MB takes up to a few hundred milliseconds, and the next write waits for it. So the log is large only while pages of pulls are
/// the only writes.
///
/// Only the writer's connection makes checkpoints. A second connection could make them at the same time as commits, but SQLite before
/// 3.51.3 can then lose committed pages (https://sqlite.org/wal.html#walresetbug).
///
/// The type is `Sendable` because the writer's queue alone uses its other properties.
final class LogCheckpoints: @unchecked Sendable {
    /// The limits in pages of 4 KiB. The lower one is SQLite's default.
    private static let (usual, large) = (1000, 16_000)
    /// If the log is not large, its file has at most this size in bytes, from the next time on that SQLite writes it from its beginning.
    private static let bytesKept = 16 << 20

    /// The number of pages in the log after the latest commit.
    private var logPages = 0
    private var keepsLog = false

    /// Replaces SQLite's own checkpoints, which a commit makes before it returns.
    func begin(on db: Database) throws {
        try keepLog(false, of: db)
        sqlite3_wal_hook(
            db.sqliteConnection,
            { checkpoints, _, _, pages in
                Unmanaged<LogCheckpoints>.fromOpaque(checkpoints!).takeUnretainedValue().logPages = Int(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Makes a checkpoint if the log has reached its limit. Called after a commit, when its callers have their results.
    /// - Parameter allowsLargeLog: whether the limit is the larger one.
    func continueAfterCommit(on db: Database, allowsLargeLog: Bool) {
        if allowsLargeLog != keepsLog { try? keepLog(allowsLargeLog, of: db) }
        guard logPages >= (allowsLargeLog ? Self.large : Self.usual) else { return }
        // SQLite's own checkpoints ignore errors, too: the writes are durable in the log. After a failure, such as a full disk, the log
        // keeps its pages, and the next commit makes a checkpoint.
        _ = try? db.checkpoint(.passive)
    }

    /// Sets whether the log's file keeps its size when SQLite writes it from its beginning again. Otherwise, it then gets smaller, and grows
    /// with the later commits, which takes longer than writing over it.
    private func keepLog(_ keeps: Bool, of db: Database) throws {
        try db.execute(sql: "PRAGMA journal_size_limit = \(keeps ? -1 : Self.bytesKept)")
        keepsLog = keeps
    }
}
