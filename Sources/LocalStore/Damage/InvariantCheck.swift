import GRDB
import ParseModel
import SyncModel

/// Checks the invariants of a replica's objects in the file.
struct InvariantCheck {
    let db: Database

    func violations() throws -> [String] {
        // Objects without pending changes always satisfy every invariant if clients see the last known remote state.
        // They are not checked.
        var lines = try pointers(
            """
            SELECT class, id FROM objects o WHERE base_kind <> 1 OR view IS NULL OR state <> 0
                OR EXISTS (SELECT 1 FROM outbox s WHERE s.class = o.class AND s.id = o.id)
                OR EXISTS (SELECT 1 FROM relation_members m
                    WHERE m.class = o.class AND m.id = o.id AND m.in_base <> m.in_view)
            ORDER BY pk
            """
        ).compactMap(violation)
        lines += try pointers(
            """
            SELECT class, id FROM outbox s WHERE NOT EXISTS (
                SELECT 1 FROM objects o WHERE o.class = s.class AND o.id = s.id) ORDER BY seq
            """
        ).map { "a step belongs to \($0.className) \($0.objectId), which does not exist" }
        lines += try db.texts(
            """
            WITH counted AS (SELECT class, sum(base_kind > 0) AS bases, count(view) AS views FROM objects GROUP BY class)
            SELECT coalesce(n.class, c.class) FROM class_counts n FULL JOIN counted c ON c.class = n.class
            WHERE (coalesce(n.bases, 0), coalesce(n.views, 0)) IS NOT (coalesce(c.bases, 0), coalesce(c.views, 0))
            """
        ).map { "the stored counts of \($0) differ from its objects" }
        for table in ["relation_members", "relation_pulls"] {
            lines += try pointers(
                """
                SELECT DISTINCT class, id FROM \(table) t WHERE NOT EXISTS (
                    SELECT 1 FROM objects o WHERE o.class = t.class AND o.id = t.id) ORDER BY class, id
                """
            ).map { "\($0.className) \($0.objectId) does not exist, and has rows in \(table)" }
        }
        return lines
    }

    private func pointers(_ sql: String) throws -> [Pointer] { try db.rows(sql) { $0.pointer(0) } }

    private func violation(of pointer: Pointer) throws -> String? {
        guard var object = try LocalObject(pointer.className, pointer.objectId, in: db) else { return nil }
        let name = "\(pointer.className) \(pointer.objectId)"
        let view = object.life.view
        object.life.replay()
        if object.life.view != view { return "the view of \(name) is not its pending work replayed over its base" }
        if let line = try conflictViolation(of: object.life, name) { return line }
        if object.life.steps.isEmpty, object.life.base == nil { return "\(name) has neither a base nor pending work" }
        if try !membersAreReplayed(of: object.life) {
            return "the relations of \(name) are not its pending work replayed over their base"
        }
        let state = try db.integer(
            "SELECT state FROM objects WHERE class = ? AND id = ?", [pointer.className, pointer.objectId])
        return state == Int64(object.life.state.rawValue)
            ? nil : "the state of \(name) is not that of its pending work"
    }

    /// Checks two rules about creates of unknown outcome. First: an object that is hidden as a possible second copy of
    /// a create is named in an open conflict about this create. Second: a locally deleted object is invisible while a
    /// conflict about its create is open.
    /// - Returns: a description of the violation; nil if both rules hold.
    private func conflictViolation(of life: ObjectLife, _ name: String) throws -> String? {
        let isShown = { (column: String) in
            try db.isTrue(
                """
                SELECT EXISTS (SELECT 1 FROM conflicts WHERE class = ? AND kind = 'ambiguousCreate' AND resolution IS NULL
                    AND \(column) = ?)
                """, [life.className, life.objectId])
        }
        if life.isSecondCopy {
            let isNamed = try isShown("json_extract(remote, '$.objectId')")
            return isNamed ? nil : "\(name) is hidden, and no conflict about it is open"
        }
        guard life.view != nil, life.shownSteps.last?.kind == .delete, try isShown("object_id") else { return nil }
        return "\(name) was deleted here, and a conflict about its create shows it"
    }

    private func membersAreReplayed(of life: ObjectLife) throws -> Bool {
        let pending = PendingMembers(steps: life.shownSteps, hasBase: life.base != nil)
        let rows = try db.rows(
            """
            SELECT field, member_class, member_id, in_base, in_view FROM relation_members WHERE class = ? AND id = ?
            """, [life.className, life.objectId]
        ) { row in
            (
                member: PendingMembers.Member(field: row.text(0), pointer: row.pointer(1)), inBase: row.bool(3),
                inView: row.bool(4)
            )
        }
        var missing = Set(pending.decided.filter(\.value).keys)
        for row in rows {
            missing.remove(row.member)
            if row.inView != pending.isMember(row.member, inBase: row.inBase) || !(row.inBase || row.inView) {
                return false
            }
            if row.inBase, life.base == nil { return false }
        }
        return missing.isEmpty
    }
}
