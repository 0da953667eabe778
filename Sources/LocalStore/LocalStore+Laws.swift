import GRDB
import ParseModel

/// What holds of every object of a replica at every commit, looked up in the file.
extension LocalStore {
    /// - Returns: a line for each object of which a law does not hold; empty in a sound file.
    package func brokenLaws() throws -> [String] {
        try read { db in
            // An object without pending work whose base is its view obeys by its row alone.
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT class, id FROM objects o WHERE base_kind <> 1 OR view IS NULL OR state <> 0
                        OR EXISTS (SELECT 1 FROM outbox s WHERE s.class = o.class AND s.id = o.id)
                    ORDER BY pk
                    """)
            var lines = try rows.compactMap { row in try Self.brokenLaw(of: row[0], row[1], in: db) }
            lines += try Row.fetchAll(
                db,
                sql: """
                    SELECT seq, class, id FROM outbox s WHERE NOT EXISTS (
                        SELECT 1 FROM objects o WHERE o.class = s.class AND o.id = s.id) ORDER BY seq
                    """
            ).map { "step \($0[0] as Int64) is of \($0[1] as String) \($0[2] as String), which is not there" }
            return lines
        }
    }

    private static func brokenLaw(of className: String, _ objectId: String, in db: Database) throws -> String? {
        guard var object = try LocalObject(className, objectId, in: db) else { return nil }
        let name = "\(className) \(objectId)"
        let view = object.view
        object.replay()
        if object.view != view { return "the view of \(name) is not its pending work replayed over its base" }
        if object.steps.isEmpty, object.base == nil { return "\(name) has neither a base nor pending work" }
        let state = try Int.fetchOne(
            db, sql: "SELECT state FROM objects WHERE class = ? AND id = ?", arguments: [className, objectId])
        return state == object.state.rawValue ? nil : "the state of \(name) is not that of its pending work"
    }
}
