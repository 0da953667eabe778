import GRDB
import ParseModel
import StoreService
import SyncModel

/// Rows that pulls skipped because they are too large.
struct SkippedRows {
    let db: Database

    /// The maximum number of rows of a class in the status.
    private static let shownMax = 20

    func note(_ row: SkippedRow, of pull: PullId) throws {
        try db.run(
            "INSERT OR REPLACE INTO skipped_rows (class, pull, id, updated_at, reason) VALUES (?, ?, ?, ?, ?)",
            [row.className, pull.name, row.objectId, row.updatedAt.milliseconds, row.reason])
    }

    /// All skipped ids of a pull, and those without a stored earlier state.
    func ids(of pull: PullId) throws -> (all: Set<String>, missing: Set<String>) {
        let rows = try db.rows(
            """
            SELECT s.id, EXISTS (SELECT 1 FROM objects o WHERE o.class = s.class AND o.id = s.id AND o.base_kind > 0)
            FROM skipped_rows s WHERE s.class = ? AND s.pull = ?
            """, [pull.className, pull.name]
        ) { (id: $0.text(0), isHere: $0.bool(1)) }
        return (Set(rows.map { $0.id }), Set(rows.filter { !$0.isHere }.map { $0.id }))
    }

    func forget(_ objectId: String, of className: String) throws {
        try db.run("DELETE FROM skipped_rows WHERE class = ? AND id = ?", [className, objectId])
    }

    /// Forgets rows that have arrived or no longer exist.
    func forget(among changes: [RemoteChange], of className: String) throws {
        guard !changes.isEmpty,
            try db.isTrue("SELECT EXISTS (SELECT 1 FROM skipped_rows WHERE class = ?)", [className])
        else { return }
        for change in changes {
            switch change {
            case .upsert(let record): try forget(record.objectId, of: className)
            case .tombstone(_, let objectId): try forget(objectId, of: className)
            }
        }
    }

    /// The most recently changed rows of a class.
    func newest(of className: String) throws -> [SkippedRow] {
        try db.rows(
            """
            SELECT id, max(updated_at), reason FROM skipped_rows WHERE class = ? GROUP BY id ORDER BY 2 DESC, id
            LIMIT \(Self.shownMax)
            """, [className]
        ) { SkippedRow(className: className, objectId: $0.text(0), updatedAt: $0.date(1), reason: $0.text(2)) }
    }
}
