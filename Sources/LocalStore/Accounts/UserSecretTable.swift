import GRDB
import ParseModel
import StoreService

/// The password hashes of users, and their failed log-ins.
struct UserSecretTable {
    let db: Database

    struct Secret {
        let hash: String
        let changedAt: ParseDate?
        let history: [String]
        let failures: Int
        let lockedUntil: ParseDate?
    }

    func secret(of userId: String) throws -> Secret? {
        try db.firstRow(
            "SELECT hash, changed_at, history, failures, locked_until FROM user_secrets WHERE user = ?", [userId]
        ) {
            Secret(
                hash: $0.text(0), changedAt: $0.dateIfAny(1), history: try $0.textsOfJSON(2), failures: $0.int(3),
                lockedUntil: $0.dateIfAny(4))
        }
    }

    /// Sets a new password. The present hash goes into the history.
    func set(_ password: NewPassword, of userId: String, now: ParseDate) throws {
        var history: [String] = []
        if password.historyMax > 0, let present = try secret(of: userId) {
            history = (present.history + [present.hash]).suffix(password.historyMax)
        }
        try db.run(
            """
            INSERT INTO user_secrets (user, hash, changed_at, history) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at, history = excluded.history
            """, [userId, password.hash, now.milliseconds, JSONValue.array(history.map(JSONValue.string)).jsonText])
    }

    /// Replaces the hash of an unchanged password.
    func rehash(_ userId: String, _ hash: String) throws {
        try db.run("UPDATE user_secrets SET hash = ? WHERE user = ?", [hash, userId])
    }

    /// - Parameter lockedUntil: the end of a lock-out; nil for none.
    func setFailures(_ count: Int, lockedUntil: ParseDate?, of userId: String) throws {
        try db.run(
            "UPDATE user_secrets SET failures = ?, locked_until = ? WHERE user = ?",
            [count, lockedUntil?.milliseconds, userId])
    }
}
