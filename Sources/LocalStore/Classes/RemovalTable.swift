import GRDB
import ParseModel
import StoreService
import SyncModel

/// The table `removals`: removals of objects that wait for a user's decision (held removals).
struct RemovalTable {
    let db: Database

    /// The start of an SQL statement for the ids in `removals.object_ids`: the objects of removals that were too large
    /// to be plausible, and wait for a decision. Objects that the remote is no longer known to have are left out.
    /// Callers append conditions on `removals r`.
    private static let listedIds = """
        SELECT h.value AS id FROM removals r CROSS JOIN json_each(r.object_ids) h
        CROSS JOIN objects o ON o.class = r.class AND o.id = h.value AND +o.base_kind > 0
        """
    /// The SQL for the ids of the class's objects whose removal waits for a decision. ?1 is the class.
    static let heldIds = """
        SELECT id FROM (\(listedIds) WHERE r.class = ?1)
        UNION SELECT id FROM (\(LostObjects.heldIds) AND l.class = ?1)
        """

    /// The number of removals that wait for a decision.
    func count(for lister: DecisionLister = .all) throws -> Int {
        guard lister.isOfAll else { return 0 }
        return try db.count(
            """
            SELECT count(*) FROM removals r WHERE EXISTS (
                SELECT 1 FROM json_each(r.object_ids) h CROSS JOIN objects o ON o.class = r.class AND o.id = h.value
                WHERE +o.base_kind > 0)
            OR EXISTS (\(LostObjects.heldIds) AND l.class = r.class AND l.reason = r.reason)
            """)
    }

    /// Whether any removal waits for a decision.
    func isAnyHeld() throws -> Bool { try db.isTrue("SELECT EXISTS (SELECT 1 FROM removals)") }

    func all(for lister: DecisionLister = .all) throws -> [HeldRemoval] {
        guard lister.isOfAll else { return [] }
        let lost = LostObjects(db: db)
        return try db.rows("SELECT id, class, reason, total, found_at FROM removals ORDER BY id") { row in
            let (id, className, reason) = (row.integer(0), row.text(1), row.text(2))
            let gone =
                try db.texts("\(Self.listedIds) WHERE r.id = ? ORDER BY h.key", [id])
                + lost.ids(of: className, because: reason, reverted: false)
            let older = try lost.ids(of: className, because: reason, reverted: true)
            guard !gone.isEmpty || !older.isEmpty else { return nil }
            return HeldRemoval(
                id: id, className: className, reason: try .stored(reason, as: "the reason of a removal"),
                objectIds: gone, olderIds: older, total: max(row.int(3), gone.count + older.count),
                foundAt: row.date(4))
        }
    }

    /// Deletes the entry of a removal because a user has decided about it, and returns its objects.
    /// - Throws: `StoreError.notFound` for an unknown id.
    func take(_ id: Int64) throws -> (className: String, held: [LostObjects.Held]) {
        let row = try db.firstRow("SELECT class, object_ids, reason FROM removals WHERE id = ?", [id]) {
            (className: $0.text(0), ids: try $0.textsOfJSON(1), reason: $0.text(2))
        }
        guard let row else { throw StoreError.notFound(what: "removal \(id)") }
        try db.run("DELETE FROM removals WHERE id = ?", [id])
        let listed = row.ids.map { LostObjects.Held(objectId: $0, ancestor: nil, latest: nil) }
        return (row.className, try listed + LostObjects(db: db).held(of: row.className, because: row.reason))
    }

    /// Adds a removal that waits for a decision, for the objects of the class in `lost_objects` with this reason. If
    /// there is one already, only its `total` is updated.
    func insert(of className: String, because reason: RemovalReason, now: ParseDate) throws {
        try db.run(
            """
            INSERT INTO removals (class, reason, object_ids, total, found_at)
            VALUES (?1, ?2, '[]', coalesce((SELECT bases FROM class_counts WHERE class = ?1), 0), ?3)
            ON CONFLICT (class, reason) DO UPDATE SET total = excluded.total
            """, [className, reason.rawValue, now.milliseconds])
    }

    /// Deletes the entries of removals without objects in `lost_objects`. Removals with the reason `tooMany` stay,
    /// because their objects are in `object_ids`.
    func dropDecided() throws {
        try db.run(
            """
            DELETE FROM removals WHERE reason <> 'tooMany' AND NOT EXISTS (
                SELECT 1 FROM lost_objects l WHERE l.class = removals.class AND l.reason = removals.reason)
            """)
    }

    /// Takes objects out of removals that wait for a decision if the changes contain their rows, because the remote
    /// shows these objects again.
    func release(_ changes: [RemoteChange], of className: String) throws {
        guard !changes.isEmpty, try db.isTrue("SELECT EXISTS (SELECT 1 FROM removals WHERE class = ?)", [className])
        else { return }
        let shown = changes.compactMap { if case .upsert(let record) = $0 { record.objectId } else { nil } }
        let released = try heldIds(among: shown, in: className)
        guard !released.isEmpty else { return }
        try LostObjects(db: db).release(released.sorted(), of: className)
        try db.run(
            """
            UPDATE removals SET object_ids = (SELECT json_group_array(h.value) FROM json_each(object_ids) h
                WHERE h.value NOT IN (SELECT value FROM json_each(?2)))
            WHERE class = ?1 AND reason = 'tooMany'
            """, [className, JSONValue.array(released.sorted().map(JSONValue.string)).jsonText])
        try db.run(
            "DELETE FROM removals WHERE class = ? AND reason = 'tooMany' AND object_ids = '[]'", [className])
    }

    // MARK: Removals that are too large to be plausible

    func ids(in className: String) throws -> Set<String> {
        Set(try db.texts("\(Self.listedIds) WHERE r.class = ? AND r.reason = 'tooMany'", [className]))
    }

    /// The ids among `objectIds` of objects whose removal waits for a decision.
    func heldIds(among objectIds: [String], in className: String) throws -> Set<String> {
        let asked = JSONValue.array(objectIds.map(JSONValue.string)).jsonText
        return Set(
            try db.texts(
                "SELECT id FROM (\(Self.heldIds)) WHERE id IN (SELECT value FROM json_each(?2))", [className, asked]))
    }

    func heldCount(in className: String) throws -> Int {
        try db.count("SELECT count(*) FROM (\(Self.heldIds))", [className])
    }

    func hold(_ objectIds: [String], in className: String, total: Int, now: ParseDate) throws {
        try db.run(
            """
            INSERT INTO removals (class, reason, object_ids, total, found_at) VALUES (?, 'tooMany', ?, ?, ?)
            ON CONFLICT (class, reason) DO UPDATE SET object_ids = excluded.object_ids, total = excluded.total
            """, [className, JSONValue.array(objectIds.map(JSONValue.string)).jsonText, total, now.milliseconds])
    }

    func isHeld(in className: String) throws -> Bool {
        try db.isTrue("SELECT EXISTS (SELECT 1 FROM removals WHERE class = ? AND reason = 'tooMany')", [className])
    }

    func drop(in className: String) throws {
        try db.run("DELETE FROM removals WHERE class = ? AND reason = 'tooMany'", [className])
    }
}
