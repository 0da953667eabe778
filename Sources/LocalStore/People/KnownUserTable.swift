import GRDB

/// The table `known_users`: the users of a replica who have signed in here.
struct KnownUserTable {
    let db: Database

    /// Records the removal of a user's object: drops `createdAt` from the stored fields. `UserRows.mayWork` accepts a user
    /// without an object only if `createdAt` is very recent.
    func noteRemoval(of userId: String) throws {
        try db.run(
            "UPDATE known_users SET fields = json_remove(fields, '$.createdAt') WHERE id = ? AND json_valid(fields)",
            [userId])
    }
}
