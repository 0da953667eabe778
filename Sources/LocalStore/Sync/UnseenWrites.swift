import GRDB
import ParseModel
import StoreService
import SyncModel

/// Acknowledged writes that the remote has not shown yet. `objects.is_provisional` marks them, and `unseen_writes` counts the
/// syncs that looked for them.
struct UnseenWrites {
    let db: Database

    func classes() throws -> Set<String> {
        Set(
            try db.texts(
                """
                SELECT DISTINCT class FROM objects INDEXED BY objects_provisional WHERE is_provisional AND is_provisional = 2
                UNION SELECT DISTINCT class FROM unseen_writes
                """))
    }

    func objects(of className: String, max: Int) throws -> [KnownObject] {
        try db.texts(
            """
            SELECT id FROM objects INDEXED BY objects_provisional
            WHERE class = ?1 AND is_provisional AND is_provisional = 2 AND +base_kind > 0
            UNION SELECT id FROM unseen_writes u WHERE class = ?1 AND EXISTS (
                SELECT 1 FROM objects o WHERE o.class = ?1 AND o.id = u.id AND o.is_provisional IN (1, 2))
            LIMIT ?2
            """, [className, max]
        ).compactMap { try known($0, of: className) }
    }

    /// Filters the ids to acknowledged creates that the remote has never shown.
    func unshownIds(among objectIds: [String], of className: String) throws -> Set<String> {
        Set(
            try objectIds.filter { id in
                try db.isTrue(
                    """
                    SELECT EXISTS (SELECT 1 FROM objects WHERE class = ? AND id = ? AND is_provisional >= 2 AND base_kind > 0)
                    """, [className, id])
            })
    }

    func noteLooks(at objectIds: [String], of className: String, at serverTime: ParseDate) throws {
        // Objects that were shown since, or no longer exist, are not counted further.
        try db.run(
            """
            DELETE FROM unseen_writes WHERE class = ? AND NOT EXISTS (
                SELECT 1 FROM objects o WHERE o.class = unseen_writes.class AND o.id = unseen_writes.id
                    AND o.is_provisional IN (1, 2))
            """, [className])
        for id in objectIds {
            // The minimum prevents a delay of hours after the clock was set back.
            try db.run(
                """
                INSERT INTO unseen_writes (class, id, since, looks) VALUES (?1, ?2, ?3, 1)
                ON CONFLICT DO UPDATE SET looks = looks + 1, since = min(since, excluded.since)
                """, [className, id, serverTime.milliseconds])
        }
    }

    func hide(_ objectIds: [String], of className: String) throws {
        for id in objectIds {
            try db.run(
                "UPDATE objects SET is_provisional = 3 WHERE class = ? AND id = ? AND is_provisional = 2",
                [className, id])
            try db.run("DELETE FROM unseen_writes WHERE class = ? AND id = ?", [className, id])
        }
    }

    /// Pushed objects that no pull has returned since, without hidden ones.
    func provisionalIds(of className: String) throws -> [String] {
        try db.texts(
            """
            SELECT id FROM objects WHERE class = ? AND is_provisional AND +base_kind > 0 AND NOT \(PullRows.isPrivate)
                AND is_provisional < \(BaseStanding.hidden.rawValue)
            ORDER BY pk
            """, [className])
    }

    /// The number of hidden and of unshown objects, by class.
    func counts() throws -> [String: (hidden: Int, unshown: Int)] {
        let rows = try db.rows(
            """
            SELECT class, sum(is_provisional = 3), sum(is_provisional = 2) FROM objects INDEXED BY objects_provisional
            WHERE is_provisional AND is_provisional >= 2 AND base_kind > 0 AND view IS NOT NULL GROUP BY class
            """
        ) { ($0.text(0), (hidden: $0.int(1), unshown: $0.int(2))) }
        return Dictionary(rows) { first, _ in first }
    }

    /// The facts about an object that the remote has or had; nil without a base.
    func known(_ objectId: String, of className: String) throws -> KnownObject? {
        guard let object = try LocalObject(className, objectId, in: db), let base = object.life.base else { return nil }
        let looks = try db.firstRow(
            "SELECT looks, since FROM unseen_writes WHERE class = ? AND id = ?", [className, objectId]
        ) { (count: $0.int(0), since: $0.date(1)) }
        let lost = try LostObjects(db: db).standing(of: object.life.pointer)
        let standing: KnownObject.Standing =
            switch object.life.baseStanding {
            case .shown, .gone: .shown
            case .acknowledged: .acknowledged
            case .unshown, .hidden: .unshown
            }
        return KnownObject(
            objectId: objectId, base: base, standing: standing, heldBecause: lost?.reason,
            isReverted: lost?.isReverted ?? false, looks: looks?.count ?? 0, lookedSince: looks?.since)
    }
}
