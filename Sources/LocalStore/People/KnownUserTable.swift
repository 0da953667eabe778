import GRDB
import ParseModel

/// The table `known_users`: the users of a replica who have signed in here.
struct KnownUserTable {
    let db: Database

    /// The fields of a user that serve as names in log-ins.
    private static let loginNames = ["username", "email"]

    /// The fields of a user to store after an answer of the remote. The remote may hide the user's own protected
    /// fields, even username and e-mail address. These two stay if the answer lacks them.
    func fields(of userId: String, after shown: JSONObject) throws -> JSONObject {
        let known = try db.firstRow("SELECT fields FROM known_users WHERE id = ?", [userId]) { try $0.object(0) }
        guard let known = known ?? nil else { return shown }
        var fields = shown
        for name in Self.loginNames where fields[name] == nil { fields[name] = known[name] }
        return fields
    }

    /// Records that a user's object was removed: deletes `createdAt` from the stored fields. `UserRows.mayWork` accepts
    /// a user without an object only if `createdAt` is very recent.
    func noteRemoval(of userId: String) throws {
        try db.run(
            "UPDATE known_users SET fields = json_remove(fields, '$.createdAt') WHERE id = ? AND json_valid(fields)",
            [userId])
    }
}
