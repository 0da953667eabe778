import GRDB
import ParseModel
import StoreService

/// Files as local clients see them.
extension LocalStore {
    /// How seldom a use is written down.
    private static let useInterval = Duration.seconds(3600)

    package func draft() throws -> FileDraft { try contents.draft(named: environment.requestId()) }

    package func addFile(
        _ draft: FileDraft, name: String, contentType: String, as principal: Principal
    ) async throws -> StoredFile {
        // Also where many writes share a transaction, nobody waits for the bytes.
        _ = try draft.finish()
        return try await write(as: principal) { [contents] transaction in
            let content = try contents.keep(draft)
            try transaction.execute(
                """
                INSERT INTO files (name, sha256, size, content_type, made_at, used_at) VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    name, content.sha256, content.size, contentType, transaction.now.milliseconds,
                    transaction.now.milliseconds,
                ])
            return StoredFile(name: name, remoteURL: nil, content: content, contentType: contentType)
        }
    }

    package func keepContent(
        _ draft: FileDraft, of name: String, contentType: String?
    ) async throws -> StoredFile {
        _ = try draft.finish()
        return try await write { [contents] transaction in
            guard let file = try StoredFile.named(name, in: transaction.db) else {
                throw StoreError.notFound(what: "file")
            }
            let content = try contents.keep(draft)
            try transaction.execute(
                """
                UPDATE files SET sha256 = ?, size = ?, content_type = coalesce(?, content_type), used_at = ?,
                    attempts = 0, next_at = NULL, error = NULL WHERE name = ?
                """, [content.sha256, content.size, contentType, transaction.now.milliseconds, file.name])
            return StoredFile(
                name: file.name, remoteURL: file.remoteURL, content: content,
                contentType: contentType ?? file.contentType)
        }
    }

    package func file(_ name: String, as principal: Principal) throws -> StoredFile? {
        try readOnce { try StoredFile.named(name, in: $0) }
    }

    package func contentPath(of file: StoredFile) -> String? { file.content.map { contents.path(of: $0.sha256) } }

    package func servedFiles(among names: [String], as principal: Principal) throws -> Set<String> {
        try readOnce { db in
            try Set(names.filter { try StoredFile.named($0, in: db) != nil })
        }
    }

    package func noteUse(of file: StoredFile) async throws {
        let now = environment.now()
        let isDue = try await readOnce { db in
            try Int64.fetchOne(db, sql: "SELECT used_at FROM files WHERE name = ?", arguments: [file.name])
                .map { $0 < (now - Self.useInterval).milliseconds } ?? false
        }
        guard isDue else { return }
        try await write {
            try $0.execute("UPDATE files SET used_at = ? WHERE name = ?", [$0.now.milliseconds, file.name])
        }
    }

    package func deleteFile(_ name: String, as principal: Principal) async throws {
        let file = try await write(as: principal) { transaction -> StoredFile? in
            guard let file = try StoredFile.named(name, in: transaction.db) else { return nil }
            let waits = try Bool.fetchOne(
                transaction.db, sql: "SELECT EXISTS (SELECT 1 FROM outbox_files WHERE name = ?)",
                arguments: [file.name])
            guard waits != true || file.remoteURL != nil else {
                throw StoreError.notPossible(reason: "A change that carries this file waits to be sent.")
            }
            try transaction.forget(file)
            return file
        }
        try await dropContents([file?.content?.sha256].compactMap(\.self))
    }
}

extension StoredFile {
    /// - Parameter name: or an earlier one of it.
    static func named(_ name: String, in db: Database) throws -> StoredFile? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT name, remote_url, sha256, size, content_type FROM files
                WHERE name = coalesce((SELECT name FROM file_aliases WHERE alias = ?1), ?1)
                """)
        return try Row.fetchOne(statement, arguments: [name]).map(StoredFile.init)
    }

    /// - Parameter row: name, remote_url, sha256, size and content_type.
    init(_ row: Row) {
        self.init(
            name: row[0], remoteURL: row[1],
            content: (row[2] as String?).map { FileDraft.Content(sha256: $0, size: row[3] ?? 0) }, contentType: row[4])
    }
}

extension StoreTransaction {
    /// The content goes later, with all that no file has any more.
    func forget(_ file: StoredFile) throws {
        try execute("DELETE FROM files WHERE name = ?", [file.name])
        try execute("DELETE FROM file_aliases WHERE name = ?", [file.name])
    }
}
