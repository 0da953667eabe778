/// The migration that adds live queries.
enum LiveMigration {
    /// `changes.before`: the state of the object before the change, for classes that live queries follow; NULL for other
    /// classes, creations and changes of rights. The state after a change is the next `before` of the object, or the
    /// object's present view. The index finds it, and is empty without live queries.
    ///
    /// `live_classes`: the classes that live queries follow. `since`: the states of all changes after this number are
    /// stored. `until`: the time after which they need not be stored any more.
    ///
    /// `live_positions`: for each subscription, the number of the last change that the client has surely received. An id is never used
    /// again. `holder`: the running process of the subscription; NULL if it has ended.
    static let sql = """
        ALTER TABLE changes ADD COLUMN before TEXT;
        CREATE INDEX changes_before ON changes (class, id, number) WHERE before IS NOT NULL;

        CREATE TABLE live_classes (
            class TEXT PRIMARY KEY,
            since INTEGER NOT NULL,
            until INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE live_positions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            installation TEXT NOT NULL,
            request_id TEXT NOT NULL,
            query TEXT NOT NULL,
            number INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            holder INTEGER
        ) STRICT;
        CREATE INDEX live_positions_by_key ON live_positions (installation, request_id, query);
        CREATE INDEX live_positions_by_end ON live_positions (expires_at);
        """
}
