import Foundation
import GRDB
import ParseModel
import StoreService

/// The table `user_keys`: the usernames, e-mail addresses and anonymous ids of users. Usernames and e-mail addresses
/// are folded, so that two names that differ only in case are equal, as in Parse Server. A log-in compares the exact
/// username.
struct UserKeyTable {
    let db: Database

    enum Key: String {
        case username
        case email
        case anonymous
    }

    static func folded(_ text: String) -> String { text.precomposedStringWithCanonicalMapping.lowercased() }

    /// Whether another user already has this username, e-mail address or anonymous id.
    func isTaken(_ key: Key, _ text: String, besides userId: String) throws -> Bool {
        let value = key == .anonymous ? text : Self.folded(text)
        return try db.isTrue(
            "SELECT EXISTS (SELECT 1 FROM user_keys WHERE \(key.rawValue) = ? AND user <> ?)", [value, userId])
    }

    /// The ids of up to 100 users with this username, e-mail address or anonymous id. Usernames and e-mail addresses
    /// are compared without regard to case.
    func users(_ key: Key, _ text: String) throws -> [String] {
        let value = key == .anonymous ? text : Self.folded(text)
        return try db.texts("SELECT user FROM user_keys WHERE \(key.rawValue) = ? LIMIT 100", [value])
    }

    /// Stores the username, the e-mail address and the anonymous id of a user, read from the user's fields.
    func set(_ fields: JSONObject, of userId: String) throws {
        let anonymous = fields["authData"]?.object?["anonymous"]?.object?["id"]?.string
        try db.run(
            "INSERT OR REPLACE INTO user_keys (user, username, email, anonymous) VALUES (?, ?, ?, ?)",
            [
                userId, fields["username"]?.string.map(Self.folded), fields["email"]?.string.map(Self.folded),
                anonymous,
            ])
    }
}
