import GRDB
import ParseModel
import StoreService
import SyncModel

/// The table `skipped_rows`: rows of the remote that the pulls of one author skipped because they are too large.
struct SkippedRows {
    let db: Database
    let author: AuthorKey

    func note(_ row: SkippedRow, of pull: PullId) throws {
        try db.run(
            "INSERT OR REPLACE INTO skipped_rows (class, identity, pull, id, updated_at, reason) VALUES (?, ?, ?, ?, ?, ?)",
            [row.className, author.key, pull.name, row.objectId, row.updatedAt.milliseconds, row.reason])
    }

    /// The ids of all rows that a pull skipped (`all`), and of those that are also not stored in an earlier state
    /// (`missing`).
    func ids(of pull: PullId) throws -> (all: Set<String>, missing: Set<String>) {
        let rows = try db.rows(
            """
            SELECT s.id, EXISTS (SELECT 1 FROM objects o WHERE o.class = s.class AND o.id = s.id AND o.base_kind > 0)
            FROM skipped_rows s WHERE s.class = ? AND s.identity = ? AND s.pull = ?
            """, [pull.className, author.key, pull.name]
        ) { (id: $0.text(0), isHere: $0.bool(1)) }
        return (Set(rows.map { $0.id }), Set(rows.filter { !$0.isHere }.map { $0.id }))
    }

    func forget(_ objectId: String, of className: String) throws {
        try db.run(
            "DELETE FROM skipped_rows WHERE class = ? AND identity = ? AND id = ?", [className, author.key, objectId])
    }

    /// Deletes the entries of objects whose rows were stored in the meantime, or that no longer exist.
    func forget(among changes: [RemoteChange], of className: String) throws {
        guard !changes.isEmpty,
            try db.isTrue(
                "SELECT EXISTS (SELECT 1 FROM skipped_rows WHERE class = ? AND identity = ?)",
                [className, author.key])
        else { return }
        for change in changes {
            switch change {
            case .upsert(let record): try forget(record.objectId, of: className)
            case .tombstone(_, let objectId): try forget(objectId, of: className)
            }
        }
    }
}
