/// The step of `Migrations` for the users of a replica with spaces.
enum PeopleMigration {
    /// `known_users.fields` is the user's JSON. `known_sessions`: the digest of each token, and the encrypted token in hexadecimal.
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
}
