/// Objects that the remote has acknowledged or shown, and does not show any more.
extension Migrations {
    /// `unseen_writes`: how many syncs have looked in vain for an acknowledged create or edit, and the server time of the
    /// first. `lost_objects`: objects that a person is asked about. `ancestor` is the remote's older row as it was found, `latest` as it
    /// is now, both NULL where there is none. Removals are told apart by their reasons. `is_ours`: the remote has acknowledged
    /// a request of this gateway on the object. A create that was acknowledged and never pulled is told from an edit.
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
}
