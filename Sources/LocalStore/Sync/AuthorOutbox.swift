import GRDB
import ParseModel
import StoreService
import SyncModel

/// Reads the steps of one author that a sync may send. A step is a local change that the remote has not acknowledged.
struct AuthorOutbox {
    let db: Database
    let author: AuthorKey

    /// The first entries to send. An entry is left out while it must wait:
    /// - an entry with a file waits until the file is uploaded
    /// - the deletion of a user waits until the user's earlier changes are sent, because it ends the sessions that send
    ///   them
    /// - an entry with a unique value waits until the earlier change that frees the value is sent (`UniqueValues`)
    func next(limit: Int) throws -> [OutboxEntry] {
        let carriesFile = """
            EXISTS (SELECT 1 FROM outbox_files p JOIN files f ON f.name = p.name AND f.remote_url IS NULL
                WHERE p.seq = o.seq)
            """
        let endsSessionsTooEarly = """
            class = '_User' AND kind = 'delete' AND EXISTS (
                SELECT 1 FROM outbox w WHERE w.identity = o.identity AND w.seq < o.seq
                    AND w.phase IN ('pending', 'inFlight', 'unknown') AND NOT (w.class = '_User' AND w.kind = 'delete')
                    AND NOT EXISTS (SELECT 1 FROM outbox e WHERE e.class = w.class AND e.id = w.id AND e.seq < w.seq))
            """
        return try entries(
            where: """
                phase = 'pending' AND may_be_taken & \(Self.restoredLater) = 0 AND NOT \(carriesFile) AND NOT (\(endsSessionsTooEarly))
                AND NOT (\(UniqueValues.waitForRelease))
                """, limit: limit)
    }

    /// The entries of unknown outcome, including entries in the phase `inFlight`. A sync calls this while it has no
    /// open request, so an entry in flight was left by an interrupted sync. A later step of a restored backup is
    /// included as soon as it is the first one of its object.
    func unknown() throws -> [OutboxEntry] {
        try entries(
            where: """
                phase IN ('unknown', 'inFlight', 'pending') AND (phase <> 'pending' OR may_be_taken & \(Self.restoredLater) <> 0)
                """, limit: nil)
    }

    private static let restoredLater = ObjectLife.Step.restoredLater

    /// The entry of an object's first change; nil if another author has made it.
    func newEntry(of object: Pointer) throws -> OutboxEntry? {
        try entries(where: "class = ? AND id = ?", [object.className, object.objectId], limit: 1).first
    }

    /// The name of a file in the change that is not on the remote yet; nil if there is none.
    func unsentFile(of seq: Int64) throws -> String? {
        try db.firstRow(
            """
            SELECT f.name FROM outbox_files p JOIN files f ON f.name = p.name AND f.remote_url IS NULL
            WHERE p.seq = ? LIMIT 1
            """, [seq]
        ) { $0.text(0) }
    }

    /// The author's entries that meet the condition. An entry is left out if its object has an earlier change of any
    /// author.
    private func entries(
        where condition: String, _ values: SQLiteBindings = [], limit: Int?
    ) throws -> [OutboxEntry] {
        let rows = try db.rows(
            """
            SELECT seq, class, id, (
                    SELECT max(ended_at) FROM unanswered u WHERE u.class = o.class AND u.id = o.id),
                (SELECT own_marks FROM objects b WHERE b.class = o.class AND b.id = o.id)
            FROM outbox o WHERE identity = ? AND \(condition) AND NOT EXISTS (
                SELECT 1 FROM outbox e WHERE e.class = o.class AND e.id = o.id AND e.seq < o.seq)
            ORDER BY seq LIMIT ?
            """, [author.key] + values + [limit ?? -1]
        ) { row in
            (
                seq: row.integer(0), object: row.pointer(1), unansweredAt: row.dateIfAny(3),
                ownMarks: try row.textsOfJSON(4)
            )
        }
        return try rows.compactMap { row in
            guard let object = try LocalObject(row.object.className, row.object.objectId, in: db),
                let first = object.life.steps.first
            else { return nil }
            return OutboxEntry(
                first, of: object.life, awaits: try awaited(by: row.seq), unansweredAt: row.unansweredAt,
                ownMarks: row.ownMarks)
        }
    }

    /// The objects that must exist on the remote before the change can be sent, because the change points to them.
    private func awaited(by seq: Int64) throws -> Set<Pointer> {
        Set(
            try db.rows(
                """
                SELECT DISTINCT p.class, p.id FROM outbox_pointers p
                JOIN outbox o ON o.class = p.class AND o.id = p.id AND o.kind = 'create' WHERE p.seq = ?
                """, [seq]
            ) { $0.pointer(0) })
    }

    /// The number of the author's unsent changes, including those that must wait for other changes.
    func pendingCount() throws -> Int {
        try db.count("SELECT count(*) FROM outbox WHERE identity = ? AND phase = 'pending'", [author.key])
    }
}
