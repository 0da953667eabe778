import LocalStore
import ParseModel
import StoreService

/// The faults in the server's data, and the check that no replica drops an object because of them without a user's
/// decision.
extension World {
    /// The largest number of restores in a run.
    static let restoresMax = 2

    func injectDataFault() async throws {
        guard let dataFault, dataFaultRandom.chance(0.12) else { return }
        switch dataFault {
        case .restoredBackup: try await backUpOrRestore()
        case .laggingLists:
            try server.beginToLag()
            trace.note("reads come from a lagging copy")
        case .lostCreates: break
        case .restoredReplica: try await ReplicaRestores(world: self).backUpOrRestore()
        }
    }

    private func backUpOrRestore() async throws {
        await server.executeDelayedRequests()
        guard let backup = past.withLock({ $0.backup }), dataFaultRandom.chance(0.5) else {
            if past.withLock({ $0.restores }) < Self.restoresMax {
                let backup = try server.backUp()
                past.withLock { $0.backup = backup }
                trace.note("the server is backed up")
            }
            return
        }
        // The restored server lacks the files that were uploaded since its backup. Replicas do not upload a file twice,
        // so earlier file writes are no longer checked.
        users.ledger.withLock { $0.excuseFiles() }
        let before = try objectsByTitle(server.store)
        try server.restore(backup)
        past.withLock {
            $0.backup = nil
            $0.restores += 1
        }
        let after = try objectsByTitle(server.store)
        let affected = Set(before.keys).union(after.keys).filter { before[$0]?.map(\.text) != after[$0]?.map(\.text) }
        users.ledger.withLock { ledger in for title in affected { ledger.excuse(title) } }
        trace.note("the server is restored: \(affected.count) objects return to an earlier state")
        for replica in replicas { try watch(replica, after: after) }
    }

    /// Adds the replica's lost objects to the watch list (the objects that no replica may drop without a user's
    /// decision), after a restore of the server. An object without pending changes is lost if the server lacks it or
    /// has an older state of it. Only an older state proves the restore to the replica. If no object has one, nothing
    /// is added.
    private func watch(_ replica: SimulatedReplica, after server: [String: [TitledObject]]) throws {
        guard let store = replica.process?.store else { return }
        var items: [WatchList.Item] = []
        var isProven = false
        for (title, objects) in try objectsByTitle(store) {
            for object in objects where object.isSettled {
                guard let there = server[title]?.first(where: { $0.objectId == object.objectId }) else {
                    items.append(item(title, object, replica, isProof: false))
                    continue
                }
                if there.updatedAtMs + Self.lateStampMaxMs < object.updatedAtMs {
                    isProven = true
                    items.append(item(title, object, replica, isProof: true))
                }
            }
        }
        guard isProven else { return }
        trace.note(
            "\(replica.name) may notice the restore by "
                + items.filter(\.isProof).map(\.title).joined(separator: ", "))
        watchList.list.withLock { list in for item in items { list.add(item) } }
    }

    /// A late commit can set back the `updatedAt` of an object on the server by at most this many milliseconds.
    private static let lateStampMaxMs: Int64 = 10_000

    private func item(
        _ title: String, _ object: TitledObject, _ replica: SimulatedReplica, isProof: Bool
    ) -> WatchList.Item {
        WatchList.Item(
            replica: replica.name, className: object.className, objectId: object.objectId, title: title,
            fields: object.fields, changes: server.history.withLock { $0.changes[title] ?? 0 },
            entries: users.ledger.withLock { $0.entries.count }, isProof: isProof)
    }

    /// Adds an object whose acknowledged create the server is about to lose to the watch list, the objects that no
    /// replica may drop without a user's decision. Earlier writes of the object are not checked.
    /// - Parameter party: the party that created the object.
    func watchLoss(of objectId: String, in className: String, at party: String) {
        guard let title = server.history.withLock({ $0.title(of: objectId) }) else { return }
        let item = WatchList.Item(
            replica: party, className: className, objectId: objectId, title: title, fields: [:],
            // The server is about to record the loss as one more change of the object.
            changes: server.history.withLock { $0.changes[title] ?? 0 } + 1,
            entries: users.ledger.withLock { $0.entries.count }, isProof: true)
        users.ledger.withLock { $0.excuse(title) }
        // If the creator has deleted the object while its create was in flight, the object is not added.
        guard let store = replicas.first(where: { $0.name == party })?.process?.store,
            (try? objectsByTitle(store))?[title] != nil
        else { return }
        watchList.list.withLock { $0.add(item) }
    }

    // MARK: The check

    /// Adds a finding if a replica, after a sync, lacks an object that it must not drop without a user's decision, or
    /// one of the object's recorded values of `a` and `b`.
    func checkWatchList(_ replica: SimulatedReplica) throws {
        guard dataFault != nil, let store = replica.process?.store else { return }
        let changes = server.history.withLock { $0.changes }
        let entries = users.ledger.withLock { $0.entries }
        watchList.list.withLock { list in
            list.release { item in
                (changes[item.title] ?? 0) > item.changes
                    || entries[min(item.entries, entries.count)...].contains { $0.title == item.title }
            }
            list.releaseUnproven()
        }
        let items = watchList.list.withLock { $0.items }.filter { $0.replica == replica.name }
        if items.isEmpty { return }
        let here = try objectsByTitle(store)
        // A replica hides the object that may be the result of a create while a conflict about the create is open. It
        // is checked after the answer.
        let candidates = Set(
            try store.decisions.conflicts(resolved: false, as: .master).filter { $0.kind == .ambiguousCreate }
                .compactMap {
                    conflict in
                    try conflict.remote.flatMap { try JSONReader.read($0).object?["objectId"]?.string }
                })
        // The replica has recorded that the server lacks an object that it has acknowledged and never shown.
        let recorded = Set(
            try store.decisions.conflicts(resolved: true, as: .master).filter { $0.kind == .deletedRemotely }.map(
                \.objectId))
        for item in items where !candidates.contains(item.objectId) && !recorded.contains(item.objectId) {
            guard let objects = here[item.title] else {
                replica.addFinding("\(item.title) disappeared silently although only the server has lost it")
                continue
            }
            for (field, value) in item.fields where !objects.contains(where: { $0.fields[field] == value }) {
                replica.addFinding("\(item.title).\(field) silently lost the value \(value)")
            }
        }
    }

    private struct TitledObject {
        let className: String
        let objectId: String
        let text: String
        let updatedAtMs: Int64
        let fields: [String: String]
        /// Whether the object has no pending changes.
        let isSettled: Bool
    }

    /// The objects of a store, by title. Two objects can have the same title: an object was deleted, a replica that had
    /// changed it created it again with another id, and the restored server has the deleted object again.
    private func objectsByTitle(_ store: LocalStore) throws -> [String: [TitledObject]] {
        var found: [String: [TitledObject]] = [:]
        for className in SimulatedReplica.classes {
            for object in try store.objects.find(className, ParseQuery(limit: 10_000), as: .master).objects {
                guard let json = try JSONReader.read(object.json).object, let title = json["title"]?.string else {
                    continue
                }
                var fields: [String: String] = [:]
                for field in ServerHistory.setFields { fields[field] = json[field]?.string }
                let titled = TitledObject(
                    className: className, objectId: object.objectId, text: object.jsonText,
                    updatedAtMs: json["updatedAt"]?.string.flatMap { ParseDate(iso: $0) }?.milliseconds ?? 0,
                    fields: fields, isSettled: object.state == .synced)
                found[title, default: []].append(titled)
            }
        }
        return found
    }
}
