import Foundation
import GRDB
import ParseModel
import SyncModel

/// Finds the files that an author has to upload: files in the author's pending changes that the remote does not have.
struct FileUploads {
    let db: Database
    let author: AuthorKey

    /// The next files to upload, in the order of the changes that contain them. `path` is nil for a file whose content is missing
    /// or has another size.
    func next(limit: Int, in contents: ContentDirectory) throws -> [FileUpload] {
        try db.rows(
            """
            SELECT f.name, f.content_type, f.size, f.sha256, f.attempts FROM files f
            JOIN outbox_files p ON p.name = f.name JOIN outbox o ON o.seq = p.seq
            WHERE f.remote_url IS NULL AND o.phase = 'pending' AND o.identity = ?
            GROUP BY f.name ORDER BY min(o.seq) LIMIT ?
            """, [author.key, limit]
        ) { row in
            let path = contents.path(of: row.textIfAny(3) ?? "")
            let presentSize = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
            let size = row.integerIfAny(2).map { Int($0) }
            return FileUpload(
                name: row.text(0), contentType: row.textIfAny(1) ?? "application/octet-stream", size: size ?? 0,
                path: presentSize == size ? path : nil, attempts: row.int(4))
        }
    }
}

/// Applies the outcomes of uploads to the objects that contain the files.
struct FileOutcomes {
    let transaction: StoreTransaction

    private var table: FileTable { FileTable(db: transaction.db) }

    /// Gives an uploaded file the remote's name, also in the objects and changes that contain the file.
    func adopt(_ remote: FileReference, for name: String) throws {
        guard let file = try table.file(name), file.remoteURL == nil else { return }
        try table.adopt(remote, for: file, now: transaction.now)
        for holder in try table.holders(of: file.name) {
            try transaction.receive(.fileAdopted(name: file.name, as: remote), holder)
        }
    }

    /// Records that the remote refuses the file. In each object, the first pending change of the transaction's author with
    /// the file becomes a rejection.
    /// - Returns: the class of each rejected change.
    func refuse(_ name: String, code: Int, message: String) throws -> [String] {
        var classes: [String] = []
        for holder in try table.holders(of: name) {
            guard var object = try LocalObject(holder.className, holder.objectId, in: transaction.db),
                object.life.steps.contains(where: { step in
                    step.step.phase == .pending && step.step.author == transaction.author
                        && step.step.operations.files.contains { $0.name == name }
                })
            else { continue }
            try transaction.receive(.fileRefused(name: name, code: code, message: message), &object)
            classes.append(holder.className)
        }
        try table.setRefused(name, message)
        return classes
    }
}
