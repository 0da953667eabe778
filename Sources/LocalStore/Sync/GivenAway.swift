import GRDB
import ParseModel
import SyncModel

/// Finds objects that a single user has given away: the user has set an ACL that does not name the user, the remote has
/// acknowledged it, and the remote has not shown the object since. The user may still be able to read the object by a
/// role.
struct GivenAway {
    let reader: String
    let db: Database

    /// The SQL condition for an object `o` that the user has given away by such an ACL. ?1 is the id of the user.
    private static let isGivenAway = """
        o.base_standing AND o.base_standing = \(BaseStanding.acknowledged.rawValue) AND +o.base_kind > 0 AND \(PullRows.isPrivate)
        AND coalesce(json_extract(coalesce(base, view), '$.ACL."' || ?1 || '".read'), 0) = 0
        """

    /// The ids of the given-away objects without pending changes.
    func ids(of className: String, max: Int) throws -> [String] {
        try db.texts(
            """
            SELECT o.id FROM objects o WHERE o.class = ?2 AND \(Self.isGivenAway)
                AND NOT EXISTS (SELECT 1 FROM outbox w WHERE w.class = o.class AND w.id = o.id)
            ORDER BY o.pk LIMIT ?3
            """, [reader, className, max])
    }

    func ids(among objectIds: [String], of className: String) throws -> [String] {
        try db.texts(
            """
            SELECT o.id FROM json_each(?3) m CROSS JOIN objects o ON o.class = ?2 AND o.id = m.value
            WHERE \(Self.isGivenAway)
            """, [reader, className, JSONValue.array(objectIds.map(JSONValue.string)).jsonText])
    }
}
