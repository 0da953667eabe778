import GRDB

/// The users who have had a session here.
struct KnownUserTable {
    let db: Database

    /// Notes that the object of a user is removed. The time of the user's creation, which would explain that no pull has brought the object
    /// yet, is forgotten.
    func noteRemoval(of userId: String) throws {
        try db.run(
            "UPDATE known_users SET fields = json_remove(fields, '$.createdAt') WHERE id = ? AND json_valid(fields)",
            [userId])
    }
}
