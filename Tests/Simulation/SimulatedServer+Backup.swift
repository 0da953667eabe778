import Foundation
import LocalStore
import ParseModel

/// Copies of the server's file, used as backups and as lagging copies that answer reads.
extension SimulatedServer {
    /// A copy of the server's file, with the history and the time at which the copy was made.
    struct Backup: Sendable {
        let directory: String
        let history: ServerHistory.Snapshot
        let takenMs: Int64
    }

    /// Copies the server's file. No write is in progress, so the copy is consistent.
    func backUp() throws -> Backup {
        let target = nextDirectory()
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        for name in ["tidegate.sqlite", "tidegate.sqlite-wal"] {
            let source = store.configuration.directory + "/" + name
            guard FileManager.default.fileExists(atPath: source) else { continue }
            try FileManager.default.copyItem(atPath: source, toPath: target + "/" + name)
        }
        return Backup(directory: target, history: history.withLock { $0.snapshot }, takenMs: nowMs)
    }

    /// Restores the server from a backup. Writes after the backup are lost.
    func restore(_ backup: Backup) throws {
        try reopen(in: copy(of: backup))
        // The copy continues the change feed with higher numbers.
        let newest = try store.objects.changes(since: nil, classes: nil, limit: 1, as: .master).next
        history.withLock {
            $0.rollBack(to: backup.history)
            $0.seen = newest
        }
    }

    /// Copies a backup to a new directory, and returns the path of this directory. The backup itself stays unchanged.
    private func copy(of backup: Backup) throws -> String {
        let target = nextDirectory()
        try FileManager.default.copyItem(atPath: backup.directory, toPath: target)
        return target
    }

    /// Makes a copy of the current state that then answers all reads, until it is older than `DataFault.lagMaxMs`.
    func beginToLag() throws {
        let backup = try backUp()
        let instance = try instance(in: copy(of: backup))
        let order = history.withLock { $0.order }
        lagging.withLock { $0 = Lagging(instance: instance, sinceMs: nowMs, order: order) }
    }

    struct Lagging: Sendable {
        let instance: Instance
        let sinceMs: Int64
        /// The value of the history's `order` when the copy was made.
        let order: Int
    }
}
