import GRDB
import ParseModel
import StoreService
import SyncModel

/// The table `files`: uploads of local clients, and files of the remote that are served locally.
struct FileTable {
    let db: Database

    static let columns = "name, remote_url, sha256, size, content_type, details"

    /// The file with this present or earlier name; nil for an unknown name.
    func file(_ name: String) throws -> StoredFile? {
        try db.firstRow(
            """
            SELECT \(Self.columns) FROM files WHERE name = coalesce((SELECT name FROM file_aliases WHERE alias = ?1), ?1)
            """, [name]
        ) { StoredFile($0) }
    }

    /// The present name for an earlier name of a file; nil for any other name.
    func presentName(of alias: String) throws -> String? {
        try db.firstRow("SELECT name FROM file_aliases WHERE alias = ?", [alias]) { $0.text(0) }
    }

    /// Replaces the names of known files in operations by their present names, and their URLs by the remote's. A file
    /// that the remote does not have gets no URL, and answers then contain a URL of the gateway. Records `now` as the
    /// last use of the files.
    /// - Parameters:
    ///   - files: the files that the operations name.
    ///   - rules: give a file the name that the remote's rows use for it; nil without a remote.
    ///   - check: throws if the client may not refer to a known file.
    func resolve(
        _ files: [FileReference], in operations: FieldOperations, now: ParseDate, _ rules: (any RemoteValueRules)?,
        check: (StoredFile) throws -> Void
    ) throws -> FieldOperations {
        guard !files.isEmpty else { return operations }
        var known: [FileReference: FileReference] = [:]
        for reference in files {
            guard let file = try file((rules?.named(reference) ?? reference).name) else { continue }
            try check(file)
            known[reference] = FileReference(name: file.name, url: file.remoteURL)
            try db.run("UPDATE files SET used_at = ? WHERE name = ?", [now.milliseconds, file.name])
        }
        return operations.replacingFiles { known[$0] ?? rules?.named($0) ?? $0 }
    }

    // MARK: Files of the remote

    /// Records the files in a changed row. The options of the class select which of these files are served locally.
    func note(_ record: RemoteRecord, now: ParseDate) throws {
        var options: ClassOptions?
        for (field, value) in record.fields {
            switch value {
            case .object, .array: break
            default: continue
            }
            for file in value.files {
                guard let url = file.url else { continue }
                let known = try options ?? ClassTable(db: db).options(of: record.className)
                options = known
                try note(file, at: url, known.files.download(of: field), now: now)
            }
        }
    }

    /// Records a file in a remote row, with its URL. If `download` is `.none`, updates only the URL of a file that is
    /// already known. A file that only this gateway has (no `remote_url`) stays unchanged, even if another client has
    /// put its name into the row.
    private func note(_ file: FileReference, at url: String, _ download: FileDownloads.Kind, now: ParseDate) throws {
        switch download {
        case .none:
            try db.run("UPDATE files SET remote_url = ? WHERE name = ? AND remote_url IS NOT NULL", [url, file.name])
        case .eager, .lazy:
            try db.run(
                """
                INSERT INTO files (name, remote_url, made_at, used_at, is_wanted) VALUES (?1, ?2, ?3, ?3, ?4)
                ON CONFLICT DO UPDATE SET remote_url = excluded.remote_url, used_at = excluded.used_at,
                    is_wanted = max(is_wanted, excluded.is_wanted)
                WHERE remote_url IS NOT NULL
                """, [file.name, url, now.milliseconds, download == .eager])
        }
    }

    /// Applies changed download options of a class. First, files in the rows of the class are no longer marked for a
    /// download in advance (`is_wanted`). Files with a remote URL, but without stored content or an earlier name, are
    /// removed. Then the files in the rows of all classes are recorded again.
    func noteAgain(of className: String, now: ParseDate) throws {
        for record in try recordsWithFiles(of: className) {
            for file in record.fields.flatMap(\.value.files) {
                try db.run("UPDATE files SET is_wanted = 0 WHERE name = ?", [file.name])
                try db.run(
                    """
                    DELETE FROM files WHERE name = ? AND sha256 IS NULL AND remote_url IS NOT NULL
                        AND NOT EXISTS (SELECT 1 FROM file_aliases a WHERE a.name = files.name)
                    """, [file.name])
            }
        }
        // The loop above also removes files that objects of other classes contain. So the files of all classes are
        // recorded again.
        for name in try ClassTable(db: db).names() {
            for record in try recordsWithFiles(of: name) { try note(record, now: now) }
        }
    }

    /// Records a file of the remote, to be downloaded at the first read.
    func note(_ name: String, at url: String, now: ParseDate) throws {
        try note(FileReference(name: name, url: url), at: url, .lazy, now: now)
    }

    private func recordsWithFiles(of className: String) throws -> [RemoteRecord] {
        try db.rows(
            """
            SELECT id, coalesce(base, view) FROM objects
            WHERE class = ? AND base_kind > 0 AND instr(coalesce(base, view), '"__type":"File"')
            """, [className]
        ) { row in
            try row.object(1).flatMap(ObjectState.init(json:)).map {
                RemoteRecord(className: className, objectId: row.text(0), state: $0)
            }
        }
    }

    // MARK: Local uploads

    func insert(_ file: StoredFile, by author: AuthorKey, now: ParseDate) throws {
        try db.run(
            """
            INSERT INTO files (name, sha256, size, content_type, details, made_at, used_at, author)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                file.name, file.content?.sha256, file.content?.size, file.contentType, file.details, now.milliseconds,
                now.milliseconds, author.key,
            ])
    }

    /// Whether there is an upload that the remote does not have.
    func hasLocalFiles() throws -> Bool {
        try db.isTrue(
            "SELECT EXISTS (SELECT 1 FROM files INDEXED BY files_local WHERE remote_url IS NULL AND sha256 IS NOT NULL)"
        )
    }

    /// The author of an upload, by the file's present name; nil if the author is unknown.
    func author(of name: String) throws -> AuthorKey? {
        try db.integer("SELECT author FROM files WHERE name = ?", [name]).map(AuthorKey.init(key:))
    }

    func setContent(_ content: FileDraft.Content, of name: String, contentType: String?, now: ParseDate) throws {
        try db.run(
            """
            UPDATE files SET sha256 = ?, size = ?, content_type = coalesce(?, content_type), used_at = ?, attempts = 0,
                next_at = NULL, error = NULL WHERE name = ?
            """, [content.sha256, content.size, contentType, now.milliseconds, name])
    }

    /// Records that an uploaded file is on the remote. The remote's name becomes the present name, and the local name
    /// an earlier name.
    func adopt(_ remote: FileReference, for file: StoredFile, now: ParseDate) throws {
        try db.run("DELETE FROM files WHERE name = ? AND name <> ?", [remote.name, file.name])
        try db.run(
            """
            UPDATE files SET name = ?, remote_url = ?, attempts = 0, next_at = NULL, error = NULL, used_at = ?
            WHERE name = ?
            """, [remote.name, remote.url, now.milliseconds, file.name])
        try db.run("UPDATE file_aliases SET name = ? WHERE name = ?", [remote.name, file.name])
        if remote.name != file.name {
            try db.run("INSERT OR REPLACE INTO file_aliases (alias, name) VALUES (?, ?)", [file.name, remote.name])
        }
    }

    /// The objects with a pending change that contains the file.
    func holders(of name: String) throws -> [Pointer] {
        try db.rows(
            """
            SELECT DISTINCT o.class, o.id FROM outbox_files f JOIN outbox o ON o.seq = f.seq WHERE f.name = ?
            ORDER BY o.seq
            """, [name]
        ) { $0.pointer(0) }
    }

    func isCarried(_ name: String) throws -> Bool {
        try db.isTrue("SELECT EXISTS (SELECT 1 FROM outbox_files WHERE name = ?)", [name])
    }

    func setRefused(_ name: String, _ message: String) throws {
        try db.run("UPDATE files SET attempts = 0, error = ? WHERE name = ?", [message, name])
    }

    func noteFailedUpload(_ name: String, _ reason: String) throws {
        try db.run("UPDATE files SET attempts = attempts + 1, error = ? WHERE name = ?", [reason, name])
    }

    // MARK: Use

    /// The time of a file's last use, by the present name; nil for an unknown file.
    func usedAt(_ name: String) throws -> ParseDate? {
        try db.firstRow("SELECT used_at FROM files WHERE name = ?", [name]) { $0.date(0) }
    }

    func noteUse(of name: String, now: ParseDate) throws {
        try db.run("UPDATE files SET used_at = ? WHERE name = ?", [now.milliseconds, name])
    }

    /// Removes the file and its earlier names. The caller then deletes the content, unless another file has the same content.
    func drop(_ file: StoredFile) throws {
        try db.run("DELETE FROM files WHERE name = ?", [file.name])
        try db.run("DELETE FROM file_aliases WHERE name = ?", [file.name])
    }
}

extension StoredFile {
    /// - Parameter row: a row of `FileTable.columns`.
    fileprivate init(_ row: SQLiteRow) {
        self.init(
            name: row.text(0), remoteURL: row.textIfAny(1),
            content: row.textIfAny(2).map { FileDraft.Content(sha256: $0, size: row.int(3)) },
            contentType: row.textIfAny(4), details: row.textIfAny(5))
    }
}
