import GRDB
import ParseModel
import StoreService

/// The table `verifiers`: the password hashes of users, for log-ins while the remote is not reachable.
struct VerifierTable {
    let db: Database

    func verifier(of userId: String) throws -> LogInVerifier? {
        try db.firstRow(
            "SELECT hash, proven_at, failures, locks, locked_until FROM verifiers WHERE user = ?", [userId]
        ) {
            LogInVerifier(
                hash: $0.text(0), provenAt: $0.date(1), failures: $0.int(2), locks: $0.int(3),
                lockedUntil: $0.dateIfAny(4))
        }
    }

    func set(_ verifier: LogInVerifier, of userId: String) throws {
        try db.run(
            """
            INSERT OR REPLACE INTO verifiers (user, hash, proven_at, failures, locks, locked_until)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                userId, verifier.hash, verifier.provenAt.milliseconds, verifier.failures, verifier.locks,
                verifier.lockedUntil?.milliseconds,
            ])
    }

    func remove(of userId: String) throws { try db.run("DELETE FROM verifiers WHERE user = ?", [userId]) }
}
