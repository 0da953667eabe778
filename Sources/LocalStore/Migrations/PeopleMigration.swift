/// The migrations for the users of a replica and their sessions.
enum PeopleMigration {
    /// `known_users.fields` is the user's JSON. `known_sessions` has the digest of each session token, and the encrypted token in
    /// hexadecimal.
    static let sql = """
        CREATE TABLE known_users (id TEXT PRIMARY KEY, fields TEXT NOT NULL) WITHOUT ROWID, STRICT;

        CREATE TABLE known_sessions (
            digest TEXT PRIMARY KEY,
            user TEXT NOT NULL REFERENCES known_users (id),
            expires_at INTEGER,
            confirmed_at INTEGER NOT NULL,
            state TEXT NOT NULL,
            changed_at INTEGER NOT NULL,
            token TEXT NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX known_sessions_by_user ON known_sessions (user);
        """

    /// `known_users.used_at`: the time of the user's last log-in or request, to the hour. `known_sessions.origin` is a
    /// `KnownSession.Origin`. `unsent_log_outs`: log-outs that the remote has not been told, of sessions without a
    /// known user. `verifiers`: the password hashes for log-ins without the remote, with the numbers of failed
    /// attempts.
    static let logIns = """
        ALTER TABLE known_users ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE known_sessions ADD COLUMN origin TEXT NOT NULL DEFAULT 'remote';

        CREATE TABLE unsent_log_outs (
            digest TEXT PRIMARY KEY,
            user TEXT,
            since INTEGER NOT NULL,
            token TEXT NOT NULL
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE verifiers (
            user TEXT PRIMARY KEY REFERENCES known_users (id),
            hash TEXT NOT NULL,
            proven_at INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            locks INTEGER NOT NULL,
            locked_until INTEGER
        ) WITHOUT ROWID, STRICT;
        """
}
