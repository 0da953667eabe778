import GRDB
import ParseModel
import SyncModel

/// The table `unanswered`: the objects about which a request of one author got no answer. Such a request may still
/// reach the remote during a grace period. Until its end, the next change of the object waits, even a change of another
/// author (`AuthorOutbox`).
struct Unanswered {
    let db: Database
    let author: AuthorKey

    /// The age, in milliseconds, after which an entry is deleted. A request cannot arrive at the remote so late.
    private static let ageMaxMs: Int64 = 86_400_000

    /// Adds an object, and deletes old entries.
    /// - Parameter endedAt: the server time at which the gateway stopped waiting for the answer.
    func note(_ object: Pointer, at endedAt: ParseDate) throws {
        try db.run(
            "INSERT OR REPLACE INTO unanswered (class, id, identity, ended_at) VALUES (?, ?, ?, ?)",
            [object.className, object.objectId, author.key, endedAt.milliseconds])
        try db.run("DELETE FROM unanswered WHERE ended_at < ?", [endedAt.milliseconds - Self.ageMaxMs])
    }

    func contains(_ object: Pointer) throws -> Bool {
        try db.isTrue(
            "SELECT EXISTS (SELECT 1 FROM unanswered WHERE class = ? AND id = ? AND identity = ?)",
            [object.className, object.objectId, author.key])
    }

    /// Moves the entries of an object, of all authors, to the object's new id.
    func rename(_ object: Pointer, to newId: String) throws {
        try db.run(
            """
            INSERT INTO unanswered (class, id, identity, ended_at)
            SELECT class, ?, identity, ended_at FROM unanswered WHERE class = ? AND id = ?
            ON CONFLICT (class, id, identity) DO UPDATE SET ended_at = max(ended_at, excluded.ended_at)
            """, [newId, object.className, object.objectId])
        try db.run("DELETE FROM unanswered WHERE class = ? AND id = ?", [object.className, object.objectId])
    }
}
