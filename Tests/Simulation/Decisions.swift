import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import SyncModel

/// Lets users answer conflicts, rejections and removals that wait for a decision. The ledger (the record of all writes)
/// notes the writes that an answer discards.
struct Decisions: Sendable {
    let users: SimulatedUsers
    let server: SimulatedServer
    let random: PartyRandom
    let trace: Trace
    let sabotage: Sabotage?
    /// Called when a user of a replica decides about a removal. `objectIds` are the objects of the removal.
    var onRemoval: @Sendable (_ objectIds: Set<String>, _ replica: String) -> Void = { _, _ in }

    /// Lets the users of a replica answer open conflicts, rejections and removals that wait for a decision.
    /// - Parameter share: the probability of an answer to each conflict, rejection or removal, from 0 to 1.
    func decide(at replica: SimulatedReplica, share: Double) async {
        guard let process = replica.process else { return }
        let store = process.store
        for conflict in ((try? store.decisions.conflicts(resolved: false, as: .master)) ?? []).reversed()
        where random.chance(share) {
            await decide(conflict, at: replica, process)
        }
        for rejection in (try? store.decisions.rejections(as: .master)) ?? [] where random.chance(share) {
            await decide(rejection, at: replica, store)
        }
        for removal in (try? store.decisions.removals(as: .master)) ?? [] where random.chance(share) {
            await decide(removal, at: replica, process)
        }
    }

    private func decide(
        _ conflict: ListedConflict, at replica: SimulatedReplica, _ process: SimulatedReplica.Process
    ) async {
        let store = process.store
        // In a conflict about the outcome of a create, the remote object may be another object, so only the local title
        // counts.
        let isOwn = conflict.kind != .ambiguousCreate
        let known = [conflict.local, isOwn ? conflict.base : nil, isOwn ? conflict.remote : nil].compactMap { $0 }
        guard let title = known.lazy.compactMap({ title(in: $0) }).first else {
            // If the title is unknown, a user has dropped the create of the object, and a change of another author has
            // created it without its title.
            let isQuestion = [.ambiguousCreate, .wasThisApplied].contains(conflict.kind)
            try? await store.decisions.resolveConflict(
                conflict.id, keep: isQuestion ? "sendAgain" : "local", fields: nil, match: nil, as: .master)
            trace.note("\(replica.name) decides about an object without a title: \(conflict)")
            return
        }
        if conflict.kind == .deletedRemotely, defersDecision() {
            trace.note("\(replica.name) postpones the decision on the deletion of \(title)")
            return
        }
        if conflict.kind == .ambiguousCreate, conflict.remote == nil {
            return await decideRestoredCreate(conflict, of: title, at: replica, store)
        }
        if let other = otherCreate(asked: conflict, of: title, in: store) {
            replica.addFinding(
                "a conflict about the create of \(title) shows the object that the create of \(other) has made")
        }
        let answer = answer(to: conflict, of: title, at: replica)
        let seen = seen(conflict, in: store)
        var isAcknowledged = true
        do {
            let fields: JSONObject? = answer.value.map { ["a": .string($0)] }
            try await store.decisions.resolveConflict(
                conflict.id, keep: answer.keep, fields: fields, match: nil, as: .master)
        } catch {
            trace.note("\(replica.name) cannot decide \(conflict.kind.rawValue): \(error)")
            // If the process has ended, the decision may or may not have been stored. The ledger then records the
            // writes that it discards, but does not count its value as acknowledged.
            guard replica.hasEnded else { return }
            isAcknowledged = false
        }
        trace.note(
            "\(replica.name) decides \(conflict.kind.rawValue) of \(title): \(answer.keep ?? "an object"), "
                + "between \(conflict.local ?? "nothing") and \(conflict.remote ?? "nothing")")
        users.ledger.withLock { ledger in
            ledger.noteDecision(of: conflict.id, at: replica.name)
            ledger.decidedTitles[conflict.objectId] = title
            if answer.dropsWork(conflict.kind) { ledger.overrule(title, at: replica.name) }
            if let value = answer.value {
                ledger.add(
                    Ledger.Entry(
                        party: replica.name, title: title, operation: .set(field: "a", value: value),
                        isAcknowledged: isAcknowledged, atMs: trace.nowMs, seen: seen))
            }
        }
    }

    /// The title of another local object whose create has made the remote object in a conflict, if nobody has edited this since. Such a
    /// conflict asks the user about an outcome that is known.
    private func otherCreate(asked conflict: ListedConflict, of title: String, in store: LocalStore) -> String? {
        guard conflict.kind == .ambiguousCreate,
            let shown = conflict.remote.flatMap({ try? JSONReader.read($0) })?.object,
            shown["createdAt"] == shown["updatedAt"], let other = shown["title"]?.string, other != title,
            users.visibleObjects(in: store).contains(where: { $0.title == other && $0.objectId != conflict.objectId })
        else { return nil }
        return other
    }

    /// The user's answer to a conflict about the object with this title.
    private func answer(to conflict: ListedConflict, of title: String, at replica: SimulatedReplica) -> Answer {
        let history = server.history.withLock { $0 }
        switch conflict.kind {
        case .wasThisApplied:
            let pending = marks(in: conflict.local).subtracting(marks(in: conflict.base))
            let first = users.ledger.withLock { $0.first(of: pending, by: replica.name) }
            let isHeld = first.map { history.hasHeld($0, in: "log", of: title) } == true
            let isExecuted = server.tables?.increments.withLock {
                $0.isExecuted(of: conflict.objectId, by: replica.name)
            }
            let isSent = isExecuted ?? (isHeld || isSent(conflict, of: title, at: replica))
            return Answer(keep: isSent ? "applied" : "sendAgain")
        case .ambiguousCreate:
            let candidate = conflict.remote.flatMap { try? JSONReader.read($0) }?.object?["objectId"]?.string
            // Whether this replica has created the object in the conflict. If the object has the local object's id,
            // this replica must have created it last. If it has another id, it must have had the local object's title,
            // which is unique.
            let isOurs = candidate.map {
                $0 == conflict.objectId
                    ? history.creators[$0] == replica.name : history.ids[title]?.contains($0) == true
            }
            return Answer(keep: isOurs == true ? "applied" : "sendAgain")
        case .fields, .deletedLocally, .deletedRemotely:
            var answer = Answer(keep: random.pick(["local", "local", "remote", "remote", "merge"]) ?? "local")
            if random.chance(0.2), !answer.dropsTheObject(conflict.kind) {
                answer.value = users.uniqueValue(replica.name)
                // Without `keep`, the value is set on top of the remote state.
                if conflict.kind != .deletedRemotely, random.chance(0.5) { answer.keep = nil }
            }
            return answer
        }
    }

    private struct Answer {
        /// The argument `keep` of `resolveConflict`, for example `local` or `applied`; nil if the answer only sets `value`.
        var keep: String?
        /// The value that the answer sets in the field `a`; nil if the answer sets no value.
        var value: String?

        /// Whether the answer discards local changes.
        func dropsWork(_ kind: ConflictKind) -> Bool {
            switch kind {
            case .fields: keep == "remote" || keep == nil
            case .deletedLocally: keep != "local"
            case .deletedRemotely: keep == "remote"
            case .wasThisApplied, .ambiguousCreate: false
            }
        }

        /// Whether the object is deleted after the answer, so that the answer cannot set a value.
        func dropsTheObject(_ kind: ConflictKind) -> Bool {
            switch kind {
            case .deletedLocally: keep == "local"
            case .deletedRemotely: keep == "remote"
            case .fields, .wasThisApplied, .ambiguousCreate: false
            }
        }
    }

    private func seen(_ conflict: ListedConflict, in store: LocalStore) -> [String: String] {
        let view = (try? store.objects.object(conflict.className, conflict.objectId, as: .master)?.jsonText).flatMap {
            try? JSONReader.read($0).object
        }
        var seen: [String: String] = [:]
        for field in ServerHistory.setFields { seen[field] = view?[field]?.string }
        return seen
    }

    private func decide(
        _ rejection: PendingChange, at replica: SimulatedReplica, _ store: LocalStore
    ) async {
        let view = try? store.objects.object(rejection.className, rejection.objectId, as: .master)?.jsonText
        // Without ACLs, every user may read and edit every object. If the server does not have an object, the object
        // was therefore deleted, and an edit of it must become a conflict instead of a rejection.
        if rejection.code == ParseError.Code.objectNotFound.rawValue, server.users.ids.isEmpty {
            replica.addFinding(
                "a change of \(rejection.className)/\(rejection.objectId) was refused as if it were hidden")
        }
        // The object has no local state if another author has deleted it after the rejected change. Its title is then
        // found elsewhere.
        let title =
            view.flatMap { self.title(in: $0) } ?? rejection.step.operations["title"]?.json.string
            ?? server.history.withLock { $0.title(of: rejection.objectId) }
            ?? users.ledger.withLock { $0.decidedTitles[rejection.objectId] }
        // Users give up each change with a value on which the server always fails.
        let isPoisoned = rejection.step.operations.json.jsonText.contains(SeedKind.poisonPrefix)
        if !isPoisoned, random.chance(0.7) {
            if sabotage == .retriesGivenUp {
                try? await store.decisions.giveUpRejection(rejection.id, match: nil, as: .master)
            } else {
                try? await store.decisions.retryRejection(rejection.id, fields: nil, match: nil, as: .master)
            }
            trace.note("\(replica.name) retries \(title ?? "?")")
        } else {
            if let title {
                users.ledger.withLock {
                    $0.overrule(rejection.step, of: title, at: replica.name, seen: $0.entries.count)
                    $0.decidedTitles[rejection.objectId] = title
                }
            }
            try? await store.decisions.giveUpRejection(rejection.id, match: nil, as: .master)
            trace.note("\(replica.name) gives up \(title ?? "?")")
        }
    }

    /// If the server returns empty lists, allows repeated creates of the objects whose create got no clear answer. A
    /// user who then confirms a removal tells the replica that the lists are right, so the replica may send the creates
    /// again.
    private func excuseRepeatedCreates(at process: SimulatedReplica.Process) async {
        guard server.returnsEmptyLists.withLock({ $0 }) else { return }
        let unknown = (try? await process.store.sync(as: .gateway).unknownOutcomes()) ?? []
        let titles = unknown.filter { $0.step.kind == .create }.compactMap { $0.step.operations["title"]?.json.string }
        users.ledger.withLock { ledger in for title in titles { ledger.revive(title) } }
    }

    /// Whether a user postpones a decision about missing objects: often while the server returns empty lists, otherwise never.
    private func defersDecision() -> Bool { server.returnsEmptyLists.withLock { $0 } && random.chance(0.7) }

    private func decide(
        _ removal: HeldRemoval, at replica: SimulatedReplica, _ process: SimulatedReplica.Process
    ) async {
        if defersDecision() {
            trace.note("\(replica.name) postpones the removal of \(removal.objectIds.count) objects")
            return
        }
        onRemoval(Set(removal.objectIds + removal.olderIds), replica.name)
        if removal.reason != .tooMany {
            let titles = server.history.withLock { history in
                (removal.objectIds + removal.olderIds).compactMap { history.title(of: $0) }
            }
            users.ledger.withLock { ledger in for title in titles { ledger.excuse(title) } }
        }
        if random.chance(removal.reason == .restoredBackup ? 0.5 : 0.8) {
            // Confirming a removal also drops the replica's pending deletions of the removed objects, so the server
            // need not receive these deletions.
            let titles = server.history.withLock { history in removal.objectIds.compactMap { history.title(of: $0) } }
            users.ledger.withLock { ledger in
                for title in titles { ledger.confirmDeletion(title, at: replica.name) }
            }
            await excuseRepeatedCreates(at: process)
            try? await process.store.decisions.confirmRemoval(removal.id, as: .master)
            trace.note("\(replica.name) confirms the removal of \(removal.objectIds.count) objects")
            return
        }
        let unproven = await unproven(in: process)
        for objectId in removal.objectIds {
            // The ledger allows one more create of each kept object. An object without a local state was deleted
            // locally, and is not created again.
            let view = (try? process.store.objects.object(removal.className, objectId, as: .master))?.jsonText
            if let title = view.flatMap({ self.title(in: $0) }) {
                users.ledger.withLock { ledger in
                    ledger.keep(title, at: replica.name)
                    // The user keeps the state of the object that the replica shows. It contains an update whose
                    // outcome is unknown. If the server has executed this update, it is now applied twice.
                    if unproven.contains(objectId) { ledger.excuse(title) }
                }
            }
        }
        try? await process.store.decisions.keepRemoval(removal.id, as: .master)
        trace.note("\(replica.name) keeps \(removal.objectIds.count) objects")
    }

    /// The ids of the objects with an update that got no clear answer, or with an open conflict about such an update.
    private func unproven(in process: SimulatedReplica.Process) async -> Set<String> {
        let unknown = (try? await process.store.sync(as: .gateway).unknownOutcomes()) ?? []
        let open = (try? process.store.decisions.conflicts(resolved: false, as: .master)) ?? []
        return Set(unknown.filter { $0.step.kind == .update }.map(\.objectId))
            .union(open.filter { $0.kind == .wasThisApplied }.map(\.objectId))
    }

    /// Lets a user undo one random pending change, but no deletion and no change that may have been sent.
    func undo(at replica: SimulatedReplica) async {
        guard let store = replica.process?.store,
            let change = random.pick((try? store.decisions.pendingChanges(as: .master)) ?? [])
        else {
            return
        }
        guard let title = titleOf(change, in: store) else { return }
        let seen = users.ledger.withLock { $0.entries.count }
        do {
            try await store.decisions.undoPending(change.id, match: nil, as: .master)
        } catch {
            if !replica.hasEnded { return }
        }
        users.ledger.withLock { $0.overrule(change.step, of: title, at: replica.name, seen: seen) }
        trace.note("\(replica.name) undoes a change of \(title)")
    }

    /// The title of the changed object. Nil for a deletion, because the replica shows no state of a deleted object.
    func titleOf(_ change: PendingChange, in store: LocalStore) -> String? {
        (try? store.objects.object(change.className, change.objectId, as: .master)).flatMap { $0 }.flatMap {
            title(in: $0.jsonText)
        }
    }

    func title(in json: String) -> String? {
        (try? JSONReader.read(json))?.object?["title"]?.string
    }

    private func marks(in json: String?) -> Set<String> {
        Set(json.flatMap { try? JSONReader.read($0) }?.object?["log"]?.array?.compactMap(\.string) ?? [])
    }
}
