import GRDB
import ParseModel
import StoreService
import SyncModel

/// The figures for the status.
struct StatusFigures {
    let db: Database

    static let classes = """
        SELECT name, EXISTS (SELECT 1 FROM pulls WHERE class = c.name),
            NOT EXISTS (SELECT 1 FROM pulls WHERE class = c.name AND complete_since IS NULL),
            coalesce((SELECT views FROM class_counts WHERE class = c.name), 0),
            (SELECT refusal FROM pulls WHERE class = c.name AND refusal IS NOT NULL ORDER BY name LIMIT 1),
            stopped_because
        FROM classes c ORDER BY name
        """

    func all() throws -> SyncFigures {
        let pending = try OutboxTable(db: db).waitingObjects()
        let unseen = try UnseenWrites(db: db).counts()
        let classes = try db.rows(Self.classes) { row in
            let (name, isPulled) = (row.text(0), row.bool(1))
            return SyncFigures.Class(
                name: name, objects: row.int(3), pending: pending[name] ?? 0, isPulled: isPulled,
                initialSyncComplete: isPulled && row.bool(2), refusal: row.textIfAny(4),
                stoppedBecause: row.textIfAny(5), skipped: try SkippedRows(db: db).newest(of: name),
                hidden: unseen[name]?.hidden ?? 0, unshown: unseen[name]?.unshown ?? 0)
        }
        return SyncFigures(
            pending: pending.values.reduce(0, +), rejections: try OutboxTable(db: db).rejectionCount(),
            conflicts: try ConflictTable(db: db).openCount(), removals: try RemovalTable(db: db).count(),
            isPaused: try Meta.value(of: "paused", in: db) != nil,
            lastSyncAt: try Meta.value(of: "last_sync_at", in: db).flatMap(Int64.init)
                .map(ParseDate.init(milliseconds:)),
            classes: classes)
    }
}
