import GRDB
import ParseModel
import StoreService
import SyncModel

/// The table `lost_objects`: objects that the remote lacks or has in an earlier state. They stay here until a user
/// decides.
struct LostObjects {
    let db: Database

    /// The key in `meta` of a mark that is set at the first sign that the remote was restored from a backup. A sync
    /// that has compared all objects removes the mark.
    private static let comparesAllKey = "compares_all_after_restore"

    /// The start of an SQL statement for the ids of lost objects that need a decision. Objects that were deleted here,
    /// and objects that the remote is no longer known to have, are left out. Callers append conditions on `lost_objects
    /// l`. `CROSS JOIN` makes SQLite begin with `lost_objects`, which is usually empty. Otherwise SQLite would read all
    /// objects of the class.
    static let heldIds = """
        SELECT l.id FROM lost_objects l CROSS JOIN objects o ON o.class = l.class AND o.id = l.id AND +o.base_kind > 0
            AND (o.view IS NOT NULL OR o.withheld) WHERE 1
        """

    /// A lost object that waits for a decision. `latest` is the remote's row at the last read; nil if the remote lacked
    /// the object. `ancestor` is the first row that showed an earlier state of the object; nil if no row did.
    struct Held {
        let objectId: String
        let ancestor: RemoteRecord?
        let latest: RemoteRecord?
    }

    func hold(_ lost: [LostObject], of className: String, because reason: RemovalReason, now: ParseDate) throws {
        guard !lost.isEmpty else { return }
        let isFirst = try !db.isTrue("SELECT EXISTS (SELECT 1 FROM removals WHERE reason = ?)", [reason.rawValue])
        // If the remote was restored from a backup, more objects may have returned to earlier states. `comparesAllKey`
        // makes a sync compare all objects once.
        if isFirst, reason == .restoredBackup { try Meta.set(Self.comparesAllKey, "1", in: db) }
        for object in lost {
            // `ancestor` keeps the first row with an earlier state, so that edits on the remote after the restore show
            // as differences from it.
            try db.run(
                """
                INSERT INTO lost_objects (class, id, reason, ancestor, latest) VALUES (?1, ?2, ?3, ?4, ?4)
                ON CONFLICT DO UPDATE SET ancestor = coalesce(ancestor, excluded.ancestor), latest = excluded.latest
                """, [className, object.objectId, reason.rawValue, object.row?.jsonText])
        }
        try RemovalTable(db: db).insert(of: className, because: reason, now: now)
    }

    func release(_ objectIds: [String], of className: String) throws {
        for id in objectIds { try db.run("DELETE FROM lost_objects WHERE class = ? AND id = ?", [className, id]) }
        try db.run(
            """
            DELETE FROM lost_objects WHERE NOT EXISTS (
                SELECT 1 FROM objects o WHERE o.class = lost_objects.class AND o.id = lost_objects.id AND o.base_kind > 0)
            """)
        try RemovalTable(db: db).dropDecided()
    }

    func held(of className: String, because reason: String) throws -> [Held] {
        try db.rows(
            "SELECT id, ancestor, latest FROM lost_objects WHERE class = ? AND reason = ? ORDER BY id",
            [className, reason]
        ) { row in
            let record = { (column: Int32) in
                try row.object(column).flatMap(ObjectState.init(json:)).map {
                    RemoteRecord(className: className, objectId: row.text(0), state: $0)
                }
            }
            return Held(objectId: row.text(0), ancestor: try record(1), latest: try record(2))
        }
    }

    /// The reason why the object waits for a decision, and whether the remote has an earlier state of it; nil if it
    /// does not wait.
    func standing(of object: Pointer) throws -> (reason: RemovalReason, isReverted: Bool)? {
        try db.firstRow(
            "SELECT reason, latest IS NOT NULL FROM lost_objects WHERE class = ? AND id = ?",
            [object.className, object.objectId]
        ) { (try .stored($0.text(0), as: "the reason of a removal"), $0.bool(1)) }
    }

    /// The ids of objects that wait for a decision because the remote was restored from a backup, in ascending order.
    /// - Parameter isWithheld: true for the objects that clients do not see, false for the others.
    func idsOfRestore(of className: String, isWithheld: Bool, max: Int) throws -> [String] {
        try db.texts(
            """
            \(Self.heldIds) AND l.class = ? AND l.reason = 'restoredBackup' AND o.withheld = ? ORDER BY l.id LIMIT ?
            """, [className, isWithheld, max])
    }

    func holdsRestore() throws -> Bool {
        try db.isTrue("SELECT EXISTS (\(Self.heldIds) AND l.reason = 'restoredBackup')")
    }

    /// The ids of the objects that wait for a decision about one removal.
    /// - Parameter reverted: true to list the objects that the remote has in an earlier state, false to list the missing objects.
    func ids(of className: String, because reason: String, reverted: Bool) throws -> [String] {
        try db.texts(
            "\(Self.heldIds) AND l.class = ? AND l.reason = ? AND (l.latest IS NOT NULL) = ? ORDER BY l.id",
            [className, reason, reverted])
    }

    // MARK: The comparison after a restore

    func comparesAll() throws -> Bool { try Meta.value(of: Self.comparesAllKey, in: db) != nil }

    func setComparedAll() throws { try Meta.set(Self.comparesAllKey, nil, in: db) }
}
