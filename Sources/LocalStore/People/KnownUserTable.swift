import GRDB
import ParseModel

/// The table `known_users`: the users of a replica who have signed in here.
struct KnownUserTable {
    let db: Database

    /// The members of a user's object by which the user logs in.
    private static let loginNames = ["username", "email"]

    /// The fields to keep of a user. The remote may hide the user's own protected fields, among them the names for log-ins: those that an
    /// answer lacks stay.
    func fields(of userId: String, after shown: JSONObject) throws -> JSONObject {
        let known = try db.firstRow("SELECT fields FROM known_users WHERE id = ?", [userId]) { try $0.object(0) }
        guard let known = known ?? nil else { return shown }
        var fields = shown
        for name in Self.loginNames where fields[name] == nil { fields[name] = known[name] }
        return fields
    }

    /// Records the removal of a user's object: drops `createdAt` from the stored fields. `UserRows.mayWork` accepts a user
    /// without an object only if `createdAt` is very recent.
    func noteRemoval(of userId: String) throws {
        try db.run(
            "UPDATE known_users SET fields = json_remove(fields, '$.createdAt') WHERE id = ? AND json_valid(fields)",
            [userId])
    }
}
