import GRDB
import ParseModel
import StoreService
import SyncModel

/// Withholds objects: hides them from clients without removing them, because the remote no longer shows them
/// (`ObjectLife.isWithheld`). The next row of such an object makes it visible again.
struct Withholding {
    let transaction: StoreTransaction

    private var db: Database { transaction.db }

    /// The ids of the withheld objects of a class, which clients do not see, in ascending order.
    static func ids(of className: String, after last: String?, max: Int, in db: Database) throws -> [String] {
        try db.texts(
            """
            SELECT id FROM objects INDEXED BY objects_withheld WHERE class = ? AND withheld AND id > ?
            ORDER BY id LIMIT ?
            """, [className, last ?? "", max])
    }

    /// Hides objects of a class, except objects that the remote has never shown, and objects that were deleted here.
    func hide(_ objectIds: [String], of className: String) throws {
        for id in try Self.visible(objectIds, of: className, in: db) {
            guard var object = try LocalObject(className, id, in: db), object.life.base != nil, !object.life.isWithheld,
                !object.life.isUnshown, !object.life.endsInDelete
            else { continue }
            object.life.withhold()
            try object.save(in: transaction)
        }
    }

    /// The ids of visible objects among `objectIds`. Usually there are none, because earlier syncs have hidden them.
    static func visible(_ objectIds: [String], of className: String, in db: Database) throws -> [String] {
        guard !objectIds.isEmpty else { return [] }
        return try db.texts(
            """
            SELECT o.id FROM json_each(?) i CROSS JOIN objects o ON o.class = ? AND o.id = i.value
            WHERE o.view IS NOT NULL ORDER BY o.id
            """, [JSONValue.array(objectIds.map(JSONValue.string)).jsonText, className])
    }

    /// Makes the objects of held removals visible to clients again, after the remote has accepted a refused pull again.
    /// The remote lacks these objects, so no pulled row makes them visible.
    func showHeld(of className: String) throws {
        let lost = try LostObjects(db: db).idsOfRestore(of: className, isWithheld: true, max: -1)
        for id in try RemovalTable(db: db).ids(in: className).union(lost).sorted() {
            guard var object = try LocalObject(className, id, in: db), object.life.isWithheld else { continue }
            object.life.show()
            try object.save(in: transaction)
        }
    }

    /// Hides all objects of a refused pull from clients, except objects that belong to another pull that is not
    /// refused. Uses one statement for all objects, because there can be many.
    /// - Returns: whether an object was hidden.
    func hideAll(of pull: PullId, by author: AuthorKey) throws -> Bool {
        // While the pull is refused, most syncs find no visible object. This test then avoids a scan of the objects.
        let views = "SELECT coalesce(sum(views), 0) FROM class_counts WHERE class = ?"
        guard try db.count(views, [pull.className]) > 0 else { return false }
        let key: SQLiteBindings = [pull.className, author.key, pull.name, transaction.now.milliseconds]
        let isConcerned = """
            class = ?1 AND base_kind > 0 AND base_standing < \(BaseStanding.unshown.rawValue) AND view IS NOT NULL
            AND (EXISTS (SELECT 1 FROM pulls WHERE class = ?1 AND identity = ?2 AND name = ?3 AND conditions = '{}')
                OR EXISTS (SELECT 1 FROM pull_members m
                    WHERE m.class = ?1 AND m.identity = ?2 AND m.pull = ?3 AND m.id = objects.id))
            AND NOT EXISTS (SELECT 1 FROM pulls p WHERE p.class = ?1 AND p.refusal IS NULL
                AND (p.identity, p.name) IS NOT (?2, ?3)
                AND (p.conditions = '{}' OR EXISTS (SELECT 1 FROM pull_members m
                    WHERE m.class = ?1 AND m.identity = p.identity AND m.pull = p.name AND m.id = objects.id)))
            """
        let before = try db.count("SELECT count(*) FROM changes")
        try db.run(
            """
            INSERT INTO changes (class, id, kind, at, acl_before, before)
            SELECT class, id, '\(ChangeEntry.Kind.delete.rawValue)', ?4, acl, iif(\(LiveClasses.isFollowed), view, NULL)
            FROM objects WHERE \(isConcerned) ORDER BY pk
            """, key)
        let count = try db.count("SELECT count(*) FROM changes") - before
        guard count > 0 else { return false }
        try db.run(
            """
            UPDATE objects SET base = CASE base_kind WHEN 1 THEN view ELSE base END, base_kind = 2, view = NULL, withheld = 1
            WHERE \(isConcerned) AND ?4 > 0
            """, key)
        try ClassCounts(db: db).add(pull.className, bases: 0, views: -count)
        return true
    }
}
