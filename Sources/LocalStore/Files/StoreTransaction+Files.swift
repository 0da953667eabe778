import GRDB
import ParseModel
import StoreService
import SyncModel

/// Files that objects carry: those made here get the remote's name when they are there, those of the remote are noted so
/// that they can be had from here.
extension StoreTransaction {
    /// What a client has written, with each file as it is known here: by the name that it has now. Where a standalone
    /// gateway keeps it, or it is not on the remote yet, it has no address; each answer gives one.
    ///
    /// - Parameter files: those that the operations name.
    func resolve(_ files: [FileReference], in operations: FieldOperations) throws -> FieldOperations {
        guard !files.isEmpty else { return operations }
        var known: [String: FileReference] = [:]
        for reference in files {
            guard let file = try StoredFile.named(reference.name, in: db) else { continue }
            known[reference.name] = FileReference(name: file.name, url: file.remoteURL)
            // It is of use again, in case nobody has carried it for a while.
            try execute("UPDATE files SET used_at = ? WHERE name = ?", [now.milliseconds, file.name])
        }
        return operations.replacingFiles { known[$0.name] ?? $0 }
    }

    /// Notes the files of a row that is news, in so far as they shall be had from here.
    func noteFiles(of record: RemoteRecord) throws {
        var options: ClassOptions?
        for (field, value) in record.fields {
            switch value {
            case .object, .array: break
            default: continue
            }
            for file in value.files {
                guard let url = file.url else { continue }
                let known = try options ?? classOptions(of: record.className)
                options = known
                try note(file, at: url, known.files.download(of: field))
            }
        }
    }

    /// A row may carry the name of a file that only this machine has: somebody has sent it there by another way. It is not
    /// there for that.
    private func note(_ file: FileReference, at url: String, _ download: FileDownloads.Kind) throws {
        switch download {
        case .none:
            try execute(
                "UPDATE files SET remote_url = ? WHERE name = ? AND remote_url IS NOT NULL", [url, file.name])
        case .eager, .lazy:
            try execute(
                """
                INSERT INTO files (name, remote_url, made_at, used_at, is_wanted) VALUES (?1, ?2, ?3, ?3, ?4)
                ON CONFLICT DO UPDATE SET remote_url = excluded.remote_url, used_at = excluded.used_at,
                    is_wanted = max(is_wanted, excluded.is_wanted)
                WHERE remote_url IS NOT NULL
                """, [file.name, url, now.milliseconds, download == .eager])
        }
    }

    /// The options say otherwise now: which files of the class are served from here, and which are fetched unasked.
    func renoteFiles(of className: String) throws {
        try eachRecordWithFiles(of: className) { record in
            for file in record.fields.flatMap(\.value.files) {
                try execute("UPDATE files SET is_wanted = 0 WHERE name = ?", [file.name])
                try execute(
                    """
                    DELETE FROM files WHERE name = ? AND sha256 IS NULL AND remote_url IS NOT NULL
                        AND NOT EXISTS (SELECT 1 FROM file_aliases a WHERE a.name = files.name)
                    """, [file.name])
            }
        }
        // Other classes may carry the same files.
        for name in try String.fetchAll(db, sql: "SELECT name FROM classes ORDER BY name") {
            try eachRecordWithFiles(of: name, noteFiles)
        }
    }

    private func eachRecordWithFiles(of className: String, _ body: (RemoteRecord) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, coalesce(base, view) FROM objects
                WHERE class = ? AND base_kind > 0 AND instr(coalesce(base, view), '"__type":"File"')
                """, arguments: [className])
        while let row = try rows.next() {
            guard let object = try JSONReader.read(row[1] as String, depthMax: JSONReader.storedDepthMax).object,
                let state = ObjectState(json: object)
            else { continue }
            let record = RemoteRecord(className: className, objectId: row[0], state: state)
            try body(record)
        }
    }

    // MARK: Files made here

    /// The remote has the file, under a name of its own: whatever carries it here carries that from now on.
    func adopt(_ remote: FileReference, for name: String) throws {
        guard let file = try StoredFile.named(name, in: db), file.remoteURL == nil else { return }
        try execute("DELETE FROM files WHERE name = ? AND name <> ?", [remote.name, file.name])
        try execute(
            """
            UPDATE files SET name = ?, remote_url = ?, attempts = 0, next_at = NULL, error = NULL, used_at = ?
            WHERE name = ?
            """, [remote.name, remote.url, now.milliseconds, file.name])
        try execute("UPDATE file_aliases SET name = ? WHERE name = ?", [remote.name, file.name])
        if remote.name != file.name {
            try execute(
                "INSERT OR REPLACE INTO file_aliases (alias, name) VALUES (?, ?)", [file.name, remote.name])
        }
        for holder in try holders(of: file.name) {
            _ = try receive(.fileAdopted(name: file.name, as: remote), holder.className, holder.objectId)
        }
    }

    /// Objects with pending work that carries the file.
    private func holders(of name: String) throws -> [Pointer] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT DISTINCT o.class, o.id FROM outbox_files f JOIN outbox o ON o.seq = f.seq WHERE f.name = ?
                ORDER BY o.seq
                """, arguments: [name]
        ).map { Pointer(className: $0[0], objectId: $0[1]) }
    }

    /// The remote does not take the file: neither does it take a change that carries it.
    /// - Returns: the classes of those changes.
    func refuse(_ name: String, code: Int, message: String) throws -> [String] {
        var classes: [String] = []
        for holder in try holders(of: name) {
            guard var object = try LocalObject(holder.className, holder.objectId, in: db),
                object.life.steps.contains(where: { step in
                    step.step.phase == .pending && step.step.operations.files.contains { $0.name == name }
                })
            else { continue }
            try receive(.fileRefused(name: name, code: code, message: message), &object)
            classes.append(holder.className)
        }
        try execute("UPDATE files SET attempts = 0, error = ? WHERE name = ?", [message, name])
        return classes
    }
}
