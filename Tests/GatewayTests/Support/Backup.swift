import Foundation

/// A backup of a hub: a copy of the database of the remote.
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

    /// Makes a hub from the backup and connects the replica to it.
    func restore(in world: World, answerBytesMax: Int = 64 << 20) throws -> Hub {
        let hub = try Hub(
            directory, clock: world.clock, allowsChosenIds: true, answerBytesMax: answerBytesMax, takesOver: true)
        world.transport.use(hub.api)
        return hub
    }
}
