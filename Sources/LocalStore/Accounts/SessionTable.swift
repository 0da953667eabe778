import GRDB
import ParseModel
import StoreService

/// The table `session_tokens`: the tokens of sessions, stored as digests.
struct SessionTable {
    let db: Database

    struct Session {
        let sessionId: String
        let userId: String
        let expiresAt: ParseDate?
    }

    func session(digest: SessionDigest) throws -> Session? {
        try db.firstRow("SELECT session, user, expires_at FROM session_tokens WHERE digest = ?", [digest.text]) {
            Session(sessionId: $0.text(0), userId: $0.text(1), expiresAt: $0.dateIfAny(2))
        }
    }

    func session(id: String) throws -> Session? {
        try db.firstRow("SELECT session, user, expires_at FROM session_tokens WHERE session = ?", [id]) {
            Session(sessionId: $0.text(0), userId: $0.text(1), expiresAt: $0.dateIfAny(2))
        }
    }

    /// Stores the token of a session with the user, the installation and the end of the session.
    func set(
        digest: SessionDigest, _ sessionId: String, userId: String, installationId: String?, expiresAt: ParseDate?
    ) throws {
        try db.run(
            "INSERT OR REPLACE INTO session_tokens (digest, session, user, installation, expires_at) VALUES (?, ?, ?, ?, ?)",
            [digest.text, sessionId, userId, installationId, expiresAt?.milliseconds])
    }

    /// Sets the end of a session, after its object in `_Session` has got another end.
    func setEnd(of sessionId: String, _ expiresAt: ParseDate?) throws {
        try db.run(
            "UPDATE session_tokens SET expires_at = ? WHERE session = ?", [expiresAt?.milliseconds, sessionId])
    }

    /// The ids of the user's sessions that have a token.
    func sessions(of userId: String) throws -> [String] {
        try db.texts("SELECT session FROM session_tokens WHERE user = ?", [userId])
    }

    /// The ids of the user's sessions in an installation.
    func sessions(of userId: String, installationId: String) throws -> [String] {
        try db.texts(
            "SELECT session FROM session_tokens WHERE user = ? AND installation = ?", [userId, installationId])
    }

    /// The ids of up to `max` sessions that ended before a time, the earliest first.
    func sessions(endedBefore time: ParseDate, max: Int) throws -> [String] {
        try db.texts(
            "SELECT session FROM session_tokens WHERE expires_at < ? ORDER BY expires_at LIMIT ?",
            [time.milliseconds, max])
    }
}
