import CSQLite
import GRDB

/// Runs checkpoints, which copy the pages of the write-ahead log into the database file, when the log has reached its
/// limit.
///
/// A checkpoint writes each changed page once, even if the log has it many times. A long pull changes many pages of the
/// index of ids, because ids are random. With a limit of 64 MB instead of 4 MB, the first sync of 1,000,000 objects
/// takes 30% less time. But a checkpoint of 64 MB takes up to a few hundred milliseconds, and the next write waits for
/// it. So the larger limit applies only while a long pull is the only writer.
///
/// Only the writer's connection runs checkpoints. A second connection could run them during commits, but SQLite before 3.51.3 can
/// then lose committed pages (https://sqlite.org/wal.html#walresetbug).
///
/// The type is `Sendable` because its mutable properties are used on the writer's queue alone.
final class LogCheckpoints: @unchecked Sendable {
    /// The limits in pages of 4 KiB. The lower one is SQLite's default.
    private static let (usual, large) = (1000, 16_000)
    /// The maximum size of the log's file in bytes under the usual limit. SQLite shortens the file when it next starts the log
    /// from the beginning.
    private static let bytesKept = 16 << 20

    /// The number of pages in the log after the latest commit.
    private var logPages = 0
    private var keepsLog = false

    /// Turns off SQLite's automatic checkpoints, which run within a commit before it returns.
    func begin(on db: Database) throws {
        try keepLog(false, of: db)
        sqlite3_wal_hook(
            db.sqliteConnection,
            { checkpoints, _, _, pages in
                Unmanaged<LogCheckpoints>.fromOpaque(checkpoints!).takeUnretainedValue().logPages = Int(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Runs a checkpoint if the log has reached its limit. Called after a commit, when the callers have their results.
    /// - Parameter allowsLargeLog: whether the limit is the larger one.
    func continueAfterCommit(on db: Database, allowsLargeLog: Bool) {
        if allowsLargeLog != keepsLog { try? keepLog(allowsLargeLog, of: db) }
        guard logPages >= (allowsLargeLog ? Self.large : Self.usual) else { return }
        // As in SQLite's automatic checkpoints, errors are ignored: the writes are durable in the log. After a failure, such as a
        // full disk, the log keeps its pages, and a checkpoint runs after the next commit.
        _ = try? db.checkpoint(.passive)
    }

    /// Sets whether the log's file keeps its size when SQLite starts the log from the beginning. A shortened file grows again
    /// with later commits, which takes longer than overwriting it.
    private func keepLog(_ keeps: Bool, of db: Database) throws {
        try db.execute(sql: "PRAGMA journal_size_limit = \(keeps ? -1 : Self.bytesKept)")
        keepsLog = keeps
    }
}
