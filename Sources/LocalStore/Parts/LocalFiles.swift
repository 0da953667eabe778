import GRDB
import ParseModel
import StoreService

/// Stores files and their contents, and removes unused ones.
struct LocalFiles: FileStore, FileCache {
    let transactions: Transactions

    private var environment: Environment { transactions.environment }
    private var contents: ContentDirectory { transactions.file.contents }

    var rights: any FileRights { LocalFileRights(transactions: transactions) }

    /// The minimum time between two records of a file's use.
    private static let useInterval = Duration.seconds(3600)

    func draft() throws -> FileDraft { try contents.draft(named: environment.requestId()) }

    func addFile(
        _ draft: FileDraft, name: String, contentType: String, details: String?, as principal: Principal
    ) async throws -> StoredFile {
        // Flushes the content to disk before the transaction, so that other writes do not wait for the flush.
        _ = try draft.finish()
        return try await transactions.write(as: principal) { [contents] transaction in
            let file = StoredFile(
                name: name, remoteURL: nil, content: try contents.keep(draft), contentType: contentType,
                details: details)
            try FileTable(db: transaction.db).insert(file, by: transaction.author, now: transaction.now)
            return file
        }
    }

    func keepContent(
        _ draft: FileDraft, of name: String, contentType: String?
    ) async throws -> StoredFile {
        _ = try draft.finish()
        return try await transactions.write { [contents] transaction in
            let table = FileTable(db: transaction.db)
            guard let file = try table.file(name) else { throw StoreError.notFound(what: "file") }
            let content = try contents.keep(draft)
            try table.setContent(content, of: file.name, contentType: contentType, now: transaction.now)
            return StoredFile(
                name: file.name, remoteURL: file.remoteURL, content: content,
                contentType: contentType ?? file.contentType, details: file.details)
        }
    }

    func file(_ name: String, as principal: Principal) throws -> StoredFile? {
        try transactions.readOnce { try FileTable(db: $0).file(name) }
    }

    func contentPath(of file: StoredFile) -> String? { file.content.map { contents.path(of: $0.sha256) } }

    func servedFiles(among names: [String], as principal: Principal) throws -> Set<String> {
        try transactions.readOnce { db in try Set(names.filter { try FileTable(db: db).file($0) != nil }) }
    }

    func noteUse(of file: StoredFile) async throws {
        let dueBefore = environment.now() - Self.useInterval
        let isDue = try await transactions.readOnce {
            try FileTable(db: $0).usedAt(file.name).map { $0 < dueBefore } ?? false
        }
        guard isDue else { return }
        try await transactions.write { try FileTable(db: $0.db).noteUse(of: file.name, now: $0.now) }
    }

    func deleteFile(_ name: String, as principal: Principal) async throws {
        let file = try await transactions.write(as: principal) { transaction -> StoredFile? in
            let table = FileTable(db: transaction.db)
            guard let file = try table.file(name) else { return nil }
            guard try !table.isCarried(file.name) || file.remoteURL != nil else {
                throw StoreError.notPossible(reason: "A change that carries this file waits to be sent.")
            }
            try table.drop(file)
            return file
        }
        try await dropContents([file?.content?.sha256].compactMap(\.self))
    }

    // MARK: Contents from the remote

    func filesToDownload(limit: Int) throws -> [FileDownload] {
        let now = environment.now()
        return try transactions.readOnce { try FileContents(db: $0).toDownload(limit: limit, now: now) }
    }

    /// - Parameter isGone: whether the remote no longer has the file. If true, the file is downloaded only when a client reads it.
    func downloadFailed(_ name: String, reason: String, isGone: Bool) async throws {
        try await transactions.write {
            try FileContents(db: $0.db).noteFailedDownload(name, reason: reason, isGone: isGone, now: $0.now)
        }
    }

    /// Removes stored contents that the remote has too, the least recently used first, until at most `bytesMax` bytes of them are left.
    func evictContents(bytesMax: Int) async throws {
        guard try await transactions.readOnce({ try FileContents(db: $0).evictableBytes() > bytesMax }) else { return }
        try await dropContents(try await transactions.write { try FileContents(db: $0.db).evict(bytesMax: bytesMax) })
    }

    // MARK: Collection

    /// Removes orphaned files, which no stored value refers to, with their contents. Files that were added or used less
    /// than `grace` ago are kept.
    /// - Returns: the number of removed files.
    @discardableResult
    func collectFiles(grace: Duration) async throws -> Int {
        let deadline = environment.now() - grace
        let keepsRemoteFiles = transactions.configuration.keepsRemoteFiles
        let unused = try await transactions.readOnce {
            try FileCollection(db: $0).unused(before: deadline, keepsRemoteFiles: keepsRemoteFiles)
        }
        var dropped: [StoredFile] = []
        // A write can refer to one of the files in the meantime. It then also records the use of the file, so `drop`
        // keeps the file.
        for chunk in stride(from: 0, to: unused.count, by: 100).map({ unused[$0..<min($0 + 100, unused.count)] }) {
            dropped += try await transactions.write {
                try FileCollection(db: $0.db).drop(chunk, unusedBefore: deadline)
            }
        }
        try await dropContents(dropped.compactMap(\.content?.sha256))
        return dropped.count
    }

    /// Removes contents that belong to no file. Such contents are left behind when the process ends during an upload or a deletion.
    ///
    /// If the SQLite file was lost or restored from a backup, the directory can have contents of files that the SQLite file does
    /// not list. For this case, contents younger than `grace` are kept, and all contents are kept while the SQLite file itself is
    /// younger than `grace`.
    func removeLooseContents(grace: Duration) async throws {
        let deadline = environment.now() - grace
        let (begunAtMs, known) = try await transactions.read { db in
            (
                try Meta.value(of: StoreIdentity.begunAtKey, in: db).flatMap { Int64($0) },
                try FileContents(db: db).digests()
            )
        }
        if let begunAtMs, begunAtMs >= deadline.milliseconds { return }
        try await dropContents(contents.all(before: deadline).filter { !known.contains($0) })
    }

    /// Removes the given contents, except contents that belong to a file. The check and the removal run in one write transaction,
    /// so that no other write can refer to the contents in between.
    private func dropContents(_ digests: [String]) async throws {
        guard !digests.isEmpty else { return }
        try await transactions.write { [contents] transaction in
            for sha256 in digests where try !FileContents(db: transaction.db).contains(sha256) {
                contents.remove(sha256)
            }
        }
    }
}
