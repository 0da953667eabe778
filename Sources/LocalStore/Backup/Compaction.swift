import Dispatch
import Foundation
import GRDB
import StoreService
import Synchronization

/// Rewrites the SQLite file of a stopped gateway without unused space.
enum Compaction {
    static func run(directory path: String, _ meter: WorkMeter?) throws {
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
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try vacuum(db, path: directory.databasePath, meter)
                try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try queue.close()
        } catch {
            throw StoreError.wrapping(error, operation: "compact \(directory.databasePath)")
        }
    }

    /// Copies the objects to a temporary file, and then back into the file.
    private static func vacuum(_ db: Database, path: String, _ meter: WorkMeter?) throws {
        guard let meter else { return try db.execute(sql: "VACUUM") }
        let used = try db.count("PRAGMA page_count") - db.count("PRAGMA freelist_count")
        let bytes = try used * db.count("PRAGMA page_size")
        let read = Atomic(0)
        meter.begin("Compacting the objects", bytes: 2 * bytes)
        // SQLite does not report how far it has copied them back. Meanwhile, the log grows, or the journal of a file without a log.
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "tidegate.compaction"))
        timer.setEventHandler {
            let written = ["-wal", "-journal"].reduce(0) { sum, suffix in
                var file = stat()
                return stat(path + suffix, &file) == 0 ? sum + Int(file.st_size) : sum
            }
            meter.advance(to: min(bytes, read.load(ordering: .relaxed)) + min(bytes, written))
        }
        timer.schedule(deadline: .now(), repeating: .milliseconds(100))
        timer.resume()
        defer { timer.cancel() }
        try StatementMeter.run("VACUUM", in: db) { read.store($0, ordering: .relaxed) }
        meter.begin("Writing the file", bytes: bytes, isMeasured: false)
    }
}
