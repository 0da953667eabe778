import GRDB
import StoreService

extension AccountFindings {
    /// Reads the problems of user accounts from a file of any version. Files of early versions have neither the table
    /// `user_keys` nor passwords.
    init(in db: Database) throws {
        let hasKeys = try db.isTrue("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'user_keys')")
        if !hasKeys { FoldedNames.register(in: db) }
        let keys = hasKeys ? "user_keys" : "(\(Self.keysOfObjects))"
        let hasPassword = hasKeys ? "EXISTS (SELECT 1 FROM user_secrets s WHERE s.user = k.user)" : "0"
        let withoutPassword = "FROM \(keys) k WHERE username IS NOT NULL AND anonymous IS NULL AND NOT \(hasPassword)"
        let duplicates = try ["username", "email"].flatMap { key in
            try db.texts(
                """
                SELECT \(key) FROM \(keys) WHERE \(key) IS NOT NULL AND \(key) <> '' GROUP BY \(key) HAVING count(*) > 1
                ORDER BY \(key) LIMIT 10
                """)
        }
        self.init(
            withoutPassword: try db.count("SELECT count(*) \(withoutPassword)"),
            namesWithoutPassword: try db.texts("SELECT username \(withoutPassword) ORDER BY username LIMIT 10"),
            duplicates: duplicates)
    }

    /// A query with the columns of `user_keys` that reads the objects of `_User`.
    private static let keysOfObjects = """
        SELECT id AS user, \(FoldedNames.function)(CAST(json_extract(view, '$.username') AS TEXT)) AS username,
            \(FoldedNames.function)(CAST(json_extract(view, '$.email') AS TEXT)) AS email, NULL AS anonymous
        FROM objects WHERE class = '_User' AND CASE WHEN json_valid(view) THEN 1 END
        """
}
