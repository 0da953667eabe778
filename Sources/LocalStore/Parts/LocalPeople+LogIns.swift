import ParseModel
import StoreService

/// Log-ins without the remote: stores password verifiers, and the trusted time.
extension LocalPeople {
    func verifier(of userId: String) throws -> LogInVerifier? {
        try transactions.read { try VerifierTable(db: $0).verifier(of: userId) }
    }

    func setVerifier(_ hash: String, of userId: String, provenAt: ParseDate) async throws {
        try await transactions.write(isLocal: true) { transaction in
            // The user may have been removed since the log-in began.
            guard try transaction.db.isTrue("SELECT EXISTS (SELECT 1 FROM known_users WHERE id = ?)", [userId]) else {
                return
            }
            try VerifierTable(db: transaction.db).set(LogInVerifier(hash: hash, provenAt: provenAt), of: userId)
        }
    }

    func removeVerifier(of userId: String, at time: ParseDate) async throws {
        try await transactions.write(isLocal: true) { transaction in
            try VerifierTable(db: transaction.db).remove(of: userId)
            try transaction.db.run(
                "UPDATE known_sessions SET state = 'refused', changed_at = ? WHERE user = ? AND origin = 'here'",
                [time.milliseconds, userId])
        }
    }

    func removeVerifiers(at time: ParseDate) async throws {
        guard
            try await transactions.read({ db in
                try db.isTrue(
                    """
                    SELECT EXISTS (SELECT 1 FROM verifiers)
                        OR EXISTS (SELECT 1 FROM known_sessions WHERE origin = 'here' AND state = 'open')
                    """)
            })
        else { return }
        try await transactions.write(isLocal: true) { transaction in
            try transaction.db.run("DELETE FROM verifiers")
            try transaction.db.run(
                "UPDATE known_sessions SET state = 'refused', changed_at = ? WHERE origin = 'here'", [time.milliseconds]
            )
        }
    }

    func beginAttempt(of userId: String?, at note: TrustedTime.Note) async throws -> LogInVerifier.Attempt {
        try await transactions.write(isLocal: true) { transaction in
            try Self.set(note, transaction)
            let table = VerifierTable(db: transaction.db)
            guard let userId, var verifier = try table.verifier(of: userId) else { return .impossible }
            let attempt = verifier.begin(at: note.remote)
            if case .allowed = attempt { try table.set(verifier, of: userId) }
            return attempt
        }
    }

    func completeAttempt(_ hash: String, opening session: KnownSession) async throws -> Bool {
        try await transactions.write(isLocal: true) { transaction in
            let table = VerifierTable(db: transaction.db)
            guard let verifier = try table.verifier(of: session.userId), verifier.hash == hash else { return false }
            try table.set(LogInVerifier(hash: hash, provenAt: verifier.provenAt), of: session.userId)
            try KnownSessionTable(db: transaction.db).save(session, now: transaction.now)
            try transaction.db.run(
                "UPDATE known_users SET used_at = max(used_at, ?) WHERE id = ?",
                [transaction.now.milliseconds, session.userId])
            return true
        }
    }

    // MARK: Time

    private static let remoteTimeKey = "remote_time"
    private static let remoteTimeHereKey = "remote_time_here"

    func trustedTime() throws -> TrustedTime.Note? {
        try transactions.read { db in
            guard let remote = try Meta.value(of: Self.remoteTimeKey, in: db).flatMap({ Int64($0) }),
                let here = try Meta.value(of: Self.remoteTimeHereKey, in: db).flatMap({ Int64($0) })
            else { return nil }
            return TrustedTime.Note(remote: ParseDate(milliseconds: remote), here: ParseDate(milliseconds: here))
        }
    }

    func setTrustedTime(_ note: TrustedTime.Note) async throws {
        try await transactions.write(isLocal: true) { try Self.set(note, $0) }
    }

    private static func set(_ note: TrustedTime.Note, _ transaction: StoreTransaction) throws {
        let known = try Meta.value(of: remoteTimeKey, in: transaction.db).flatMap { Int64($0) }
        guard known.map({ $0 <= note.remote.milliseconds }) ?? true else { return }
        try Meta.set(remoteTimeKey, String(note.remote.milliseconds), in: transaction.db)
        try Meta.set(remoteTimeHereKey, String(note.here.milliseconds), in: transaction.db)
    }
}
