import Foundation
import GRDB
import ParseModel
import StoreService

/// The folded names and e-mail addresses of users. Two names that differ only in the case of letters are the same, as on a Parse
/// Server. A log-in compares the exact name.
struct UserKeyTable {
    let db: Database

    enum Key: String {
        case username
        case email
        case anonymous
    }

    static func folded(_ text: String) -> String { text.precomposedStringWithCanonicalMapping.lowercased() }

    /// Whether another user has the key.
    func isTaken(_ key: Key, _ text: String, besides userId: String) throws -> Bool {
        let value = key == .anonymous ? text : Self.folded(text)
        return try db.isTrue(
            "SELECT EXISTS (SELECT 1 FROM user_keys WHERE \(key.rawValue) = ? AND user <> ?)", [value, userId])
    }

    /// The ids of the users with the key. Names are compared folded.
    func users(_ key: Key, _ text: String) throws -> [String] {
        let value = key == .anonymous ? text : Self.folded(text)
        return try db.texts("SELECT user FROM user_keys WHERE \(key.rawValue) = ? LIMIT 100", [value])
    }

    /// Stores the keys of a user.
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
