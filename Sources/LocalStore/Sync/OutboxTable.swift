import GRDB
import ParseModel
import StoreService
import SyncModel

/// The outbox: the pending steps of all objects, in order of creation.
struct OutboxTable {
    let db: Database

    /// The maximum number of entries in a list.
    private static let listMax = 1000
    private static let isWaiting = "phase IN ('pending', 'inFlight', 'unknown')"

    /// The first entries to send. An entry with a file that the remote lacks waits for the upload.
    func next(limit: Int) throws -> [OutboxEntry] {
        let carriesFile = """
            EXISTS (SELECT 1 FROM outbox_files p JOIN files f ON f.name = p.name AND f.remote_url IS NULL
                WHERE p.seq = o.seq)
            """
        return try entries(where: "phase = 'pending' AND NOT \(carriesFile)", limit: limit)
    }

    /// The entries with an unknown outcome. A sync reads them between its requests, so an entry in flight counts too: the disk
    /// was full when its outcome was to be stored.
    func unknown() throws -> [OutboxEntry] { try entries(where: "phase IN ('unknown', 'inFlight')", limit: nil) }

    /// Reads only the first step of each object, because a later step waits for the earlier ones.
    private func entries(where condition: String, limit: Int?) throws -> [OutboxEntry] {
        let rows = try db.rows(
            """
            SELECT seq, class, id, (SELECT ended_at FROM unanswered u WHERE u.class = o.class AND u.id = o.id),
                (SELECT own_marks FROM objects b WHERE b.class = o.class AND b.id = o.id)
            FROM outbox o WHERE \(condition) AND NOT EXISTS (
                SELECT 1 FROM outbox e WHERE e.class = o.class AND e.id = o.id AND e.seq < o.seq)
            ORDER BY seq LIMIT ?
            """, [limit ?? -1]
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

    /// The objects that must exist on the remote before the step can be sent.
    private func awaited(by seq: Int64) throws -> Set<Pointer> {
        Set(
            try db.rows(
                """
                SELECT DISTINCT p.class, p.id FROM outbox_pointers p
                JOIN outbox o ON o.class = p.class AND o.id = p.id AND o.kind = 'create' WHERE p.seq = ?
                """, [seq]
            ) { $0.pointer(0) })
    }

    func object(of seq: Int64) throws -> Pointer? {
        try db.firstRow("SELECT class, id FROM outbox WHERE seq = ?", [seq]) { $0.pointer(0) }
    }

    /// Objects with steps that point to the object.
    func objects(pointingTo target: Pointer) throws -> [Pointer] {
        try db.rows(
            """
            SELECT DISTINCT o.class, o.id FROM outbox_pointers p JOIN outbox o ON o.seq = p.seq
            WHERE p.class = ? AND p.id = ? ORDER BY o.seq
            """, [target.className, target.objectId]
        ) { $0.pointer(0) }
    }

    /// Objects of a class with steps, sent or not.
    func objectIds(of className: String) throws -> [String] {
        try db.texts("SELECT DISTINCT id FROM outbox WHERE class = ? ORDER BY id", [className])
    }

    /// One of the named objects with a rejection or an open conflict.
    func undecidedObject(among things: NamedThings) throws -> Pointer? {
        let undecided = try db.rows(
            """
            SELECT class, id FROM outbox WHERE phase IN ('rejected', 'held')
            UNION SELECT class, object_id FROM conflicts WHERE resolution IS NULL
            """
        ) { $0.pointer(0) }
        let aliases = Aliases(db: db)
        return try undecided.first { object in
            try ([object.objectId] + aliases.all(of: object)).contains { id in
                things.texts.contains(id)
                    || things.pointers.contains(Pointer(className: object.className, objectId: id))
            }
        }
    }

    // MARK: Lists

    /// Changes that wait to be sent, or for an answer.
    func waitingChanges() throws -> [PendingChange] { try changes(where: Self.isWaiting) }

    /// Sent changes in an open conflict about their outcome.
    func changesInQuestion() throws -> [PendingChange] { try changes(where: "phase = 'held' AND was_attempted") }

    func rejections() throws -> [PendingChange] { try changes(where: "phase = 'rejected'") }

    private func changes(where condition: String) throws -> [PendingChange] {
        try db.rows(
            """
            SELECT \(ObjectLife.Step.columns), class, id, CASE WHEN kind = 'delete' AND substr(class, 1, 1) <> '_'
                THEN (SELECT base FROM objects o WHERE o.class = outbox.class AND o.id = outbox.id) END
            FROM outbox WHERE \(condition) ORDER BY seq LIMIT \(Self.listMax)
            """
        ) { row in
            let stored = try ObjectLife.Step(row)
            return PendingChange(
                id: row.integer(0), className: row.text(ObjectLife.Step.columnCount),
                objectId: row.text(ObjectLife.Step.columnCount + 1), step: stored.step, attempts: stored.attempts,
                code: stored.code, error: stored.error, base: row.textIfAny(ObjectLife.Step.columnCount + 2))
        }
    }

    // MARK: Counts

    /// The number of pending steps, including those that wait for others.
    func pendingCount() throws -> Int { try db.count("SELECT count(*) FROM outbox WHERE phase = 'pending'") }

    func rejectionCount() throws -> Int { try db.count("SELECT count(*) FROM outbox WHERE phase = 'rejected'") }

    /// The number of objects with unsent or unanswered work, by class.
    func waitingObjects() throws -> [String: Int] {
        let rows = try db.rows(
            "SELECT class, count(DISTINCT id) FROM outbox WHERE \(Self.isWaiting) GROUP BY class"
        ) { ($0.text(0), $0.int(1)) }
        return Dictionary(rows) { first, _ in first }
    }

    /// The number of the latest change; 0 for an empty outbox.
    func latest() throws -> Int64 { try db.integer("SELECT max(seq) FROM outbox") ?? 0 }

    /// The number of changes up to `number` that have not reached the remote.
    /// - Parameter undecided: whether to include rejections and changes in conflict.
    func count(upTo number: Int64, undecided: Bool) throws -> Int {
        let phases = "'pending', 'inFlight', 'unknown'" + (undecided ? ", 'rejected', 'held'" : "")
        return try db.count("SELECT count(*) FROM outbox WHERE phase IN (\(phases)) AND seq <= ?", [number])
    }
}
