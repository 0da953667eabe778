import GRDB
import ParseModel
import StoreService
import SyncModel

/// The table `classes`: the known classes, with their sync options.
struct ClassTable {
    let db: Database

    /// The names of the classes that are synced or have objects, sorted.
    /// - Parameter withSchemas: whether to include classes that only have a schema.
    func allNames(withSchemas: Bool) throws -> [String] {
        let schemas = withSchemas ? "UNION SELECT class FROM fields UNION SELECT class FROM schemas" : ""
        return try db.texts("SELECT name FROM classes UNION SELECT class FROM objects \(schemas) ORDER BY 1")
    }

    /// Adds a class when a client first writes an object of it. In a replica, changes of the class are then sent to the
    /// remote, but the class is not pulled until it is registered.
    func ensure(_ name: String) throws {
        try db.run("INSERT OR IGNORE INTO classes (name) VALUES (?)", [name])
    }

    func contains(_ name: String) throws -> Bool {
        try db.isTrue("SELECT EXISTS (SELECT 1 FROM classes WHERE name = ?)", [name])
    }

    /// The names of all known classes, sorted.
    func names() throws -> [String] { try db.texts("SELECT name FROM classes ORDER BY name") }

    /// All known classes, each with its pulls by an author, sorted by name.
    func all(pulledBy author: AuthorKey) throws -> [SyncClass] {
        let pulls = Dictionary(grouping: try PullTable(db: db, author: author).states()) { $0.className }
        return try db.rows("SELECT name, options, stopped_because FROM classes ORDER BY name") { row in
            SyncClass(
                name: row.text(0), options: try ClassOptions(stored: row.text(1)),
                pulls: (pulls[row.text(0)] ?? []).map { $0.state },
                stoppedBecause: row.textIfAny(2))
        }
    }

    func options(of className: String) throws -> ClassOptions {
        try db.firstRow("SELECT options FROM classes WHERE name = ?", [className]) {
            try ClassOptions(stored: $0.text(0))
        } ?? ClassOptions()
    }

    /// The option `idFields` alone, for queries. This is faster than reading all options.
    func idFields(of className: String) throws -> IdFields {
        let object = try db.firstRow(
            "SELECT json_extract(options, '$.idFields') FROM classes WHERE name = ?", [className]
        ) { try $0.object(0) }
        return object?.flatMap(IdFields.init(json:)) ?? IdFields()
    }

    func set(_ options: ClassOptions, of className: String) throws {
        try db.run("UPDATE classes SET options = ? WHERE name = ?", [options.stored, className])
    }

    /// Stops the pulls of a class, or restarts them.
    /// - Parameter reason: the reason for stopping; nil to restart the pulls.
    func setStopped(_ className: String, because reason: String?) throws {
        try db.run("UPDATE classes SET stopped_because = ? WHERE name = ?", [reason, className])
    }

    /// Stops syncing a class without pending changes, and removes it from the known classes. Its objects stay in the
    /// file.
    func drop(_ className: String) throws {
        for table in ["removals", "lost_objects", "unseen_writes", "pull_members", "skipped_rows"] {
            try db.run("DELETE FROM \(table) WHERE class = ?", [className])
        }
        try db.run("DELETE FROM classes WHERE name = ?", [className])
    }

    // MARK: Strays

    /// Records that the class may have strays: stored objects that belong to none of its pulls.
    func expectStrays(in className: String) throws {
        try db.run("UPDATE classes SET may_have_strays = 1 WHERE name = ? AND NOT may_have_strays", [className])
    }

    func mayHaveStrays(_ className: String) throws -> Bool {
        try db.isTrue("SELECT may_have_strays FROM classes WHERE name = ?", [className])
    }

    /// The SQL, from `FROM` on, for the strays of the class ?1: stored objects that belong to none of its pulls.
    static let strays = """
        FROM objects WHERE class = ?1 AND EXISTS (SELECT 1 FROM pulls WHERE class = ?1)
            AND NOT EXISTS (SELECT 1 FROM pulls WHERE class = ?1 AND conditions = '{}')
            AND NOT EXISTS (SELECT 1 FROM pull_members m WHERE m.class = ?1 AND m.id = objects.id)
        """

    /// The ids of the strays (stored objects that belong to no pull) that may be dropped. A stray stays if it has a
    /// pending change, a conflict or a rejection, if it waits for a decision about its removal, or if the remote has
    /// not shown its last known state.
    /// - Parameter pushedOnly: whether to return only objects that this gateway has created or changed on the remote.
    func evictableStrays(of className: String, pushedOnly: Bool = false) throws -> [String] {
        guard try mayHaveStrays(className) else { return [] }
        return try db.texts(
            """
            SELECT id \(Self.strays) AND state = \(SyncState.synced.rawValue) AND NOT base_standing
                AND NOT EXISTS (SELECT 1 FROM outbox s WHERE s.class = ?1 AND s.id = objects.id)
                AND id NOT IN (\(RemovalTable.heldIds)) \(pushedOnly ? "AND is_ours" : "")
            ORDER BY pk
            """, [className])
    }

    /// Drops the strays of a class (stored objects that belong to no pull) from the file, if they may be dropped. The
    /// remote keeps the objects.
    /// - Parameters:
    ///   - missing: the ids of objects that stay, because the remote does not have them.
    ///   - pointers: the pointer fields by which permissions decide which objects a user may list. The change feed
    ///     records their values.
    /// - Returns: the number of dropped objects.
    func evictStrays(
        of className: String, besides missing: Set<String>, now: ParseDate, pointers: [String]
    ) throws -> Int {
        let ids = try evictableStrays(of: className).filter { !missing.contains($0) }
        for id in ids { try evict(className, id, now: now, pointers: pointers) }
        // `may_have_strays` stays set while strays remain, for example objects with pending changes. A later call can
        // drop them.
        try db.run("UPDATE classes SET may_have_strays = EXISTS (SELECT 1 \(Self.strays)) WHERE name = ?1", [className])
        return ids.count
    }

    // MARK: Objects

    func holds(_ className: String, _ objectId: String) throws -> Bool {
        try db.isTrue("SELECT EXISTS (SELECT 1 FROM objects WHERE class = ? AND id = ?)", [className, objectId])
    }

    /// Drops an object without pending changes from the file.
    /// - Parameter pointers: the pointer fields by which permissions decide which objects a user may list. The change
    ///   feed records their values.
    func evict(_ className: String, _ objectId: String, now: ParseDate, pointers: [String]) throws {
        try RelationMembers(db: db).drop(className, objectId)
        let counts = try db.firstRow(
            "SELECT base_kind > 0, view IS NOT NULL, acl, view FROM objects WHERE class = ? AND id = ?",
            [className, objectId]
        ) { row in
            let view = row.textIfAny(3)
            return (
                bases: row.int(0), views: row.int(1), view: view,
                rights: EntryRights(acls: row.integer(2), 0, views: view, nil, pointers: pointers)
            )
        }
        try db.run("DELETE FROM objects WHERE class = ? AND id = ?", [className, objectId])
        guard let counts else { return }
        try ClassCounts(db: db).add(className, bases: -counts.bases, views: -counts.views)
        try db.run("DELETE FROM pull_members WHERE class = ? AND id = ?", [className, objectId])
        try ChangeFeed(db: db).append(className, objectId, .delete, now: now, counts.rights, before: counts.view)
    }

    /// Drops all objects of a class from the file.
    /// - Parameter pointers: the pointer fields by which permissions decide which objects a user may list. The change
    ///   feed records their values.
    /// - Returns: the number of dropped objects.
    @discardableResult
    func purge(_ className: String, now: ParseDate, pointers: [String] = []) throws -> Int {
        let needsViews = try !pointers.isEmpty || LiveClasses(db: db).contains(className)
        let columns = needsViews ? "id, acl, view" : "id, acl"
        let dropped = try db.rows("SELECT \(columns) FROM objects WHERE class = ? ORDER BY pk", [className]) { row in
            let view = needsViews ? row.textIfAny(2) : nil
            return (
                id: row.text(0), view: view,
                rights: EntryRights(
                    aclBefore: row.integer(1), pointersBefore: EntryRights.pointers(pointers, in: view))
            )
        }
        for (id, view, rights) in dropped {
            try ChangeFeed(db: db).append(className, id, .delete, now: now, rights, before: view)
        }
        let tables = [
            "objects", "class_counts", "skipped_rows", "removals", "lost_objects", "unseen_writes", "relation_members",
            "relation_pulls",
        ]
        for table in tables { try db.run("DELETE FROM \(table) WHERE class = ?", [className]) }
        return dropped.count
    }
}
