import GRDB
import ParseModel
import StoreService

/// The table `known_sessions`: the sessions of a replica's users.
struct KnownSessionTable {
    let db: Database

    /// The duration for which a refused session is kept. During this time, its requests are refused without a question
    /// to the remote.
    private static let refusedKept = Duration.seconds(30 * 86_400)
    private static let columns = "digest, user, origin, expires_at, confirmed_at, state, changed_at, token"

    /// - Parameter condition: the SQL after `FROM known_sessions`, with `WHERE` or `ORDER BY`.
    func sessions(_ condition: String, _ values: SQLiteBindings) throws -> [KnownSession] {
        try db.rows("SELECT \(Self.columns) FROM known_sessions \(condition)", values) { row -> KnownSession? in
            guard let digest = SessionDigest(text: row.text(0)),
                let origin = KnownSession.Origin(rawValue: row.text(2)),
                let state = KnownSession.State(rawValue: row.text(5))
            else { return nil }
            return KnownSession(
                digest: digest, userId: row.text(1), origin: origin, expiresAt: row.dateIfAny(3),
                confirmedAt: row.date(4), state: state, changedAt: row.date(6),
                sealed: Hexadecimal.bytes(of: row.text(7)) ?? [])
        }.compactMap(\.self)
    }

    /// Adds a session, or updates an open one. A session that was logged out or refused in the meantime stays unchanged.
    func save(_ session: KnownSession, now: ParseDate) throws {
        try db.run(
            "DELETE FROM known_sessions WHERE state = 'refused' AND changed_at < ?",
            [(now - Self.refusedKept).milliseconds])
        try db.run(
            """
            INSERT INTO known_sessions (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (digest) DO UPDATE SET expires_at = excluded.expires_at, confirmed_at = excluded.confirmed_at,
                token = excluded.token WHERE state = 'open'
            """,
            [
                session.digest.text, session.userId, session.origin.rawValue, session.expiresAt?.milliseconds,
                session.confirmedAt.milliseconds, session.state.rawValue, session.changedAt.milliseconds,
                Hexadecimal.text(of: session.sealed),
            ])
    }
}
