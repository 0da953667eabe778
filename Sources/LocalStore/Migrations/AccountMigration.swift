import GRDB

/// The migrations for users and sessions.
enum AccountMigration {
    /// The tables for the secrets of users and sessions of a standalone gateway. When a user or session is deleted,
    /// triggers delete its rows.
    ///
    /// `session_tokens.digest` is the SHA-256 of the token. `user_keys` contains the username and e-mail address of
    /// each user, folded to lower case. They are not unique in the file, because users of earlier versions can have
    /// equal ones. Tokens in sessions of earlier versions are deleted, because no request used them.
    static let sql = """
        CREATE TABLE session_tokens (
            digest TEXT PRIMARY KEY,
            session TEXT NOT NULL UNIQUE,
            user TEXT NOT NULL,
            installation TEXT,
            expires_at INTEGER
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX session_tokens_by_user ON session_tokens (user, installation);
        CREATE INDEX session_tokens_by_end ON session_tokens (expires_at);

        CREATE TABLE user_secrets (
            user TEXT PRIMARY KEY,
            hash TEXT NOT NULL,
            changed_at INTEGER,
            history TEXT NOT NULL DEFAULT '[]',
            failures INTEGER NOT NULL DEFAULT 0,
            locked_until INTEGER
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE user_keys (
            user TEXT PRIMARY KEY,
            username TEXT,
            email TEXT,
            anonymous TEXT
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX user_keys_by_username ON user_keys (username) WHERE username IS NOT NULL;
        CREATE INDEX user_keys_by_email ON user_keys (email) WHERE email IS NOT NULL;
        CREATE INDEX user_keys_by_anonymous ON user_keys (anonymous) WHERE anonymous IS NOT NULL;
        INSERT INTO user_keys (user, username, email)
        SELECT id, lower(CAST(json_extract(view, '$.username') AS TEXT)), lower(CAST(json_extract(view, '$.email') AS TEXT))
        FROM objects WHERE class = '_User' AND CASE WHEN json_valid(view) THEN 1 END;

        UPDATE objects SET view = json_remove(view, '$.sessionToken')
        WHERE class = '_Session' AND base_kind = 0 AND CASE WHEN json_valid(view) THEN 1 END;

        CREATE TRIGGER session_ends AFTER DELETE ON objects WHEN OLD.class = '_Session' BEGIN
            DELETE FROM session_tokens WHERE session = OLD.id;
        END;
        CREATE TRIGGER user_leaves AFTER DELETE ON objects WHEN OLD.class = '_User' BEGIN
            DELETE FROM user_secrets WHERE user = OLD.id;
            DELETE FROM user_keys WHERE user = OLD.id;
            DELETE FROM session_tokens WHERE user = OLD.id;
        END;
        """

    /// Folds all letters of usernames and e-mail addresses to lower case. The step that created `user_keys` folded only
    /// ASCII letters.
    static let foldedNames = """
        UPDATE user_keys SET username = \(FoldedNames.function)(username), email = \(FoldedNames.function)(email);
        """
}

/// The SQL function with which the migration folds names.
enum FoldedNames {
    static let function = "parse_folded_name"

    static func register(in db: Database) {
        db.add(
            function: DatabaseFunction(function, argumentCount: 1, pure: true) { values in
                String.fromDatabaseValue(values[0]).map(UserKeyTable.folded)
            })
    }
}
