extension Migrations {
    /// `identities`: the authors of changes, as whom syncs act at the remote: the gateway, or single users. All rows of
    /// earlier files belong to the gateway, whose key is 1. In the primary keys, `class` comes before `identity`,
    /// because a changed object is looked up for all authors.
    ///
    /// `outbox.identity` is the author that sends the change. `conflicts.identity` is the author whose change is in
    /// conflict. `objects.base_standing` is a `BaseStanding`. `objects.provisional_as` is 0 if the remote has shown the
    /// last known remote state. Otherwise it is the author whose request or read produced this state.
    static let identities = """
        CREATE TABLE identities (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        INSERT INTO identities (key, name) VALUES (1, 'gateway');

        ALTER TABLE outbox ADD COLUMN identity INTEGER NOT NULL DEFAULT 1;
        DROP INDEX outbox_by_phase;
        CREATE INDEX outbox_by_phase ON outbox (identity, phase, seq);
        ALTER TABLE conflicts ADD COLUMN identity INTEGER NOT NULL DEFAULT 1;

        ALTER TABLE objects RENAME COLUMN is_provisional TO base_standing;
        ALTER TABLE objects ADD COLUMN provisional_as INTEGER NOT NULL DEFAULT 0;
        UPDATE objects INDEXED BY objects_provisional SET provisional_as = 1 WHERE base_standing;

        CREATE TABLE pulls_by_identity (
            class TEXT NOT NULL REFERENCES classes (name) ON DELETE CASCADE,
            identity INTEGER NOT NULL,
            name TEXT NOT NULL,
            conditions TEXT NOT NULL,
            keys TEXT,
            cursor TEXT,
            complete_since INTEGER,
            began INTEGER,
            audited_at INTEGER,
            refusal TEXT,
            recently_audited_at INTEGER,
            PRIMARY KEY (class, identity, name)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO pulls_by_identity
            SELECT class, 1, name, conditions, keys, cursor, complete_since, began, audited_at, refusal, recently_audited_at
            FROM pulls;
        DROP TABLE pulls;
        ALTER TABLE pulls_by_identity RENAME TO pulls;

        CREATE TABLE pull_members_by_identity (
            class TEXT NOT NULL,
            identity INTEGER NOT NULL,
            pull TEXT NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (class, identity, pull, id)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO pull_members_by_identity SELECT class, 1, pull, id FROM pull_members;
        DROP TABLE pull_members;
        ALTER TABLE pull_members_by_identity RENAME TO pull_members;
        CREATE INDEX pull_members_by_object ON pull_members (class, id);

        CREATE TABLE skipped_rows_by_identity (
            class TEXT NOT NULL,
            identity INTEGER NOT NULL,
            pull TEXT NOT NULL,
            id TEXT NOT NULL,
            updated_at INTEGER NOT NULL,
            reason TEXT NOT NULL,
            PRIMARY KEY (class, identity, pull, id)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO skipped_rows_by_identity SELECT class, 1, pull, id, updated_at, reason FROM skipped_rows;
        DROP TABLE skipped_rows;
        ALTER TABLE skipped_rows_by_identity RENAME TO skipped_rows;

        \(relationPullsByIdentity)

        CREATE TABLE unanswered_by_identity (
            class TEXT NOT NULL,
            id TEXT NOT NULL,
            identity INTEGER NOT NULL,
            ended_at INTEGER NOT NULL,
            PRIMARY KEY (class, id, identity)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO unanswered_by_identity SELECT class, id, 1, ended_at FROM unanswered;
        DROP TABLE unanswered;
        ALTER TABLE unanswered_by_identity RENAME TO unanswered;

        CREATE TABLE unseen_writes_by_identity (
            class TEXT NOT NULL,
            id TEXT NOT NULL,
            identity INTEGER NOT NULL,
            since INTEGER NOT NULL,
            looks INTEGER NOT NULL,
            PRIMARY KEY (class, id, identity)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO unseen_writes_by_identity SELECT class, id, 1, since, looks FROM unseen_writes;
        DROP TABLE unseen_writes;
        ALTER TABLE unseen_writes_by_identity RENAME TO unseen_writes;
        """

    static let relationPullsByIdentity = """
        CREATE TABLE relation_pulls_by_identity (
            class TEXT NOT NULL,
            id TEXT NOT NULL,
            field TEXT NOT NULL,
            identity INTEGER NOT NULL,
            member_class TEXT NOT NULL,
            updated_at INTEGER NOT NULL,
            pulled_at INTEGER,
            PRIMARY KEY (class, id, field, identity)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO relation_pulls_by_identity
            SELECT class, id, field, 1, member_class, updated_at, pulled_at FROM relation_pulls;
        DROP TABLE relation_pulls;
        ALTER TABLE relation_pulls_by_identity RENAME TO relation_pulls;
        """
}
