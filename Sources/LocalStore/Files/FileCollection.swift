import GRDB
import ParseModel
import StoreService

/// Finds and removes files that no stored value refers to.
struct FileCollection {
    let db: Database

    /// The names of files that no stored value refers to. Files that were added or used since `deadline` are left out.
    /// - Parameter keepsRemoteFiles: whether files of the remote are left out too.
    func unused(before deadline: ParseDate, keepsRemoteFiles: Bool) throws -> [String] {
        let candidates = try db.texts(
            "SELECT name FROM files WHERE made_at < ?1 AND used_at < ?1 AND NOT (?2 AND remote_url IS NOT NULL)",
            [deadline.milliseconds, keepsRemoteFiles])
        guard !candidates.isEmpty else { return [] }
        let referred = try referredNames()
        return candidates.filter { !referred.contains($0) }
    }

    /// Removes the given files, except those that were used at `deadline` or later.
    /// - Returns: the removed files.
    func drop(_ names: some Sequence<String>, unusedBefore deadline: ParseDate) throws -> [StoredFile] {
        let table = FileTable(db: db)
        var dropped: [StoredFile] = []
        for name in names {
            guard let file = try table.file(name), file.name == name, let usedAt = try table.usedAt(name),
                usedAt < deadline
            else { continue }
            try table.drop(file)
            dropped.append(file)
        }
        return dropped
    }

    /// The names of files in objects (in the state that clients see and in the last known remote state), pending
    /// changes, conflicts, `/config` and the defaults of fields. If a name is an earlier name of a file, the file's
    /// present name is added.
    private func referredNames() throws -> Set<String> {
        let columns = [
            ("objects", "view"), ("objects", "base"), ("outbox", "operations"), ("conflicts", "base"),
            ("conflicts", "local"), ("conflicts", "remote"),
            // `meta` contains the values of `/config`, and `fields` contains the defaults of fields.
            ("meta", "value"), ("fields", "type"),
        ]
        var names: Set<String> = []
        for (table, column) in columns {
            try db.forEachRow("SELECT \(column) FROM \(table) WHERE instr(\(column), '\"File\"')") { row in
                for file in try JSONReader.read(row.text(0), depthMax: JSONReader.storedDepthMax).files {
                    names.insert(file.name)
                }
            }
        }
        try db.forEachRow("SELECT alias, name FROM file_aliases") { row in
            if names.contains(row.text(0)) { names.insert(row.text(1)) }
        }
        return names
    }
}
