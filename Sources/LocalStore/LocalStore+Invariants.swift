import GRDB
import ParseModel
import SyncModel

/// What holds of every object of a replica at every commit, looked up in the file.
extension LocalStore {
    /// - Returns: a line for each object of which a law does not hold; empty in a sound file.
    package func invariantViolations() throws -> [String] {
        try read { db in
            // An object without pending work whose base is its view obeys by its row alone.
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT class, id FROM objects o WHERE base_kind <> 1 OR view IS NULL OR state <> 0
                        OR EXISTS (SELECT 1 FROM outbox s WHERE s.class = o.class AND s.id = o.id)
                        OR EXISTS (SELECT 1 FROM relation_members m
                            WHERE m.class = o.class AND m.id = o.id AND m.in_base <> m.in_view)
                    ORDER BY pk
                    """)
            var lines = try rows.compactMap { row in try Self.violation(of: row[0], row[1], in: db) }
            lines += try Row.fetchAll(
                db,
                sql: """
                    SELECT seq, class, id FROM outbox s WHERE NOT EXISTS (
                        SELECT 1 FROM objects o WHERE o.class = s.class AND o.id = s.id) ORDER BY seq
                    """
            ).map { "step \($0[0] as Int64) is of \($0[1] as String) \($0[2] as String), which is not there" }
            lines += try String.fetchAll(
                db,
                sql: """
                    WITH counted AS (SELECT class, sum(base_kind > 0) AS bases, count(view) AS views FROM objects GROUP BY class)
                    SELECT coalesce(n.class, c.class) FROM class_counts n FULL JOIN counted c ON c.class = n.class
                    WHERE (coalesce(n.bases, 0), coalesce(n.views, 0)) IS NOT (coalesce(c.bases, 0), coalesce(c.views, 0))
                    """
            ).map { "the objects of \($0) are not as many as are counted" }
            return try lines + Self.lostRelations(in: db)
        }
    }

    private static func violation(of className: String, _ objectId: String, in db: Database) throws -> String? {
        guard var object = try LocalObject(className, objectId, in: db) else { return nil }
        let name = "\(className) \(objectId)"
        let view = object.life.view
        object.life.replay()
        if object.life.view != view { return "the view of \(name) is not its pending work replayed over its base" }
        if let line = try questionViolation(about: object, in: db) { return line }
        if object.life.steps.isEmpty, object.life.base == nil { return "\(name) has neither a base nor pending work" }
        if try !Self.membersAreReplayed(of: object, in: db) {
            return "the relations of \(name) are not its pending work replayed over their base"
        }
        let state = try Int.fetchOne(
            db, sql: "SELECT state FROM objects WHERE class = ? AND id = ?", arguments: [className, objectId])
        return state == object.life.state.rawValue ? nil : "the state of \(name) is not that of its pending work"
    }

    /// A second copy is hidden as long as a question is open about it, and no longer; and no question shows an object that was
    /// deleted here.
    private static func questionViolation(about object: LocalObject, in db: Database) throws -> String? {
        let name = "\(object.life.className) \(object.life.objectId)"
        let isAsked = { (column: String) in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM conflicts WHERE class = ? AND kind = 'ambiguousCreate'
                        AND resolution IS NULL AND \(column) = ?)
                    """, arguments: [object.life.className, object.life.objectId]) == true
        }
        if object.life.isSecondCopy {
            let isNamed = try isAsked("json_extract(remote, '$.objectId')")
            return isNamed ? nil : "\(name) is hidden, and no question is open about it"
        }
        guard object.life.view != nil, object.life.steps.last?.step.kind == .delete, try isAsked("object_id") else {
            return nil
        }
        return "\(name) was deleted here, and a question about its create shows it"
    }

    private static func membersAreReplayed(of object: LocalObject, in db: Database) throws -> Bool {
        let pending = PendingMembers(steps: object.life.steps.map(\.step), hasBase: object.life.base != nil)
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT field, member_class, member_id, in_base, in_view FROM relation_members WHERE class = ? AND id = ?
                """, arguments: [object.life.className, object.life.objectId])
        var missing = Set(pending.decided.filter(\.value).keys)
        for row in rows {
            let member = PendingMembers.Member(field: row[0], pointer: Pointer(className: row[1], objectId: row[2]))
            let (inBase, inView) = (row[3] as Bool, row[4] as Bool)
            missing.remove(member)
            if inView != pending.isMember(member, inBase: inBase) || !(inBase || inView) { return false }
            if inBase, object.life.base == nil { return false }
        }
        return missing.isEmpty
    }

    private static func lostRelations(in db: Database) throws -> [String] {
        try ["relation_members", "relation_pulls"].flatMap { table in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT class, id FROM \(table) t WHERE NOT EXISTS (
                        SELECT 1 FROM objects o WHERE o.class = t.class AND o.id = t.id) ORDER BY class, id
                    """
            ).map { "\($0[0] as String) \($0[1] as String) is not there, and has rows in \(table)" }
        }
    }
}
