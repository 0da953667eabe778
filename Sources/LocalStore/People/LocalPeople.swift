import GRDB
import ParseModel
import StoreService

/// The users of a replica and their sessions, in the tables of `PeopleMigration`.
struct LocalPeople: PeopleStore {
    let store: LocalStore

    /// The time for which a refused session is kept, so that its next request is refused without the remote.
    private static let refusedKept = Duration.seconds(30 * 86_400)
    private static let columns = "digest, user, expires_at, confirmed_at, state, changed_at, token"

    func session(_ digest: SessionDigest) throws -> KnownSession? {
        try sessions("WHERE digest = ?", [digest.text]).first
    }

    func sessions(of userId: String) throws -> [KnownSession] {
        try sessions("WHERE user = ? AND state <> 'refused' ORDER BY state = 'open' DESC, confirmed_at DESC", [userId])
    }

    func loggedOutSessions() throws -> [KnownSession] {
        try sessions("WHERE state = 'loggedOut' ORDER BY changed_at", [])
    }

    private func sessions(_ condition: String, _ values: SQLiteBindings) throws -> [KnownSession] {
        try store.read { db in
            try db.rows("SELECT \(Self.columns) FROM known_sessions \(condition)", values) { row -> KnownSession? in
                guard let digest = SessionDigest(text: row.text(0)),
                    let state = KnownSession.State(rawValue: row.text(4))
                else { return nil }
                return KnownSession(
                    digest: digest, userId: row.text(1), expiresAt: row.dateIfAny(2), confirmedAt: row.date(3),
                    state: state, changedAt: row.date(5), sealed: Hexadecimal.bytes(of: row.text(6)) ?? [])
            }
        }.compactMap(\.self)
    }

    func sessionCounts() throws -> [KnownSession.State: Int] {
        let counts = try store.read { db in
            try db.rows("SELECT state, count(*) FROM known_sessions GROUP BY state", []) { ($0.text(0), $0.int(1)) }
        }
        return Dictionary(
            counts.compactMap { name, count in KnownSession.State(rawValue: name).map { ($0, count) } },
            uniquingKeysWith: +)
    }

    func user(_ userId: String) throws -> JSONObject? {
        try store.read { db in
            try db.firstRow("SELECT fields FROM known_users WHERE id = ?", [userId]) { try $0.object(0) } ?? nil
        }
    }

    func userIds() throws -> [String] { try store.read { try $0.texts("SELECT id FROM known_users ORDER BY id") } }

    func save(_ session: KnownSession, user: JSONObject) async throws {
        try await store.write(isLocal: true) { transaction in
            let db = transaction.db
            try db.run(
                "INSERT INTO known_users (id, fields) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET fields = excluded.fields",
                [session.userId, user.jsonText])
            try db.run(
                "DELETE FROM known_sessions WHERE state = 'refused' AND changed_at < ?",
                [(transaction.now - Self.refusedKept).milliseconds])
            // A session that was logged out or refused in the meantime stays so.
            try db.run(
                """
                INSERT INTO known_sessions (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (digest) DO UPDATE SET expires_at = excluded.expires_at, confirmed_at = excluded.confirmed_at,
                    token = excluded.token WHERE state = 'open'
                """,
                [
                    session.digest.text, session.userId, session.expiresAt?.milliseconds,
                    session.confirmedAt.milliseconds, session.state.rawValue, session.changedAt.milliseconds,
                    Hexadecimal.text(of: session.sealed),
                ])
        }
    }

    func confirm(_ digest: SessionDigest, at time: ParseDate) async throws {
        try await run(
            "UPDATE known_sessions SET confirmed_at = max(confirmed_at, ?) WHERE digest = ?",
            [time.milliseconds, digest.text])
    }

    func change(_ digest: SessionDigest, to state: KnownSession.State, at time: ParseDate) async throws {
        try await run(
            "UPDATE known_sessions SET state = ?, changed_at = ? WHERE digest = ?",
            [state.rawValue, time.milliseconds, digest.text])
    }

    func forget(_ digest: SessionDigest) async throws {
        try await run("DELETE FROM known_sessions WHERE digest = ?", [digest.text])
    }

    private func run(_ sql: String, _ values: SQLiteBindings) async throws {
        try await store.write(isLocal: true) { try $0.db.run(sql, values) }
    }
}
