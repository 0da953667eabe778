import GRDB
import ParseModel
import StoreService
import SyncModel

/// Records the writes of an author that the remote has acknowledged but not shown yet. The columns `base_standing` and
/// `provisional_as` of `objects` mark the written objects. For each object, the table `unseen_writes` counts the syncs
/// that searched for the write without success.
struct UnseenWrites {
    let db: Database
    let author: AuthorKey

    func classes() throws -> Set<String> {
        Set(
            try db.texts(
                """
                SELECT DISTINCT class FROM objects INDEXED BY objects_provisional
                WHERE base_standing AND base_standing = 2 AND provisional_as = ?1
                UNION SELECT DISTINCT class FROM unseen_writes WHERE identity = ?1
                """, [author.key]))
    }

    func objects(of className: String, max: Int) throws -> [KnownObject] {
        try db.texts(
            """
            SELECT id FROM objects INDEXED BY objects_provisional
            WHERE class = ?1 AND base_standing AND base_standing = 2 AND provisional_as = ?2 AND +base_kind > 0
            UNION SELECT id FROM unseen_writes u WHERE class = ?1 AND identity = ?2 AND EXISTS (
                SELECT 1 FROM objects o
                WHERE o.class = ?1 AND o.id = u.id AND o.base_standing IN (-2, 1, 2) AND o.provisional_as = ?2)
            LIMIT ?3
            """, [className, author.key, max]
        ).compactMap { try known($0, of: className) }
    }

    /// The ids among `objectIds` of objects that the remote has never shown, although it has acknowledged their creates
    /// to this or another author.
    func unshownIds(among objectIds: [String], of className: String) throws -> Set<String> {
        Set(
            try objectIds.filter { id in
                try db.isTrue(
                    """
                    SELECT EXISTS (SELECT 1 FROM objects WHERE class = ? AND id = ? AND base_standing >= 2 AND base_kind > 0)
                    """, [className, id])
            })
    }

    func noteLooks(at objectIds: [String], of className: String, at serverTime: ParseDate) throws {
        // Deletes the counts of objects that the remote has shown in the meantime, and of objects that no longer exist.
        try db.run(
            """
            DELETE FROM unseen_writes WHERE class = ? AND identity = ? AND NOT EXISTS (
                SELECT 1 FROM objects o WHERE o.class = unseen_writes.class AND o.id = unseen_writes.id
                    AND o.base_standing IN (-2, 1, 2) AND o.provisional_as = unseen_writes.identity)
            """, [className, author.key])
        for id in objectIds {
            // `since` is the time of the first search. If the server's clock was set back, `since` is lowered too, because a time
            // in the future would prolong the search.
            try db.run(
                """
                INSERT INTO unseen_writes (class, id, identity, since, looks) VALUES (?1, ?2, ?3, ?4, 1)
                ON CONFLICT DO UPDATE SET looks = looks + 1, since = min(since, excluded.since)
                """, [className, id, author.key, serverTime.milliseconds])
        }
    }

    /// Adds a count of zero searches for each object that has no count yet.
    func noteOlderRows(of objectIds: [String], of className: String, at serverTime: ParseDate) throws {
        for id in objectIds {
            try db.run(
                "INSERT OR IGNORE INTO unseen_writes (class, id, identity, since, looks) VALUES (?, ?, ?, ?, 0)",
                [className, id, author.key, serverTime.milliseconds])
        }
    }

    func hide(_ objectIds: [String], of className: String) throws {
        for id in objectIds {
            try db.run(
                """
                UPDATE objects SET base_standing = 3 WHERE class = ? AND id = ? AND base_standing = 2 AND provisional_as = ?
                """, [className, id, author.key])
            try db.run(
                "DELETE FROM unseen_writes WHERE class = ? AND id = ? AND identity = ?", [className, id, author.key])
        }
    }

    /// The ids of objects with a change of this author that the remote has acknowledged and no row has shown. Objects
    /// that the remote is no longer expected to show (standing `hidden`) are left out.
    /// - Parameter includesPrivate: whether to include objects whose present ACL gives no public read access and was
    ///   never shown by the remote. True is correct for an author that can read such objects.
    func provisionalIds(of className: String, includesPrivate: Bool) throws -> [String] {
        try db.texts(
            """
            SELECT id FROM objects WHERE class = ? AND base_standing AND provisional_as = ? AND +base_kind > 0
                AND (? OR base_standing = \(BaseStanding.edited.rawValue) OR NOT \(PullRows.isPrivate))
                AND base_standing < \(BaseStanding.hidden.rawValue)
            ORDER BY pk
            """, [className, author.key, includesPrivate])
    }

    /// The stored remote state of an object, for a comparison with the remote; nil if no remote state is known.
    func known(_ objectId: String, of className: String) throws -> KnownObject? {
        guard let object = try LocalObject(className, objectId, in: db), let base = object.life.base else { return nil }
        let looks = try db.firstRow(
            "SELECT looks, since FROM unseen_writes WHERE class = ? AND id = ? AND identity = ?",
            [className, objectId, author.key]
        ) { (count: $0.int(0), since: $0.date(1)) }
        let lost = try LostObjects(db: db).standing(of: object.life.pointer)
        let standing: KnownObject.Standing =
            switch object.life.baseStanding {
            case .shown, .gone: .shown
            case .edited, .acknowledged: .acknowledged
            case .unshown, .hidden: .unshown
            }
        return KnownObject(
            objectId: objectId, base: base, standing: standing, heldBecause: lost?.reason,
            isReverted: lost?.isReverted ?? false, isDeletedHere: object.life.view == nil, looks: looks?.count ?? 0,
            lookedSince: looks?.since)
    }
}
