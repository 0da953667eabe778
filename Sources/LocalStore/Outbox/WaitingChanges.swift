import GRDB
import ParseModel
import StoreService
import SyncModel

/// Reads why changes in the outbox wait: for a file, for another object, or for the remote.
struct WaitingChanges {
    let db: Database

    private static let columns = "seq, class, id, kind, phase, made_at, attempts, code, error, identity"

    /// The changes that have waited since a date to be sent or for the outcome of their request: the first change of
    /// each object, oldest first. An object with a rejected change, an open conflict or a held removal waits for a
    /// decision, and is left out. The pushes follow the sequence numbers, so only the first `OldChanges.countMax` changes
    /// are examined. Files and targets are not read.
    func changes(madeBy date: ParseDate, for lister: DecisionLister) throws -> [WaitingChange] {
        let rows = try rows(
            """
            SELECT \(Self.columns) FROM outbox w WHERE seq IN (
                SELECT seq FROM outbox WHERE \(OutboxTable.isWaiting) AND \(lister.condition)
                ORDER BY seq LIMIT \(OldChanges.countMax))
            AND made_at <= ? AND NOT EXISTS (
                SELECT 1 FROM outbox e WHERE e.class = w.class AND e.id = w.id AND e.seq < w.seq)
            AND NOT EXISTS (
                SELECT 1 FROM conflicts c WHERE c.class = w.class AND c.object_id = w.id AND c.resolution IS NULL)
            ORDER BY seq
            """, [date.milliseconds])
        guard try RemovalTable(db: db).isAnyHeld() else { return rows }
        let held = try Dictionary(grouping: rows, by: \.object.className).mapValues { changes in
            try RemovalTable(db: db).heldIds(among: changes.map(\.object.objectId), in: changes[0].object.className)
        }
        return rows.filter { held[$0.object.className]?.contains($0.object.objectId) != true }
    }

    /// The change with its files and targets.
    func withObstacles(_ change: WaitingChange) throws -> WaitingChange {
        WaitingChange(
            id: change.id, author: change.author, object: change.object, kind: change.kind, phase: change.phase,
            madeAt: change.madeAt, attempts: change.attempts, code: change.code, error: change.error,
            files: try files(of: change.id), targets: try targets(of: change.id))
    }

    /// The changes of an object in any phase, oldest first, with their files and targets; at most `WaitingChange.listMax`.
    func steps(of object: Pointer, for lister: DecisionLister) throws -> [ObjectHistory.Step] {
        let changes = try rows(
            """
            SELECT \(Self.columns) FROM outbox WHERE class = ? AND id = ? AND \(lister.condition)
            ORDER BY seq LIMIT \(WaitingChange.listMax)
            """, [object.className, object.objectId])
        return try changes.map { change in
            let sent = try db.firstRow("SELECT operations, attempted_at FROM outbox WHERE seq = ?", [change.id]) {
                (fields: try $0.object(0)?.map(\.key) ?? [], attemptedAt: $0.dateIfAny(1))
            }
            return ObjectHistory.Step(
                change: try withObstacles(change), fields: sent?.fields ?? [], attemptedAt: sent?.attemptedAt)
        }
    }

    private func rows(_ sql: String, _ values: SQLiteBindings) throws -> [WaitingChange] {
        let authors = Authors(db: db)
        return try db.rows(sql, values) { row in
            WaitingChange(
                id: row.integer(0), author: try authors.author(of: AuthorKey(key: row.integer(9))) ?? .gateway,
                object: row.pointer(1), kind: try .stored(row.text(3), as: "the kind of a change"),
                phase: try .stored(row.text(4), as: "the phase of a change"), madeAt: row.date(5),
                attempts: row.int(6), code: row.integerIfAny(7).map { Int($0) }, error: row.textIfAny(8))
        }
    }

    private func files(of seq: Int64) throws -> [WaitingChange.File] {
        try db.rows(
            """
            SELECT f.name, f.attempts, f.error FROM outbox_files p JOIN files f ON f.name = p.name
            WHERE p.seq = ? AND f.remote_url IS NULL ORDER BY f.name LIMIT \(WaitingChange.listMax)
            """, [seq]
        ) { WaitingChange.File(name: $0.text(0), attempts: $0.int(1), error: $0.textIfAny(2)) }
    }

    /// The objects that must exist on the remote before the change can be sent, as in `AuthorOutbox`.
    private func targets(of seq: Int64) throws -> [WaitingChange.Target] {
        try db.rows(
            """
            SELECT p.class, p.id, min(CASE o.phase WHEN 'rejected' THEN 0 WHEN 'held' THEN 1 ELSE 2 END)
            FROM outbox_pointers p JOIN outbox o ON o.class = p.class AND o.id = p.id AND o.kind = 'create'
            WHERE p.seq = ? GROUP BY p.class, p.id ORDER BY p.class, p.id LIMIT \(WaitingChange.listMax)
            """, [seq]
        ) { row in
            let standings: [WaitingChange.Target.Standing] = [.rejected, .inConflict, .waiting]
            return WaitingChange.Target(object: row.pointer(0), standing: standings[row.int(2)])
        }
    }
}
