import GRDB
import SyncModel

/// Looks up the roles of users. The ACLs of roles do not restrict this look-up.
///
/// In a replica, a role gives rights only if the remote has the role, and only under the role's name on the remote.
/// Otherwise a user could take over another role by a name that the remote refuses. While a change of the role is
/// rejected or in a conflict, the role has the remote's members. A role that the remote has deleted gives no rights,
/// even while an open conflict keeps it.
struct RoleMembership {
    let db: Database

    /// The SQL for the names of a user's roles: the roles whose relation `users` contains the user and, at any depth,
    /// the roles whose relation `roles` contains one of these. UNION drops known roles, so a cycle of roles ends.
    /// - Parameter isMember: a condition on the member `m` of the role `o`.
    private static func names(where isMember: String) -> String {
        let counts = """
            EXISTS (SELECT 1 FROM objects o WHERE o.class = '_Role' AND o.id = m.id AND o.view IS NOT NULL AND \(isMember)
                AND (o.base_kind > 0 AND o.base_standing <> \(BaseStanding.gone.rawValue)
                    AND NOT EXISTS (SELECT 1 FROM conflicts c WHERE c.class = '_Role' AND c.object_id = o.id
                        AND c.kind = '\(ConflictKind.deletedRemotely.rawValue)' AND c.resolution IS NULL)
                    OR (SELECT value FROM meta WHERE key = 'mode') = 'standalone'))
            """
        return """
            WITH RECURSIVE mine (id) AS (
                SELECT m.id FROM relation_members m
                WHERE m.member_class = '_User' AND m.member_id = ? AND m.class = '_Role' AND m.field = 'users'
                    AND \(counts)
                UNION
                SELECT m.id FROM mine JOIN relation_members m ON m.member_class = '_Role' AND m.member_id = mine.id
                    AND m.class = '_Role' AND m.field = 'roles' AND \(counts)
            )
            SELECT CASE WHEN json_valid(state) THEN json_extract(state, '$.name') END FROM (
                SELECT CASE o.base_kind WHEN 2 THEN o.base ELSE o.view END AS state
                FROM mine JOIN objects o ON o.class = '_Role' AND o.id = mine.id)
            """
    }

    private static let names = names(
        where: """
            CASE WHEN o.state IN (\(SyncState.conflict.rawValue), \(SyncState.rejected.rawValue))
                THEN m.in_base ELSE m.in_view END
            """)
    private static let namesOnRemote = names(where: "m.in_base")

    func roles(of userId: String) throws -> Set<String> {
        Set(try db.rows(Self.names, [userId]) { $0.textIfAny(0) })
    }

    /// The roles of a user on the remote, without pending changes.
    func rolesOnRemote(of userId: String) throws -> Set<String> {
        Set(try db.rows(Self.namesOnRemote, [userId]) { $0.textIfAny(0) })
    }
}
