import Foundation
import LocalStore
import ParseModel
import StoreService

extension SimulatedReplica {
    /// A copy of a replica's directory, and the number of ledger entries when it was made.
    struct Backup: Sendable {
        let directory: String
        let entries: Int
    }

    func backUp(entries: Int) throws {
        let target = "\(directory)-backup"
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        _ = try LocalStoreKind().copy(
            directory: directory, to: target, sharing: nil, at: ParseDate(milliseconds: transport.time.nowMs), nil)
        backup.withLock { $0 = Backup(directory: target, entries: entries) }
    }

    /// Replaces the replica's directory by the backup. The backup stays, so that it can be restored again.
    func restore(_ backup: Backup) async throws {
        try await restart {
            try FileManager.default.removeItem(atPath: directory)
            try FileManager.default.copyItem(atPath: backup.directory, toPath: directory)
        }
    }
}

/// The data fault `restoredReplica`: a replica is restored from a backup that may lack writes which its users were
/// promised, and may contain changes that were sent since.
struct ReplicaRestores {
    let world: World

    func backUpOrRestore() async throws {
        guard let replica = world.dataFaultRandom.pick(world.replicas) else { return }
        guard let backup = replica.backup.withLock({ $0 }), world.dataFaultRandom.chance(0.5) else {
            try replica.backUp(entries: world.users.ledger.withLock { $0.entries.count })
            world.trace.note("\(replica.name) is backed up")
            return
        }
        var lost = try unsentTitles(of: replica)
        world.users.ledger.withLock { ledger in
            // An object may have been created and deleted without a request.
            let written = Set(ledger.entries.dropFirst(backup.entries).map(\.title))
            lost.formUnion(world.server.history.withLock { history in written.filter { history.ids[$0] == nil } })
            for title in lost { ledger.overrule(title, at: replica.name, since: backup.entries) }
        }
        try await replica.restore(backup)
        world.trace.note(
            "\(replica.name) is restored, and may lack changes of \(lost.sorted().joined(separator: ", "))")
    }

    /// The titles of the objects with changes that the server may lack, or with a record that explains why it lacks a
    /// change. A restore may lose both.
    private func unsentTitles(of replica: SimulatedReplica) throws -> Set<String> {
        guard let store = replica.process?.store else { return [] }
        let changes =
            try store.decisions.pendingChanges(as: .master) + store.decisions.rejections(as: .master)
        let conflicts = try [true, false].flatMap { try store.decisions.conflicts(resolved: $0, as: .master) }
        var titles: Set<String> = []
        for change in changes {
            if let title = change.step.operations["title"]?.json.string { titles.insert(title) }
        }
        let ids = Set(changes.map(\.objectId) + conflicts.map(\.objectId))
        for object in world.users.visibleObjects(in: store) where ids.contains(object.objectId) {
            titles.insert(object.title)
        }
        world.server.history.withLock { history in titles.formUnion(ids.compactMap { history.title(of: $0) }) }
        return titles
    }
}
