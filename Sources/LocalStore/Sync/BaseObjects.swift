import GRDB
import ParseModel
import StoreService
import SyncModel

/// Queries on the stored remote states of objects, to compare them with the remote.
struct BaseObjects {
    /// A condition for objects that the remote need not show: a request of unknown outcome may have deleted or hidden
    /// the object, or an open conflict says that the remote has deleted it.
    private static let isDoubtful = """
        (EXISTS (SELECT 1 FROM outbox o
            WHERE o.class = objects.class AND o.id = objects.id AND o.phase = 'unknown'
                AND (o.kind = 'delete' OR json_type(o.operations, '$.ACL') IS NOT NULL))
        OR EXISTS (SELECT 1 FROM conflicts c WHERE c.class = objects.class AND c.object_id = objects.id
            AND c.kind = '\(ConflictKind.deletedRemotely.rawValue)' AND c.resolution IS NULL))
        """

    let db: Database

    /// The `updatedAt` of each object's last known remote state. Objects that the remote has never shown are left out.
    func stamps(of objectIds: [String], in className: String) throws -> [String: ParseDate] {
        var stamps: [String: ParseDate] = [:]
        for id in objectIds {
            stamps[id] =
                try db.firstRow(
                    """
                    SELECT CASE base_kind WHEN 1 THEN updated_at END, json_extract(base, '$.updatedAt') FROM objects
                    WHERE class = ? AND id = ? AND base_kind > 0 AND base_standing < \(BaseStanding.unshown.rawValue)
                    """, [className, id]
                ) { $0.dateIfAny(0) ?? $0.textIfAny(1).flatMap(ParseDate.init(iso:)) } ?? nil
        }
        return stamps
    }

    /// Canaries: a few objects that the remote should show, of the class and of one other class that the author pulls.
    /// A sync reads them to test whether the remote shows any object at all. Objects that the remote has deleted, or
    /// whose absence a user has confirmed, are left out, even if their local change or deletion still waits.
    /// - Returns: at most two groups of one class each.
    func canaries(
        of className: String, besides objectIds: [String], max: Int, for author: AuthorKey, seesEverything: Bool
    ) throws -> [[Pointer]] {
        let find = """
            SELECT id FROM objects WHERE class = ?1 AND +base_kind > 0 AND NOT withheld AND NOT (\(PullRows.mayBeInvisible(seesEverything: seesEverything)))
                AND base_standing <> \(BaseStanding.gone.rawValue) AND NOT \(Self.isDoubtful)
                AND id NOT IN (SELECT h.value FROM removals r, json_each(r.object_ids) h WHERE r.class = ?2)
                AND id NOT IN (SELECT l.id FROM lost_objects l WHERE l.class = ?2)
            ORDER BY updated_at DESC
            """
        let others = try db.texts(
            "SELECT DISTINCT class FROM pulls WHERE class <> ? AND identity = ? ORDER BY class",
            [className, author.key])
        var groups: [[Pointer]] = []
        // Lost objects that wait for a decision probably no longer exist. They are canaries only if the class has no
        // other objects.
        for (name, heldIn) in [(className, className), (className, nil)] + others.map({ ($0, nil) }) {
            if groups.count == 1, name == className { continue }
            let excluded = Set(name == className ? objectIds : [])
            let group = try db.rows(find, [name, heldIn], max: max) { row in
                let id = row.text(0)
                return excluded.contains(id) ? nil : Pointer(className: name, objectId: id)
            }
            if !group.isEmpty { groups.append(group) }
            if groups.last?.first?.className ?? className != className { break }
        }
        return groups
    }

    /// The strays (stored objects that belong to no pull) that stay in the file because they have a pending change, a
    /// conflict or a rejection, or because their removal waits for a decision. Only a read by id finds out whether the
    /// remote still has such an object. Left out are objects whose deletion is known, objects of which a missing row
    /// proves nothing, and objects that wait for a decision because of a restored backup.
    func keptStrays(of className: String) throws -> [String] {
        guard try ClassTable(db: db).mayHaveStrays(className) else { return [] }
        return try db.texts(
            """
            SELECT id \(ClassTable.strays) AND +base_kind > 0 AND NOT base_standing AND NOT withheld
                AND (state <> \(SyncState.synced.rawValue) OR id IN (\(RemovalTable.heldIds))
                    OR EXISTS (SELECT 1 FROM outbox s WHERE s.class = ?1 AND s.id = objects.id))
                AND id NOT IN (SELECT l.id FROM lost_objects l WHERE l.class = ?1)
                AND NOT \(Self.isDoubtful)
            ORDER BY pk
            """, [className])
    }

    /// The `updatedAt` at position `place` among the class's objects, from newest to oldest; nil if the class has fewer objects.
    /// - Parameter place: 0 for the newest.
    func updateTime(of className: String, newest place: Int) throws -> ParseDate? {
        try db.firstRow(
            "SELECT updated_at FROM objects WHERE class = ? ORDER BY updated_at DESC LIMIT 1 OFFSET ?",
            [className, place]
        ) { $0.date(0) }
    }

    /// The most recently stored objects of a class, as clients see them, without the object `objectId`.
    func sample(of className: String, besides objectId: String, max: Int) throws -> [JSONObject] {
        try db.rows(
            "SELECT view FROM objects WHERE class = ? AND id <> ? AND view IS NOT NULL ORDER BY pk DESC LIMIT ?",
            [className, objectId, max]
        ) { try $0.object(0) }
    }

    /// The facts needed to create deleted objects of one class on the remote again: the last known remote state of each
    /// object, and newer objects that another replica may have created in its place.
    /// - Parameter max: the maximum number of newer objects.
    func remakes(of entries: [OutboxEntry], max: Int) throws -> RemakeStanding {
        var standing = RemakeStanding()
        guard let className = entries.first?.className else { return standing }
        let conflicts = ConflictTable(db: db)
        for entry in entries {
            standing.ancestors[entry.id] = try conflicts.ancestor(
                of: Pointer(className: className, objectId: entry.objectId))
        }
        let sinceMs = entries.map { standing.since($0).milliseconds }.min()
        standing.known = try db.rows(
            """
            SELECT o.id, coalesce(o.base, o.view) FROM objects o
            WHERE o.class = ?1 AND +o.base_kind > 0 AND o.created_at >= ?2
                AND NOT EXISTS (SELECT 1 FROM aliases a WHERE a.class = ?1 AND a.id = o.id)
            ORDER BY o.created_at DESC LIMIT ?3
            """, [className, sinceMs, max]
        ) { row in
            try row.object(1).flatMap(ObjectState.init(json:)).map {
                RemoteRecord(className: className, objectId: row.text(0), state: $0)
            }
        }
        return standing
    }
}
