/// The migrations that created the first tables.
extension Migrations {
    /// The first tables. `objects.view` is the object's JSON as the API returns it; NULL if clients do not see the
    /// object. The base is the last known state of the object on the remote. `base_kind` is 0 without a base, 1 if the
    /// base equals the view, and 2 if the column `base` contains the base. Dates are milliseconds since 1970.
    static let first = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;

        CREATE TABLE classes (
            name TEXT PRIMARY KEY,
            is_pulled INTEGER NOT NULL,
            cursor TEXT,
            complete_since INTEGER
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE fields (
            class TEXT NOT NULL,
            name TEXT NOT NULL,
            type TEXT NOT NULL,
            PRIMARY KEY (class, name)
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE objects (
            pk INTEGER PRIMARY KEY,
            class TEXT NOT NULL,
            id TEXT NOT NULL,
            view TEXT,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            base_kind INTEGER NOT NULL,
            base TEXT,
            is_provisional INTEGER NOT NULL DEFAULT 0,
            state INTEGER NOT NULL DEFAULT 0,
            UNIQUE (class, id)
        ) STRICT;
        CREATE INDEX objects_by_update ON objects (class, updated_at, id);
        CREATE INDEX objects_by_creation ON objects (class, created_at, id);
        CREATE INDEX objects_by_base ON objects (class, base_kind);

        CREATE TABLE outbox (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            class TEXT NOT NULL,
            id TEXT NOT NULL,
            kind TEXT NOT NULL,
            operations TEXT NOT NULL,
            phase TEXT NOT NULL,
            made_at INTEGER NOT NULL,
            edited_at INTEGER NOT NULL,
            was_attempted INTEGER NOT NULL DEFAULT 0,
            attempts INTEGER NOT NULL DEFAULT 0,
            attempted_at INTEGER,
            request_id TEXT NOT NULL,
            code INTEGER,
            error TEXT
        ) STRICT;
        CREATE INDEX outbox_by_object ON outbox (class, id, seq);
        CREATE INDEX outbox_by_phase ON outbox (phase, seq);

        CREATE TABLE outbox_pointers (
            seq INTEGER NOT NULL REFERENCES outbox (seq) ON DELETE CASCADE,
            class TEXT NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (seq, class, id)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX outbox_pointers_by_target ON outbox_pointers (class, id);

        CREATE TABLE aliases (
            class TEXT NOT NULL,
            alias TEXT NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (class, alias)
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE conflicts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            class TEXT NOT NULL,
            object_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            fields TEXT NOT NULL,
            base TEXT,
            local TEXT,
            remote TEXT,
            found_at INTEGER NOT NULL,
            resolution TEXT,
            resolved_at INTEGER
        ) STRICT;
        CREATE INDEX conflicts_by_object ON conflicts (class, object_id);

        CREATE TABLE removals (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            class TEXT NOT NULL UNIQUE,
            object_ids TEXT NOT NULL,
            total INTEGER NOT NULL,
            found_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE changes (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            class TEXT NOT NULL,
            id TEXT NOT NULL,
            kind TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        """

    /// `last_attempted_at`: the time of the latest attempt to send a change. The request can still arrive at the remote
    /// after that time.
    static let latestAttempt = "ALTER TABLE outbox ADD COLUMN last_attempted_at INTEGER"

    /// `pull_began`: the server time at which the first pull began. A first pull that continues after an interruption keeps this time.
    static let firstPull = "ALTER TABLE classes ADD COLUMN pull_began INTEGER"

    /// Gives a class several named pulls, each with its own conditions. `pull_members` lists the objects of each pull, except a
    /// pull of the whole class: every object with a base belongs to it.
    static let namedPulls = """
        CREATE TABLE pulls (
            class TEXT NOT NULL REFERENCES classes (name) ON DELETE CASCADE,
            name TEXT NOT NULL,
            conditions TEXT NOT NULL,
            keys TEXT,
            cursor TEXT,
            complete_since INTEGER,
            began INTEGER,
            audited_at INTEGER,
            PRIMARY KEY (class, name)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO pulls (class, name, conditions, cursor, complete_since, began, audited_at)
            SELECT name, 'all', '{}', cursor, complete_since, pull_began, complete_since FROM classes WHERE is_pulled;

        CREATE TABLE pull_members (
            class TEXT NOT NULL,
            pull TEXT NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (class, pull, id)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX pull_members_by_object ON pull_members (class, id);

        ALTER TABLE classes DROP COLUMN is_pulled;
        ALTER TABLE classes DROP COLUMN cursor;
        ALTER TABLE classes DROP COLUMN complete_since;
        ALTER TABLE classes DROP COLUMN pull_began;
        ALTER TABLE classes ADD COLUMN options TEXT NOT NULL DEFAULT '{}';
        ALTER TABLE classes ADD COLUMN may_have_strays INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE objects ADD COLUMN version TEXT;
        ALTER TABLE outbox ADD COLUMN is_rest INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX objects_provisional ON objects (class) WHERE is_provisional;
        """

    /// `relation_members`: the members of relations, on the remote (`in_base`) and as clients see them (`in_view`).
    /// Each row has at least one of these two marks. `relation_pulls`: the relations to read from the remote, because
    /// the row of their owner has changed. `updated_at` is from this row. `pulled_at` is the server time of the last
    /// read. The migration adds the relations of rows that were pulled before.
    static let relations = """
        CREATE TABLE relation_members (
            class TEXT NOT NULL,
            id TEXT NOT NULL,
            field TEXT NOT NULL,
            member_class TEXT NOT NULL,
            member_id TEXT NOT NULL,
            in_base INTEGER NOT NULL,
            in_view INTEGER NOT NULL,
            PRIMARY KEY (class, id, field, member_class, member_id)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX relation_members_by_member ON relation_members (member_class, member_id, class, field);
        CREATE INDEX relation_members_pending ON relation_members (class, id) WHERE in_base <> in_view;

        CREATE TABLE relation_pulls (
            class TEXT NOT NULL,
            id TEXT NOT NULL,
            field TEXT NOT NULL,
            member_class TEXT NOT NULL,
            updated_at INTEGER NOT NULL,
            pulled_at INTEGER,
            PRIMARY KEY (class, id, field)
        ) WITHOUT ROWID, STRICT;

        INSERT INTO relation_pulls (class, id, field, member_class, updated_at)
        SELECT o.class, o.id, f.key, json_extract(f.value, '$.className'), o.updated_at
        FROM objects o, json_each(coalesce(o.base, o.view)) f
        WHERE o.base_kind > 0 AND CASE WHEN f.type = 'object' THEN json_extract(f.value, '$.__type') = 'Relation'
            AND json_type(f.value, '$.className') = 'text' END;
        """

    /// `marked_in`: the field in which a request has left its operation id. `may_be_taken`: whether another remote
    /// object may have the id of a create.
    static let marks = """
        ALTER TABLE outbox ADD COLUMN marked_in TEXT;
        ALTER TABLE outbox ADD COLUMN may_be_taken INTEGER NOT NULL DEFAULT 0;
        """

    /// Partial indexes for the counts of the status: locally deleted objects, and open conflicts. Usually there are few
    /// of both.
    static let statusCounts = """
        CREATE INDEX objects_deleted ON objects (class) WHERE view IS NULL;
        CREATE INDEX conflicts_open ON conflicts (class) WHERE resolution IS NULL;
        """

    /// `unanswered`: the objects about which a request got no answer. `ended_at`: the server time at which the gateway
    /// stopped waiting for the latest of these answers.
    static let unanswered = """
        CREATE TABLE unanswered (
            class TEXT NOT NULL,
            id TEXT NOT NULL,
            ended_at INTEGER NOT NULL,
            PRIMARY KEY (class, id)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO unanswered (class, id, ended_at)
        SELECT class, id, max(last_attempted_at) FROM outbox WHERE was_attempted AND last_attempted_at IS NOT NULL
        GROUP BY class, id;
        ALTER TABLE outbox DROP COLUMN last_attempted_at;
        """

    /// `schemas`: the permissions and indexes of classes, as set by `/schemas`. From here on, `fields.type` also contains the
    /// options of a field.
    static let schemas = """
        CREATE TABLE schemas (
            class TEXT PRIMARY KEY,
            permissions TEXT,
            indexes TEXT NOT NULL
        ) WITHOUT ROWID, STRICT;
        """

    /// `files`: the files that objects contain, with the digests of stored contents. `is_wanted`: whether the content
    /// is downloaded in advance. `next_at`: after a failed download, the earliest time of the next attempt, in
    /// milliseconds. `file_aliases`: file names that the remote has replaced. `outbox_files`: the files in pending
    /// changes. The migration adds the files of rows that were pulled before.
    static let files = """
        CREATE TABLE files (
            name TEXT PRIMARY KEY,
            remote_url TEXT,
            sha256 TEXT,
            size INTEGER,
            content_type TEXT,
            made_at INTEGER NOT NULL,
            used_at INTEGER NOT NULL,
            is_wanted INTEGER NOT NULL DEFAULT 0,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_at INTEGER,
            error TEXT
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX files_by_content ON files (sha256) WHERE sha256 IS NOT NULL;
        CREATE INDEX files_wanted ON files (next_at) WHERE is_wanted AND sha256 IS NULL;

        CREATE TABLE file_aliases (alias TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID, STRICT;
        CREATE INDEX file_aliases_by_name ON file_aliases (name);

        CREATE TABLE outbox_files (
            seq INTEGER NOT NULL REFERENCES outbox (seq) ON DELETE CASCADE,
            name TEXT NOT NULL,
            PRIMARY KEY (seq, name)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX outbox_files_by_name ON outbox_files (name);

        INSERT OR IGNORE INTO files (name, remote_url, made_at, used_at)
        SELECT json_extract(t.value, '$.name'), json_extract(t.value, '$.url'), o.updated_at, o.updated_at
        FROM objects o, json_tree(coalesce(o.base, o.view)) t
        WHERE o.base_kind > 0 AND instr(coalesce(o.base, o.view), '"__type":"File"') AND t.type = 'object'
            AND json_extract(t.value, '$.__type') = 'File' AND json_type(t.value, '$.name') = 'text'
            AND json_type(t.value, '$.url') = 'text';
        """

    /// An index that finds the earlier ids of an object when it gets a new id. Without it, this search took 41% of a
    /// push of 10,000 creates.
    static let aliasesById = "CREATE INDEX aliases_by_id ON aliases (class, id)"

    /// `class_counts`: the numbers of objects of each class, which triggers update. `bases` counts the objects that the remote
    /// has, `views` the visible objects. `objects_by_creation` becomes a covering index for counts in a range of creation times.
    static let counts = """
        CREATE TABLE class_counts (
            class TEXT PRIMARY KEY,
            bases INTEGER NOT NULL,
            views INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        INSERT INTO class_counts SELECT class, sum(base_kind > 0), count(view) FROM objects GROUP BY class;
        CREATE TRIGGER objects_count_insert AFTER INSERT ON objects BEGIN
            INSERT INTO class_counts VALUES (NEW.class, NEW.base_kind > 0, NEW.view IS NOT NULL)
            ON CONFLICT DO UPDATE SET bases = bases + excluded.bases, views = views + excluded.views;
        END;
        CREATE TRIGGER objects_count_update AFTER UPDATE OF base_kind, view ON objects
        WHEN (OLD.base_kind > 0) <> (NEW.base_kind > 0) OR (OLD.view IS NULL) <> (NEW.view IS NULL) BEGIN
            UPDATE class_counts SET bases = bases - (OLD.base_kind > 0) + (NEW.base_kind > 0),
                views = views - (OLD.view IS NOT NULL) + (NEW.view IS NOT NULL) WHERE class = NEW.class;
        END;
        CREATE TRIGGER objects_count_delete AFTER DELETE ON objects BEGIN
            UPDATE class_counts SET bases = bases - (OLD.base_kind > 0), views = views - (OLD.view IS NOT NULL)
            WHERE class = OLD.class;
        END;
        DROP INDEX objects_by_base;
        DROP INDEX objects_deleted;
        DROP INDEX objects_by_creation;
        CREATE INDEX objects_by_creation ON objects (class, created_at, id, base_kind);
        """

    /// Drops the triggers that updated `class_counts`. They took a tenth of the time of a first pull, and made SQLite keep a
    /// journal of each statement.
    static let countsWithoutTriggers = """
        DROP TRIGGER objects_count_insert;
        DROP TRIGGER objects_count_update;
        DROP TRIGGER objects_count_delete;
        """
}
