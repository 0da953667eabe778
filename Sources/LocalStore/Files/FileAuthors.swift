/// The authors of files, in the column `files.author`.
enum FileAuthors {
    /// The step of `Migrations` that adds the column: a key in `identities`, the author of the upload. NULL for files of the remote,
    /// and for uploads before this version that no change carries.
    static let migration = """
        ALTER TABLE files ADD COLUMN author INTEGER;
        UPDATE files SET author = (
            SELECT o.identity FROM outbox_files f JOIN outbox o ON o.seq = f.seq WHERE f.name = files.name
            ORDER BY o.seq LIMIT 1) WHERE remote_url IS NULL;
        """

    /// The step of `Migrations` that adds the index of the files that are not on the remote. Each sync status asks whether there are any.
    static let indexOfLocalFiles =
        "CREATE INDEX files_local ON files (name) WHERE remote_url IS NULL AND sha256 IS NOT NULL"
}
