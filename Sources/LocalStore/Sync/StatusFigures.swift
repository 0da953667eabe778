import GRDB
import ParseModel
import StoreService
import SyncModel

/// Counts the objects, changes and decisions for the sync status.
struct StatusFigures {
    let db: Database

    /// The maximum number of skipped rows that are listed for a class.
    private static let skippedMax = 20

    static let classes = """
        SELECT name, EXISTS (SELECT 1 FROM pulls WHERE class = c.name),
            NOT EXISTS (SELECT 1 FROM pulls WHERE class = c.name AND complete_since IS NULL),
            coalesce((SELECT views FROM class_counts WHERE class = c.name), 0),
            (SELECT refusal FROM pulls WHERE class = c.name AND refusal IS NOT NULL ORDER BY name LIMIT 1),
            stopped_because
        FROM classes c ORDER BY name
        """

    /// All counts of the sync status.
    /// - Parameter lister: selects the changes, conflicts and removals to count.
    func all(of lister: DecisionLister = .all) throws -> SyncFigures {
        let pending = try OutboxTable(db: db).waitingObjects(of: lister)
        let unseen = try unseenCounts()
        let classes = try db.rows(Self.classes) { row in
            let (name, isPulled) = (row.text(0), row.bool(1))
            return SyncFigures.Class(
                name: name, objects: row.int(3), pending: pending[name] ?? 0, isPulled: isPulled,
                initialSyncComplete: isPulled && row.bool(2), refusal: row.textIfAny(4),
                stoppedBecause: row.textIfAny(5), skipped: try skippedRows(of: name),
                hidden: unseen[name]?.hidden ?? 0, unshown: unseen[name]?.unshown ?? 0)
        }
        return SyncFigures(
            pending: pending.values.reduce(0, +), rejections: try OutboxTable(db: db).rejectionCount(of: lister),
            conflicts: try ConflictTable(db: db).openCount(of: lister),
            removals: try RemovalTable(db: db).count(for: lister),
            hasLocalFiles: try FileTable(db: db).hasLocalFiles(),
            isPaused: try Meta.value(of: "paused", in: db) != nil,
            lastSyncAt: try Meta.value(of: Meta.lastSyncKey, in: db).flatMap(Int64.init)
                .map(ParseDate.init(milliseconds:)),
            classes: classes)
    }

    /// Whether a change waits to be sent or for its outcome, or there is a rejection, an open conflict or a held
    /// removal (which waits for a decision).
    func hasWork() throws -> Bool {
        let outbox = OutboxTable(db: db)
        return try !outbox.waitingObjects().isEmpty || outbox.rejectionCount() > 0
            || ConflictTable(db: db).openCount() > 0 || RemovalTable(db: db).count() > 0
    }

    /// The skipped rows of a class, the most recently changed first; at most `skippedMax`.
    private func skippedRows(of className: String) throws -> [SkippedRow] {
        try db.rows(
            """
            SELECT id, max(updated_at), reason FROM skipped_rows WHERE class = ? GROUP BY id ORDER BY 2 DESC, id
            LIMIT \(Self.skippedMax)
            """, [className]
        ) { SkippedRow(className: className, objectId: $0.text(0), updatedAt: $0.date(1), reason: $0.text(2)) }
    }

    /// The number of objects that the remote has acknowledged but not shown, by class: those no longer expected to
    /// appear (`hidden`) and the others (`unshown`).
    private func unseenCounts() throws -> [String: (hidden: Int, unshown: Int)] {
        let rows = try db.rows(
            """
            SELECT class, sum(base_standing = 3), sum(base_standing = 2) FROM objects INDEXED BY objects_provisional
            WHERE base_standing AND base_standing >= 2 AND base_kind > 0 AND view IS NOT NULL GROUP BY class
            """
        ) { ($0.text(0), (hidden: $0.int(1), unshown: $0.int(2))) }
        return Dictionary(rows) { first, _ in first }
    }
}
