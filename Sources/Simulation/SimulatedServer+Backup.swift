import Foundation
import LocalStore
import ParseModel

/// Copies of the server's file: backups that it may be restored from, and replicas of it that lag behind.
extension SimulatedServer {
    /// The server at one snapshot.
    struct Backup: Sendable {
        let directory: String
        let history: ServerHistory.Snapshot
        let takenMs: Int64
    }

    /// Nothing is being written meanwhile, so the files are whole as they lie there.
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

    /// All that was written since the backup is lost.
    func restore(_ backup: Backup) throws {
        try reopen(in: copy(of: backup))
        history.withLock { $0.rollBack(to: backup.history) }
    }

    /// The backup itself stays as it is, to be restored from once more.
    private func copy(of backup: Backup) throws -> String {
        let target = nextDirectory()
        try FileManager.default.copyItem(atPath: backup.directory, toPath: target)
        return target
    }

    /// From now on reads are answered by a copy of the server as it is.
    func beginToLag() throws {
        let backup = try backUp()
        let instance = try instance(in: copy(of: backup))
        lagging.withLock { $0 = Lagging(instance: instance, sinceMs: nowMs) }
    }

    struct Lagging: Sendable {
        let instance: Instance
        let sinceMs: Int64
    }
}
