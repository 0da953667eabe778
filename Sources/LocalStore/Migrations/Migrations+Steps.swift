/// The migrations that add columns and small tables.
extension Migrations {
    /// `candidates`: the remote objects, except the one in the column `remote`, that may be the result of a create in
    /// an open conflict. The index finds the open conflicts about creates, because each page of a pull reads them.
    static let questions = """
        ALTER TABLE conflicts ADD COLUMN candidates TEXT;
        CREATE INDEX conflicts_in_question ON conflicts (class, object_id)
            WHERE kind = 'ambiguousCreate' AND resolution IS NULL;
        """

    /// `refusal`: the remote's message if it refused the latest request of a pull. `recently_audited_at`: the server
    /// time of the last audit (comparison with the remote) of all rows or of the newest rows. If there was no audit, it
    /// is the server time of the first complete pull.
    static let pullStates = """
        ALTER TABLE pulls ADD COLUMN refusal TEXT;
        ALTER TABLE pulls ADD COLUMN recently_audited_at INTEGER;
        """

    /// `deletions_since`: the position in the remote's change feed after which a sync reads deletions.
    static let deletionsSince = "ALTER TABLE pulls ADD COLUMN deletions_since TEXT;"

    /// `request_ids`: the request ids of clients, to recognize repeated requests. `number` gives the order of arrival.
    static let requestIds = """
        CREATE TABLE request_ids (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX request_ids_by_expiry ON request_ids (expires_at);
        """

    /// `skipped_rows`: rows that pulls left out because they are too large. `stopped_because`: the reason why a class is no
    /// longer pulled.
    static let pullLimits = """
        CREATE TABLE skipped_rows (
            class TEXT NOT NULL,
            pull TEXT NOT NULL,
            id TEXT NOT NULL,
            updated_at INTEGER NOT NULL,
            reason TEXT NOT NULL,
            PRIMARY KEY (class, pull, id)
        ) WITHOUT ROWID, STRICT;
        ALTER TABLE classes ADD COLUMN stopped_because TEXT;
        """

    /// Moves the operation ids that this replica's requests have left in objects from their `opField` to the column
    /// `own_marks`, and removes this field.
    static let ownMarks = """
        ALTER TABLE objects ADD COLUMN own_marks TEXT;

        UPDATE objects AS o SET
            own_marks = (
                SELECT nullif(json_group_array(m.value), '[]') FROM json_each(coalesce(o.base, o.view), c.path) m
                WHERE m.type = 'text'
                    AND m.value LIKE (SELECT value FROM meta WHERE key = 'replica_id') || ':%'),
            view = json_remove(o.view, c.path), base = json_remove(o.base, c.path)
        FROM (SELECT name, '$."' || json_extract(options, '$.opField') || '"' AS path FROM classes
            WHERE json_extract(options, '$.opField') IS NOT NULL) c
        WHERE c.name = o.class AND (json_type(o.view, c.path) IS NOT NULL OR json_type(o.base, c.path) IS NOT NULL);
        """

    /// `unseen_writes`: objects with an acknowledged create or edit that the remote has not shown. `looks`: the number of syncs
    /// that searched for it in vain. `since`: the server time of the first search.
    ///
    /// `lost_objects`: objects that the remote lacks or has in an earlier state, and that wait for a user's decision.
    /// `latest`: the row that was read last; NULL if the remote lacks the object. `ancestor`: the first row that showed
    /// an earlier state of the object; NULL if no row did.
    ///
    /// `removals`: the removals that wait for a user's decision. A class has at most one for each reason.
    ///
    /// `is_ours`: whether the remote has acknowledged a request of this gateway about the object. `is_provisional`: 1
    /// for an acknowledged edit and 2 for an acknowledged create that no pull has read yet.
    static let lostObjects = """
        CREATE TABLE unseen_writes (
            class TEXT NOT NULL,
            id TEXT NOT NULL,
            since INTEGER NOT NULL,
            looks INTEGER NOT NULL,
            PRIMARY KEY (class, id)
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE lost_objects (
            class TEXT NOT NULL,
            id TEXT NOT NULL,
            reason TEXT NOT NULL,
            ancestor TEXT,
            latest TEXT,
            PRIMARY KEY (class, id)
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE removals_by_reason (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            class TEXT NOT NULL,
            reason TEXT NOT NULL,
            object_ids TEXT NOT NULL,
            total INTEGER NOT NULL,
            found_at INTEGER NOT NULL,
            UNIQUE (class, reason)
        ) STRICT;
        INSERT INTO removals_by_reason SELECT id, class, 'tooMany', object_ids, total, found_at FROM removals;
        DROP TABLE removals;
        ALTER TABLE removals_by_reason RENAME TO removals;

        ALTER TABLE objects ADD COLUMN is_ours INTEGER NOT NULL DEFAULT 0;
        UPDATE objects SET is_provisional = 2 WHERE is_provisional AND base_kind = 1 AND created_at = updated_at;
        """

    /// `objects.withheld`: whether clients do not see the object although the remote was known to have it. Its `view`
    /// is NULL, and its `base_kind` is 2.
    static let withheld = "ALTER TABLE objects ADD COLUMN withheld INTEGER NOT NULL DEFAULT 0;"

    /// An index of the objects that are withheld from clients. Each sync reads them, and usually there are none.
    static let withheldIndex = "CREATE INDEX objects_withheld ON objects (class, id) WHERE withheld"

    /// `files.author`: the author who has uploaded the file, by the key in `identities`. NULL for files of the remote,
    /// and for uploads of earlier versions that are in no change.
    static let fileAuthors = """
        ALTER TABLE files ADD COLUMN author INTEGER;
        UPDATE files SET author = (
            SELECT o.identity FROM outbox_files f JOIN outbox o ON o.seq = f.seq WHERE f.name = files.name
            ORDER BY o.seq LIMIT 1) WHERE remote_url IS NULL;
        """

    /// `files.details`: attributes that the client sent with an upload, as the JSON text of an object; NULL for none.
    static let fileDetails = "ALTER TABLE files ADD COLUMN details TEXT;"

    /// An index of the files that are not on the remote. Each sync status asks whether there are any.
    static let indexOfLocalFiles =
        "CREATE INDEX files_local ON files (name) WHERE remote_url IS NULL AND sha256 IS NOT NULL"
}
