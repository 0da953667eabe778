/// Tables for objects that the remote acknowledged or listed, and does not list now.
extension Migrations {
    /// `unseen_writes`: objects whose acknowledged create or edit was searched for on the remote in vain. `looks`: the number of
    /// these searches. `since`: the server time of the first search.
    ///
    /// `lost_objects`: objects that wait for a decision. `latest`: the object's row that was read last; NULL if the remote lacks
    /// the object. `ancestor`: the first row that showed an earlier state of the object; NULL if no row did.
    ///
    /// `removals`: a class has at most one removal for each reason.
    ///
    /// `is_ours`: the remote acknowledged a request of this gateway on the object. `is_provisional`: 1 for an acknowledged edit,
    /// 2 for an acknowledged create that was never pulled.
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
