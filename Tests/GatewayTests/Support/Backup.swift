import Foundation

/// A copy of a hub's file, for a restore.
struct Backup {
    private let directory: TemporaryDirectory

    init(of hub: Hub) throws {
        directory = try TemporaryDirectory()
        for name in ["tidegate.sqlite", "tidegate.sqlite-wal"] {
            let source = hub.store.configuration.directory + "/" + name
            guard FileManager.default.fileExists(atPath: source) else { continue }
            try FileManager.default.copyItem(atPath: source, toPath: directory.path + "/" + name)
        }
    }

    /// Connects the replica to a hub restored from the backup.
    func restore(in world: World, answerBytesMax: Int = 64 << 20) throws -> Hub {
        let hub = try Hub(
            directory, clock: world.clock, allowsChosenIds: true, answerBytesMax: answerBytesMax, takesOver: true)
        world.transport.use(hub.api)
        return hub
    }
}
