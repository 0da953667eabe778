import GRDB
import ParseModel
import StoreService

/// Files that nothing refers to are collected after a while.
extension LocalStore {
    /// Forgets files that stand in no view and no base, in no pending, refused or travelling change and in no conflict, and
    /// that were made or last carried longer than `grace` ago.
    /// - Returns: how many went.
    @discardableResult
    package func collectFiles(grace: Duration) async throws -> Int {
        let deadline = environment.now() - grace
        let candidates = try await readOnce { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM files WHERE made_at < ?1 AND used_at < ?1",
                arguments: [deadline.milliseconds])
        }
        guard !candidates.isEmpty else { return 0 }
        let referred = try await readOnce(Self.referredFiles)
        let loose = candidates.filter { !referred.contains($0) }
        var collected: [StoredFile] = []
        // Whoever carries one of them from now on has its use written down in the same transaction.
        for chunk in stride(from: 0, to: loose.count, by: 100).map({ loose[$0..<min($0 + 100, loose.count)] }) {
            collected += try await write { transaction in
                var forgotten: [StoredFile] = []
                for name in chunk {
                    guard let file = try StoredFile.named(name, in: transaction.db), file.name == name,
                        try Int64.fetchOne(
                            transaction.db, sql: "SELECT used_at FROM files WHERE name = ?", arguments: [name])
                            ?? .max < deadline.milliseconds
                    else { continue }
                    try transaction.forget(file)
                    forgotten.append(file)
                }
                return forgotten
            }
        }
        try await dropContents(collected.compactMap(\.content?.sha256))
        return collected.count
    }

    /// Removes contents that no row of `files` names. A process leaves such contents behind when it ends between two steps.
    ///
    /// A SQLite file that was lost or restored from a backup names fewer contents than the directory holds. Contents younger than
    /// `grace` stay for that reason, and all contents stay while the file itself is younger than that.
    package func removeLooseContents(grace: Duration) async throws {
        let deadline = environment.now() - grace
        let (begunAt, known) = try await read { db in
            (
                try Meta.value(of: StoreIdentity.begunAtKey, in: db).flatMap { Int64($0) },
                try Set(String.fetchAll(db, sql: "SELECT DISTINCT sha256 FROM files WHERE sha256 IS NOT NULL"))
            )
        }
        if let begunAt, begunAt >= deadline.milliseconds { return }
        try await dropContents(contents.all(before: deadline).filter { !known.contains($0) })
    }

    /// Removes those of the contents that no file has any more. The transaction that forgot the files is over, so that none is
    /// missed where that is undone; this one keeps others from taking the contents up meanwhile.
    func dropContents(_ digests: [String]) async throws {
        guard !digests.isEmpty else { return }
        try await write { [contents] transaction in
            for sha256 in digests {
                let isKept = try Bool.fetchOne(
                    transaction.db, sql: "SELECT EXISTS (SELECT 1 FROM files WHERE sha256 = ?)", arguments: [sha256])
                if isKept == false { contents.remove(sha256) }
            }
        }
    }

    /// The names that stand anywhere, and the ones that they have now.
    private static func referredFiles(in db: Database) throws -> Set<String> {
        let columns = [
            ("objects", "view"), ("objects", "base"), ("outbox", "operations"), ("conflicts", "base"),
            ("conflicts", "local"), ("conflicts", "remote"),
            // Values of `/config`, and defaults of fields.
            ("meta", "value"), ("fields", "type"),
        ]
        var names: Set<String> = []
        for (table, column) in columns {
            let texts = try String.fetchCursor(
                db, sql: "SELECT \(column) FROM \(table) WHERE instr(\(column), '\"File\"')")
            while let text = try texts.next() {
                for file in try JSONReader.read(text, depthMax: JSONReader.storedDepthMax).files {
                    names.insert(file.name)
                }
            }
        }
        let aliases = try Row.fetchCursor(db, sql: "SELECT alias, name FROM file_aliases")
        while let row = try aliases.next() {
            if names.contains(row[0]) { names.insert(row[1]) }
        }
        return names
    }
}
