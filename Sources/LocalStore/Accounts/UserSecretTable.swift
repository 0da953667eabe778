import GRDB
import ParseModel
import StoreService

/// The table `user_secrets`: the password hashes of users, and the numbers of their failed log-ins.
struct UserSecretTable {
    let db: Database

    struct Secret {
        let hash: String
        let failures: Int
        let lockedUntil: ParseDate?
    }

    func secret(of userId: String) throws -> Secret? {
        try db.firstRow(
            "SELECT hash, failures, locked_until FROM user_secrets WHERE user = ?", [userId]
        ) {
            Secret(hash: $0.text(0), failures: $0.int(1), lockedUntil: $0.dateIfAny(2))
        }
    }

    /// Sets a new password. Removes the hashes of earlier passwords, which Tidegate 0.1 could keep.
    func set(_ password: NewPassword, of userId: String, now: ParseDate) throws {
        try db.run(
            """
            INSERT INTO user_secrets (user, hash, changed_at) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at, history = '[]'
            """, [userId, password.hash, now.milliseconds])
    }

    /// Replaces the hash of a password by a new hash of the same password.
    func rehash(_ userId: String, _ hash: String) throws {
        try db.run("UPDATE user_secrets SET hash = ? WHERE user = ?", [hash, userId])
    }

    /// Sets the number of failed log-ins.
    /// - Parameter lockedUntil: the end of the lock-out; nil for none.
    func setFailures(_ count: Int, lockedUntil: ParseDate?, of userId: String) throws {
        try db.run(
            "UPDATE user_secrets SET failures = ?, locked_until = ? WHERE user = ?",
            [count, lockedUntil?.milliseconds, userId])
    }
}
