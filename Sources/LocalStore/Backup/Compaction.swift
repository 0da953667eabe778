import Foundation
import GRDB
import StoreService

/// Rewrites the SQLite file of a stopped gateway without unused space.
enum Compaction {
    static func run(directory path: String) throws {
        guard FileManager.default.fileExists(atPath: path + "/tidegate.sqlite") else {
            throw StoreError.notPossible(reason: "\(path) has no tidegate.sqlite")
        }
        let directory = try DataDirectory(path: path)
        // The temporary copy of the objects stays in the data directory, which other users cannot read.
        setenv("SQLITE_TMPDIR", directory.path, 1)
        do {
            let queue = try DatabaseQueue(path: directory.databasePath, configuration: UnopenedFile.configuration())
            let isNew = try queue.unsafeRead { try Migrations.isNew($0, path: directory.databasePath) }
            guard !isNew else { return }
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try queue.close()
        } catch {
            throw StoreError.wrapping(error, operation: "compact \(directory.databasePath)")
        }
    }
}
