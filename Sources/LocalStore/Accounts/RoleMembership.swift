import GRDB

/// The roles of users. Members are read with full rights: the ACLs of roles do not restrict the look-up.
struct RoleMembership {
    let db: Database

    /// The names of the roles whose `users` hold the user, and of every role whose `roles` hold one of them. UNION drops known
    /// roles, so cycles end.
    private static let names = """
        WITH RECURSIVE mine (id) AS (
            SELECT id FROM relation_members
            WHERE member_class = '_User' AND member_id = ? AND class = '_Role' AND field = 'users' AND in_view
            UNION
            SELECT m.id FROM mine JOIN relation_members m ON m.member_class = '_Role' AND m.member_id = mine.id
                AND m.class = '_Role' AND m.field = 'roles' AND m.in_view
        )
        SELECT CASE WHEN json_valid(o.view) THEN json_extract(o.view, '$.name') END
        FROM mine JOIN objects o ON o.class = '_Role' AND o.id = mine.id AND o.view IS NOT NULL
        """

    func roles(of userId: String) throws -> Set<String> {
        Set(try db.rows(Self.names, [userId]) { $0.textIfAny(0) })
    }
}
