import GRDB
import ParseModel
import StoreService
import SyncModel

/// The table `outbox`: the local changes of all objects and authors that the remote has not acknowledged (steps), in
/// order of creation. `AuthorOutbox` reads the steps of one author.
struct OutboxTable {
    let db: Database

    /// A condition that is true for every row. Only with this condition, SQLite finds rows by their phase in the index
    /// `outbox_by_phase`, because the author is the first column of the index.
    static let isOfAny = "identity IN (SELECT key FROM identities)"
    /// The phases of changes that wait to be sent or for the outcome of their request, as a list for SQL's `IN`.
    static let waitingPhases = "('pending', 'inFlight', 'unknown')"
    /// A condition for changes to send, and for changes whose request has no known outcome.
    static let isWaiting = "\(isOfAny) AND phase IN \(waitingPhases)"
    /// A condition for the changes that clients see as pending. They wait to be sent, or for the outcome of their
    /// request, or because another author has a conflict about the object.
    private static let isListed = """
        \(isOfAny) AND phase IN ('pending', 'inFlight', 'unknown', 'held')
        AND (phase <> 'held' OR NOT was_attempted AND identity <> (
            SELECT \(ConflictTable.author) FROM conflicts c
            WHERE c.class = outbox.class AND c.object_id = outbox.id AND c.resolution IS NULL ORDER BY c.id DESC LIMIT 1))
        """

    /// The object of a change in the outbox, and the author that sends the change; nil for an unknown sequence number.
    func object(of seq: Int64) throws -> (pointer: Pointer, author: AuthorKey)? {
        try db.firstRow("SELECT class, id, identity FROM outbox WHERE seq = ?", [seq]) {
            ($0.pointer(0), AuthorKey(key: $0.integer(2)))
        }
    }

    /// The objects with a change in the outbox that contains a pointer to the target.
    func objects(pointingTo target: Pointer) throws -> [Pointer] {
        try db.rows(
            """
            SELECT DISTINCT o.class, o.id FROM outbox_pointers p JOIN outbox o ON o.seq = p.seq
            WHERE p.class = ? AND p.id = ? ORDER BY o.seq
            """, [target.className, target.objectId]
        ) { $0.pointer(0) }
    }

    /// The ids of all objects of a class that have changes in the outbox, sent or not.
    func objectIds(of className: String) throws -> [String] {
        try db.texts("SELECT DISTINCT id FROM outbox WHERE class = ? ORDER BY id", [className])
    }

    /// The classes with a create of unknown outcome that is the first change of its object in the outbox.
    func classesWithUnknownCreates() throws -> Set<String> {
        Set(
            try db.texts(
                """
                SELECT DISTINCT class FROM outbox o WHERE \(Self.isOfAny) AND phase IN ('unknown', 'inFlight') AND kind = 'create'
                    AND NOT EXISTS (SELECT 1 FROM outbox e WHERE e.class = o.class AND e.id = o.id AND e.seq < o.seq)
                """))
    }

    // MARK: Lists

    /// The changes that wait to be sent, for the outcome of their request, or for a decision about another author's
    /// conflict about the object.
    /// - Parameters:
    ///   - lister: selects the changes to list, here and in the next two lists.
    ///   - after: the sequence number that the list follows; nil for the first changes.
    func waitingChanges(for lister: DecisionLister = .all, after: Int64? = nil) throws -> [PendingChange] {
        try changes(where: Self.isListed, lister, after: after)
    }

    /// The sent changes of unknown outcome with an open conflict, which asks the user whether the remote has applied
    /// them.
    func changesInQuestion(for lister: DecisionLister = .all, after: Int64? = nil) throws -> [PendingChange] {
        try changes(where: "\(Self.isOfAny) AND phase = 'held' AND was_attempted", lister, after: after)
    }

    func rejections(for lister: DecisionLister = .all, after: Int64? = nil) throws -> [PendingChange] {
        try changes(where: "\(Self.isOfAny) AND phase = 'rejected'", lister, after: after)
    }

    /// All changes in the outbox, in any phase.
    func all(for lister: DecisionLister = .all) throws -> [PendingChange] {
        try changes(where: Self.isOfAny, lister, max: -1)
    }

    /// The objects that the author has changed and whose changes the remote has not acknowledged, ordered by the oldest
    /// change.
    func objects(changedBy author: AuthorKey) throws -> [Pointer] {
        try db.rows(
            "SELECT class, id FROM outbox WHERE identity = ? GROUP BY class, id ORDER BY min(seq)", [author.key]
        ) {
            $0.pointer(0)
        }
    }

    /// The changes in the outbox that meet a condition, in the form for clients.
    /// - Parameter max: the maximum number of entries; negative for no limit.
    private func changes(
        where condition: String, _ lister: DecisionLister, after: Int64? = nil, max: Int = DecisionLists.entriesMax,
        _ values: SQLiteBindings = []
    ) throws -> [PendingChange] {
        let authors = Authors(db: db)
        return try db.rows(
            """
            SELECT \(ObjectLife.Step.columns), class, id, CASE WHEN kind = 'delete' AND substr(class, 1, 1) <> '_'
                THEN (SELECT base FROM objects o WHERE o.class = outbox.class AND o.id = outbox.id) END
            FROM outbox WHERE \(condition) AND \(lister.condition) AND seq > ? ORDER BY seq LIMIT \(max)
            """, values + [after ?? 0]
        ) { row in
            let stored = try ObjectLife.Step(row)
            return PendingChange(
                userId: try lister.showsAuthors ? authors.author(of: stored.step.author)?.userId : nil,
                id: row.integer(0), className: row.text(ObjectLife.Step.columnCount),
                objectId: row.text(ObjectLife.Step.columnCount + 1), step: stored.step, attempts: stored.attempts,
                code: stored.code, error: stored.error, base: row.textIfAny(ObjectLife.Step.columnCount + 2))
        }
    }

    /// The tag of a change (`PendingChange.tag`); nil for an unknown sequence number.
    func tag(of seq: Int64) throws -> String? { try changes(where: "seq = ?", .all, [seq]).first?.tag }

    // MARK: Counts

    func rejectionCount(of lister: DecisionLister = .all) throws -> Int {
        try db.count(
            "SELECT count(*) FROM outbox WHERE \(Self.isOfAny) AND phase = 'rejected' AND \(lister.condition)")
    }

    /// The number of objects with changes that are listed as pending (`waitingChanges`), by class.
    func waitingObjects(of lister: DecisionLister = .all) throws -> [String: Int] {
        let rows = try db.rows(
            """
            SELECT class, count(DISTINCT id) FROM outbox WHERE \(Self.isListed) AND \(lister.condition) GROUP BY class
            """
        ) { ($0.text(0), $0.int(1)) }
        return Dictionary(rows) { first, _ in first }
    }

    /// The sequence number of the newest change; 0 for an empty outbox.
    func latest() throws -> Int64 { try db.integer("SELECT max(seq) FROM outbox") ?? 0 }
}
