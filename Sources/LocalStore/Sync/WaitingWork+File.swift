import GRDB
import StoreService
import SyncModel

extension WaitingWork {
    /// Reads all local changes, open conflicts, held removals and files that are not on the remote.
    /// - Parameter contents: the directory with the contents of files.
    init(in db: Database, _ contents: ContentDirectory) throws {
        self.init(
            changes: try OutboxTable(db: db).all(), conflicts: try ConflictTable(db: db).list(resolved: false, max: -1),
            removals: try RemovalTable(db: db).all(), files: try Self.files(in: db, contents))
    }

    /// Reads the changes, open conflicts and files of one author. Held removals are left out, because they have no
    /// author.
    init(of author: AuthorKey, in db: Database, _ contents: ContentDirectory) throws {
        let lister = DecisionLister(of: author)
        self.init(
            changes: try OutboxTable(db: db).all(for: lister),
            conflicts: try ConflictTable(db: db).list(resolved: false, for: lister, max: -1), removals: [],
            files: try Self.files(of: author, in: db, contents))
    }

    /// The files with contents that the remote does not have. Uploads that are in no change are included: they are kept
    /// for a day, because a later write of their user may refer to them.
    /// - Parameter author: the author of the changes with the files, and of the files without a change; nil for all files.
    private static func files(
        of author: AuthorKey? = nil, in db: Database, _ contents: ContentDirectory
    ) throws -> [File] {
        try db.rows(
            """
            SELECT name, content_type, sha256 FROM files WHERE remote_url IS NULL AND sha256 IS NOT NULL
                AND (?1 IS NULL
                    OR name IN (SELECT f.name FROM outbox_files f JOIN outbox o ON o.seq = f.seq WHERE o.identity = ?1)
                    OR author = ?1 AND name NOT IN (SELECT name FROM outbox_files))
            ORDER BY name
            """, [author?.key]
        ) { File(name: $0.text(0), contentType: $0.textIfAny(1), path: contents.path(of: $0.text(2))) }
    }
}
