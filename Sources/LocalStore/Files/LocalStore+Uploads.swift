import Foundation
import GRDB
import ParseModel
import SyncModel

/// Files that the remote has to have before the changes that carry them. What no pending change carries is not sent.
extension LocalStore {
    package func filesToUpload(limit: Int) async throws -> [FileUpload] {
        try await readOnce { [contents] db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT f.name, f.content_type, f.size, f.sha256, f.attempts FROM files f
                    JOIN outbox_files p ON p.name = f.name JOIN outbox o ON o.seq = p.seq
                    WHERE f.remote_url IS NULL AND o.phase = 'pending' GROUP BY f.name ORDER BY min(o.seq) LIMIT ?
                    """, arguments: [limit]
            ).map { row in
                let path = contents.path(of: row[3] ?? "")
                let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
                return FileUpload(
                    name: row[0], contentType: row[1] ?? "application/octet-stream", size: row[2] ?? 0,
                    path: size == row[2] ? path : nil, attempts: row[4])
            }
        }
    }

    package func fileIsUploaded(_ name: String, as remote: FileReference) async throws {
        try await write { try $0.adopt(remote, for: name) }
    }

    package func fileIsRefused(_ name: String, code: Int, message: String) async throws -> [String] {
        try await write { try $0.refuse(name, code: code, message: message) }
    }

    package func fileUploadFailed(_ name: String, reason: String) async throws {
        try await write {
            try $0.execute(
                "UPDATE files SET attempts = attempts + 1, error = ? WHERE name = ?", [reason, name])
        }
    }
}
