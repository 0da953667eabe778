import GRDB
import ParseModel
import StoreService

/// Completes log-ins after the comparison of their passwords. Reads the user again in the transaction, because another
/// log-in or a change of the password may have happened during the comparison.
struct LogInSettling {
    let transaction: StoreTransaction

    private var db: Database { transaction.db }
    private var secrets: UserSecretTable { UserSecretTable(db: db) }

    func settle(_ attempt: LogInAttempt) throws -> LogInOutcome {
        guard let secret = try secrets.secret(of: attempt.userId),
            let user = try StoredObject("_User", attempt.userId, in: db)?.fields(of: "_User")
        else { return .refused }
        if let lockout = attempt.lockout {
            let isLocked =
                secret.failures >= lockout.threshold && secret.lockedUntil.map { $0 > transaction.now } == true
            if isLocked { return .locked }
            guard attempt.isRight else { return try fail(attempt.userId, secret, lockout) }
            if secret.failures > 0 { try secrets.setFailures(0, lockedUntil: nil, of: attempt.userId) }
        }
        guard attempt.isRight, secret.hash == attempt.hash else { return .refused }
        if let hash = attempt.newHash { try secrets.rehash(attempt.userId, hash) }
        if let session = attempt.session {
            _ = try AccountWrites(transaction).open(session, of: attempt.userId)
        }
        return .accepted(user: user)
    }

    /// Counts a failed log-in. After the end of a lock-out, the count starts again at one.
    private func fail(
        _ userId: String, _ secret: UserSecretTable.Secret, _ lockout: Lockout
    ) throws -> LogInOutcome {
        let failures = (secret.lockedUntil == nil ? secret.failures : 0) + 1
        let end = failures >= lockout.threshold ? transaction.now + lockout.duration : nil
        try secrets.setFailures(failures, lockedUntil: end, of: userId)
        return failures > lockout.threshold ? .locked : .refused
    }
}
