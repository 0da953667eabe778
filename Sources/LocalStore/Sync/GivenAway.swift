import GRDB
import ParseModel
import SyncModel

/// The objects in a user's space that the user has given away: the remote has acknowledged an ACL, sent from here, without the
/// user, and has not shown the object since. The user may still be able to read them by a role.
struct GivenAway {
    let reader: String
    let db: Database

    /// A condition for objects `o` that were given away. ?1 is the id of the user.
    private static let isGivenAway = """
        o.base_standing AND o.base_standing = \(BaseStanding.acknowledged.rawValue) AND +o.base_kind > 0 AND \(PullRows.isPrivate)
        AND coalesce(json_extract(coalesce(base, view), '$.ACL."' || ?1 || '".read'), 0) = 0
        """

    /// The ids of such objects without pending changes.
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
