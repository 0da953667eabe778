import GRDB
import StoreService

extension WaitingWork {
    /// - Parameter contents: the directory with the contents of files.
    init(in db: Database, _ contents: ContentDirectory) throws {
        self.init(
            changes: try OutboxTable(db: db).all(), conflicts: try ConflictTable(db: db).list(resolved: false, max: -1),
            removals: try RemovalTable(db: db).all(), files: try Self.files(in: db, contents))
    }

    private static func files(in db: Database, _ contents: ContentDirectory) throws -> [File] {
        try db.rows(
            """
            SELECT name, content_type, sha256 FROM files WHERE remote_url IS NULL AND sha256 IS NOT NULL
                AND name IN (SELECT name FROM outbox_files) ORDER BY name
            """
        ) { File(name: $0.text(0), contentType: $0.textIfAny(1), path: contents.path(of: $0.text(2))) }
    }
}
