import GRDB
import ParseModel
import StoreService
import SyncModel

/// Prepares a file that replaces the original at its first start: a file from a backup, or a copy that takes over.
///
/// After the copy was made, the original may have sent the waiting changes and numbered further changes. So nothing may
/// be sent on the assumption that it was never sent, and no number of the change feed may be used twice.
struct RestoredFile {
    /// The key in `meta` of the time at which the copy of a backup was made, in milliseconds since 1970. The first
    /// start removes it.
    static let backedUpAtKey = "backed_up_at"

    /// The key in `meta` of a file that was moved by a backup: the original has not run since. The first start removes
    /// it.
    static let movedKey = "moved"

    let db: Database

    /// Notes in the copy of a backup that the original has not run since. The first start then treats the file like one
    /// in a renamed directory.
    static func keepIdentity(in directory: String) throws {
        let path = directory + "/tidegate.sqlite"
        do {
            let queue = try DatabaseQueue(path: path, configuration: UnopenedFile.configuration())
            try queue.write { db in
                try Meta.set(backedUpAtKey, nil, in: db)
                try Meta.set(movedKey, "1", in: db)
            }
            try queue.close()
        } catch {
            throw StoreError.wrapping(error, operation: "write \(path)")
        }
    }

    func begin(now: ParseDate) throws {
        try doubtWaitingChanges()
        try restartFeed(now: now)
        try Meta.set(Self.backedUpAtKey, nil, in: db)
    }

    /// Makes the outcome of all waiting changes unknown. A later change of an object gets its turn after the first one is
    /// settled. The operation ids (`marked_in`) do not count, because they
    /// contain the id of the original. Creates are searched for from the latest known server time before the copy.
    private func doubtWaitingChanges() throws {
        let (first, later) = (ObjectLife.Step.restoredFirst, ObjectLife.Step.restoredLater)
        let isLater = """
            EXISTS (SELECT 1 FROM outbox e WHERE e.class = outbox.class AND e.id = outbox.id AND e.seq < outbox.seq)
            """
        try db.run(
            """
            UPDATE outbox SET phase = iif(\(isLater), 'pending', 'unknown'),
                may_be_taken = may_be_taken & ? | iif(\(isLater), ?, ?),
                was_attempted = 1, attempts = max(attempts, 1), marked_in = NULL,
                attempted_at = coalesce(attempted_at, (SELECT max(complete_since) FROM pulls))
            WHERE \(OutboxTable.isWaiting)
            """, [~(first | later), later, first])
        try db.run("DELETE FROM unanswered")
    }

    /// Empties the change feed, and continues its numbers at the current time in microseconds, because no gateway makes
    /// a change each microsecond. If the clock was set back, the numbers continue with a gap. A reader that has read
    /// changes which the copy lacks then has to start over.
    private func restartFeed(now: ParseDate) throws {
        try db.run("DELETE FROM changes")
        try db.run("DELETE FROM rights_changes")
        try db.run(
            """
            INSERT INTO sqlite_sequence (name, seq) SELECT 'changes', 0
            WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'changes')
            """)
        try db.run(
            "UPDATE sqlite_sequence SET seq = max(seq + 1000000000, ?) WHERE name = 'changes'",
            [now.milliseconds * 1000])
    }
}
