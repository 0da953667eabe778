import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncModel

/// The checks at the end of a run: each replica must agree with the server, and the server's history must contain the
/// users' writes (the ledger).
struct FinalCheck {
    let replicas: [SimulatedReplica]
    let server: SimulatedServer
    let users: SimulatedUsers
    let dataFault: DataFault?
    let trace: Trace

    func stateDifferences() throws -> [String] {
        var lines: [String] = []
        for replica in replicas {
            guard let store = replica.process?.store else { continue }
            let here = try objects(of: store) { _, object in object }
            let there = try objects(of: server.store) { replica.settings.shown($1, of: $0) }
            // The values of relation fields are left out here. The members of each relation are compared below.
            lines += Self.differences(
                try here.mapValues(comparable), try there.mapValues(comparable),
                "\(replica.name) and the server")
            lines += Self.differences(replica.mirror, here, "\(replica.name)'s feed and its objects")
            // Users may not use a class that the server does not have, because each of its creates was refused.
            let described = Set(try store.classes.remoteSchemas().map(\.className)).intersection(
                SimulatedReplica.classes)
            for userId in server.users.ids {
                let seen = try FeedCopy.objects(
                    of: described, in: store, for: UserRegister.principal(userId, in: store))
                lines += Self.differences(
                    replica.copy(of: userId).objects, seen,
                    "\(replica.name)'s feed for \(userId) and the user's objects")
            }
            if replica.settings.keys != nil { continue }
            let (friendsHere, friendsThere) = (try relationMembers(in: store), try relationMembers(in: server.store))
            // Recreated objects are left out: on the server, a deleted object stays an invisible member of relations, and
            // is a visible member if it is created again. In a replica it is not.
            let known = Set(here.keys).subtracting(server.history.withLock { $0.recreated }.map { "Place/\($0)" })
            for (owner, members) in friendsHere {
                let members = members.filter { known.contains("Place/\($0)") }
                let expected = (friendsThere[owner] ?? []).filter { known.contains("Place/\($0)") }
                guard members != expected else { continue }
                lines.append(
                    "\(replica.name) and the server differ in the friends of \(owner): \(members), \(expected)")
            }
        }
        return lines
    }

    /// The JSON text of an object without the parts that differ by design: the relation field, and the URL of a file.
    private func comparable(_ text: String) throws -> String {
        guard var object = try JSONReader.read(text, depthMax: JSONReader.storedDepthMax).object else { return text }
        object[ServerHistory.relationField] = nil
        if server.tables != nil {
            // A replica keeps the creation time of a row that was deleted and created again, or the time at which it first saw
            // a row without one. A column without a value is null.
            object["createdAt"] = nil
            object = JSONObject(object.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
        }
        if let name = object[ServerHistory.fileField]?.object?["name"] { object[ServerHistory.fileField] = name }
        return object.jsonText
    }

    /// The ids of the members of the relation `friends` of each `Note` object, by the id of the `Note` object.
    private func relationMembers(in store: LocalStore) throws -> [String: [String]] {
        var friends: [String: [String]] = [:]
        for note in try store.objects.find("Note", ParseQuery(limit: 10_000), as: .master).objects {
            let conditions: JSONValue = [
                "$relatedTo": [
                    "object": Pointer(className: "Note", objectId: note.objectId).json, "key": .string("friends"),
                ]
            ]
            let query = try ParseQuery(parameters: ["where": conditions, "order": "objectId", "limit": 1000])
            friends[note.objectId] = try store.objects.find("Place", query, as: .master).objects.map(\.objectId)
        }
        return friends
    }

    private func objects(
        of store: LocalStore, _ shown: (_ className: String, JSONObject) -> JSONObject?
    ) throws -> [String: String] {
        var objects: [String: String] = [:]
        for className in SimulatedReplica.classes {
            for object in try store.objects.find(className, ParseQuery(limit: 10_000), as: .master).objects {
                guard let json = try JSONReader.read(object.json).object else { continue }
                objects["\(className)/\(object.objectId)"] = shown(className, json)?.jsonText
            }
        }
        return objects
    }

    private static func differences(_ one: [String: String], _ other: [String: String], _ who: String) -> [String] {
        Set(one.keys).union(other.keys).sorted().compactMap { key in
            let (a, b) = (
                one[key].flatMap { try? JSONReader.read($0) }, other[key].flatMap { try? JSONReader.read($0) }
            )
            return a == b ? nil : "\(who) differ in \(key): \(one[key] ?? "nothing") and \(other[key] ?? "nothing")"
        }
    }

    func ledgerViolations() throws -> [String] {
        let live = users.visibleObjects(in: server.store)
        let history = server.history.withLock { $0 }
        var ledger = users.ledger.withLock { $0 }
        for title in try recreatedByDecision() { ledger.revive(title) }
        var logs: [String: [Set<String>]] = [:]
        var lines: [String] = []
        let disputed = try titlesWithDisputedCounters()
        for object in live {
            let log = object.fields["log"]?.array?.compactMap(\.string) ?? []
            logs[object.title, default: []].append(Set(log))
            // A replica that creates an object again, or sets the state that a user keeps, sends the counter and the
            // array `log` as plain values. A conflict may then take the counter from one side and `log` from the other.
            let isSetAgain = ledger.revivals[object.title] != nil || ledger.excused.contains(object.title)
            let isMixed = isSetAgain && disputed.contains(object.title)
            // One replica has sent an increment without learning its outcome. After a restored backup, another replica
            // sends a state with the increment. The first replica then finds no sign of its request, and sends the
            // increment again. The text of this increment is in `log` only once, because `AddUnique` adds it.
            let isCountedTwice = ledger.excused.contains(object.title) && object.fields["n"]?.int ?? 0 > log.count
            if server.tables == nil, object.fields["n"]?.int != log.count, !isMixed, !isCountedTwice {
                lines.append(
                    "\(object.title) has the count \(object.fields["n"]?.jsonText ?? "nothing") but \(log.count) marks")
            }
        }
        if server.tables != nil {
            var counts: [String: [Int]] = [:]
            for object in live { counts[object.title, default: []].append(object.fields["n"]?.int ?? 0) }
            lines += ledger.incrementViolations(of: counts, history, disputed)
        }
        let recorded = try recorded(ledger)
        lines += ledger.violations(
            against: history, live: logs, recorded: recorded, disputed: disputed,
            mayHide: server.settings.mayReturnEmptyLists, assignsIds: !server.settings.allowsChosenIds)
        lines += try relationViolations(ledger, history, logs, recorded) + (try unfoundedDecisions(ledger))
        lines += authorViolations(ledger, history) + ledger.brokenPromises(history)
        // Two objects may have one title in three cases: users recreated an object while the server could return empty
        // lists, a data fault has damaged it, or several parties (replicas or users of the server) may have recreated it.
        for (title, copies) in logs.sorted(by: { $0.key < $1.key })
        where copies.count > 1 && !(server.settings.mayReturnEmptyLists && ledger.revivals[title] != nil)
            && !ledger.excused.contains(title)
            && !ledger.mayBeRecreatedTwice(title, history, assignsIds: !server.settings.allowsChosenIds)
        {
            lines.append("\(title) exists \(copies.count) times on the server")
        }
        return lines + LostUpdates(ledger, history, records: try records(), unpulled: unpulledFields).findings()
    }

    /// Returns a line for each value that the server first received under the session of another user than its author.
    private func authorViolations(_ ledger: Ledger, _ history: ServerHistory) -> [String] {
        ledger.entries.compactMap { entry in
            guard let author = entry.author else { return nil }
            let (field, value): (String, String)
            switch entry.operation {
            case .create: (field, value) = ("title", entry.title)
            case .set(let name, let text): (field, value) = (name, text)
            case .count(let mark): (field, value) = ("log", mark)
            default: return nil
            }
            guard let writer = history.writer(of: value, in: field, of: entry.title), writer.author != author else {
                return nil
            }
            return
                "\(entry.title).\(field) = \(value) was written by \(author) and reached the server from \(writer.party) as \(writer.author ?? "the master key")"
        }
    }

    /// Returns a line for each conflict that a policy settled for the wrong side. A conflict counts as settled by a policy if it
    /// was settled in the millisecond in which it was found, with these exceptions:
    /// - Conflicts that a user decided, or whose object a data fault has damaged.
    /// - Remote deletions of objects that users of the replica kept when they decided about a held removal.
    /// - Conflicts of objects that users of the replica deleted, if the policy leaves the decision to a user.
    private func unfoundedDecisions(_ ledger: Ledger) throws -> [String] {
        try replicas.flatMap { replica in
            let deleted = ledger.deletedTitles(by: replica.name)
            let kept = ledger.keptTitles(at: replica.name)
            let settled = try replica.process?.store.decisions.conflicts(resolved: true, as: .master) ?? []
            return settled.compactMap { conflict -> String? in
                // Whether a conflict about the outcome of a request for the same object was open when this conflict was found.
                // If so, the engine settles a conflict about fields at once: under the policy `manual`, for the local side.
                let isBesideAQuestion = settled.contains { other in
                    guard other.kind.concernsOutcome, other.className == conflict.className,
                        other.objectId == conflict.objectId, other.id < conflict.id
                    else { return false }
                    let resolvedAt = other.resolvedAt ?? conflict.foundAt
                    // The other conflict was open until `resolvedAt`. If `resolvedAt` is before `other.foundAt`, the replica's
                    // clock was set back, so the other conflict may have been open.
                    return resolvedAt < other.foundAt || replica.clock.mayPrecede(conflict.foundAt, resolvedAt)
                }
                guard conflict.resolvedAt == conflict.foundAt, let resolution = conflict.resolution,
                    [.fields, .deletedRemotely, .deletedLocally].contains(conflict.kind),
                    // A conflict without local changes needs no decision: its record only tells that the server lacks
                    // an object that it has acknowledged and never shown.
                    conflict.local != conflict.base,
                    resolution == "local" || resolution == "remote",
                    // A user may decide in the same millisecond in which the conflict was found, because the clock of a
                    // run can stand still.
                    !ledger.isDecided(conflict.id, at: replica.name),
                    !ledger.excused.contains(where: { conflict.names($0) })
                else { return nil }
                let side = Self.side(of: replica.settings.policy, conflict.kind, isBesideAQuestion: isBesideAQuestion)
                // If a user keeps an object of a removal that waits for a decision, this settles its conflict, too.
                if conflict.kind == .deletedRemotely, resolution == "local",
                    kept.contains(where: { conflict.names($0) })
                {
                    return nil
                }
                if resolution == side || side == nil && deleted.contains(where: { conflict.names($0) }) { return nil }
                return "\(replica.name) settled \(conflict.kind.rawValue) of \(conflict.className)/"
                    + "\(conflict.objectId) for \(resolution), although the policy is \(replica.settings.policy.rawValue)"
            }
        }
    }

    /// The side that wins under a policy, `local` or `remote`; nil if a user has to decide.
    private static func side(
        of policy: ConflictPolicy, _ kind: ConflictKind, isBesideAQuestion: Bool
    ) -> String? {
        switch (policy, kind) {
        case (.manual, .fields) where isBesideAQuestion: "local"
        case (.local, .fields), (.merge, .fields), (.local, .deletedRemotely), (.local, .deletedLocally): "local"
        case (.remote, .fields), (.remote, .deletedRemotely), (.remote, .deletedLocally): "remote"
        default: nil
        }
    }

    private func relationViolations(
        _ ledger: Ledger, _ history: ServerHistory, _ logs: [String: [Set<String>]],
        _ recorded: Set<Ledger.Mention>
    ) throws -> [String] {
        let once = logs.filter {
            $1.count == 1 && history.createCounts[$0, default: 0] == 1 && ledger.revivals[$0] == nil
        }
        var members: [String: Set<String>] = [:]
        for (owner, ids) in try relationMembers(in: server.store) {
            guard let title = history.title(of: owner) else { continue }
            members[title] = Set(ids.compactMap { history.title(of: $0) })
        }
        return ledger.relationViolations(members, live: Set(once.keys), recorded: recorded)
    }

    /// Those of the fields `a` and `b` that a replica does not pull, by the replica's name. Users of the replica may set these
    /// fields without having read them.
    private var unpulledFields: [String: Set<String>] {
        var fields: [String: Set<String>] = [:]
        for replica in replicas {
            guard let keys = replica.settings.keys else { continue }
            fields[replica.name] = Set(ServerHistory.setFields).subtracting(keys)
        }
        return fields
    }

    /// The replicas' records of all conflicts, open and settled.
    private func records() throws -> LostUpdates.Records {
        var records = LostUpdates.Records()
        for replica in replicas {
            guard let store = replica.process?.store else { continue }
            for conflict in try store.decisions.conflicts(resolved: true, as: .master)
                + store.decisions.conflicts(resolved: false, as: .master)
            {
                records.add(conflict, of: replica.name)
            }
        }
        return records
    }

    /// Adds the replicas' conflict records to the trace of the run, to help find the cause of a finding.
    func traceRecords() throws {
        for replica in replicas {
            guard let store = replica.process?.store else { continue }
            for conflict in try store.decisions.conflicts(resolved: true, as: .master)
                + store.decisions.conflicts(resolved: false, as: .master)
            {
                trace.note(
                    "\(replica.name) recorded \(conflict.kind.rawValue) \(conflict.fields), "
                        + "\(conflict.resolution ?? "open"): \(conflict.local ?? "nothing") over "
                        + "\(conflict.base ?? "nothing"), there \(conflict.remote ?? "nothing")")
            }
        }
    }

    /// The local values and deletions that the replicas have discarded, according to their conflict records.
    private func recorded(_ ledger: Ledger) throws -> Set<Ledger.Mention> {
        var found: Set<Ledger.Mention> = []
        for replica in replicas {
            for conflict in try replica.process?.store.decisions.conflicts(resolved: true, as: .master) ?? [] {
                guard conflict.resolution == "remote" else {
                    found.formUnion(writesToASecondCopy(conflict, at: replica))
                    found.formUnion(replacedMarks(conflict, ledger))
                    continue
                }
                let known = [conflict.local, conflict.base, conflict.remote].compactMap { $0 }
                    .compactMap { try? JSONReader.read($0).object }
                guard let title = known.compactMap({ $0["title"]?.string }).first else { continue }
                if conflict.kind == .deletedLocally {
                    found.insert(Ledger.Mention(party: replica.name, title: title, what: "deletion"))
                }
                // The remote deletion won, so the local changes of the object's relation were discarded.
                if conflict.kind == .deletedRemotely {
                    found.insert(
                        Ledger.Mention(
                            party: replica.name, title: title, what: "\(ServerHistory.relationField)="))
                }
                for (field, value) in conflict.local.flatMap({ try? JSONReader.read($0).object }) ?? [:] {
                    if let pointer = Pointer(value) {
                        let target = self.title(of: pointer, at: replica) ?? pointer.objectId
                        found.insert(Ledger.Mention(party: replica.name, title: title, what: "\(field)=\(target)"))
                    }
                    if let content = ServerHistory.content(ofFile: value) {
                        found.insert(
                            Ledger.Mention(party: replica.name, title: title, what: "\(field)=\(content)"))
                    }
                    for text in value.array?.compactMap(\.string) ?? [value.string].compactMap({ $0 }) {
                        found.insert(
                            Ledger.Mention(party: replica.name, title: title, what: "\(field)=\(text)"))
                    }
                }
            }
        }
        return found
    }

    /// The values and `log` texts that this replica has written to a second copy of the object: they are in the remote
    /// state of a conflict that the local state has won.
    private func writesToASecondCopy(_ conflict: ListedConflict, at replica: SimulatedReplica) -> [Ledger.Mention] {
        guard conflict.kind == .fields, let state = conflict.remote.flatMap({ try? JSONReader.read($0).object }),
            let title = state["title"]?.string
        else { return [] }
        return conflict.fields.flatMap { field -> [Ledger.Mention] in
            let texts = field == "log" ? state[field]?.array?.compactMap(\.string) : state[field]?.string.map { [$0] }
            return (texts ?? []).map { Ledger.Mention(party: replica.name, title: title, what: "\(field)=\($0)") }
        }
    }

    /// The `log` texts of all users that a replica has replaced and its conflict record keeps: they are in the remote
    /// state of a conflict that the local state has won, and the local state sets the whole `log`. There are two cases:
    /// - The removal of the object waited for a decision, and a user keeps the object after a restore.
    /// - A user has answered that another client has created the object under the id of a create without an answer. The
    ///   create is then sent as an edit of that object.
    private func replacedMarks(_ conflict: ListedConflict, _ ledger: Ledger) -> [Ledger.Mention] {
        guard conflict.fields.contains("log"),
            let state = conflict.remote.flatMap({ try? JSONReader.read($0).object }), let title = state["title"]?.string
        else { return [] }
        let isKept = conflict.kind == .fields && ledger.excused.contains(title)
        let isEdited =
            conflict.kind == .ambiguousCreate && conflict.resolution == "sendAgain"
            && state["objectId"]?.string == conflict.objectId
        guard isKept || isEdited else { return [] }
        let parties = Set(ledger.entries.map(\.party))
        return (state["log"]?.array ?? []).compactMap(\.string).flatMap { mark in
            parties.map { Ledger.Mention(party: $0, title: title, what: "log=\(mark)") }
        }
    }

    /// The title of a pointer's target; nil if the target is unknown. The pointer may hold an id that only this replica knows.
    private func title(of pointer: Pointer, at replica: SimulatedReplica) -> String? {
        let here = (try? replica.process?.store.objects.object(pointer.className, pointer.objectId, as: .master))
            .flatMap { $0 }
        let object = here.flatMap { try? JSONReader.read($0.json).object }
        return object?["title"]?.string ?? server.history.withLock { $0.title(of: pointer.objectId) }
    }

    /// The titles of objects with a settled conflict about the counter `n` or the array `log`.
    private func titlesWithDisputedCounters() throws -> Set<String> {
        var titles: Set<String> = []
        for replica in replicas {
            for conflict in try replica.process?.store.decisions.conflicts(resolved: true, as: .master) ?? []
            where conflict.kind == .fields && !Set(conflict.fields).isDisjoint(with: ["n", "log"]) {
                for side in [conflict.local, conflict.remote] {
                    guard let side, let title = try? JSONReader.read(side).object?["title"]?.string else { continue }
                    titles.insert(title)
                }
            }
        }
        return titles
    }

    /// The titles of remotely deleted objects that a policy or a user decided to recreate, once for each decision.
    private func recreatedByDecision() throws -> [String] {
        try replicas.flatMap { replica in
            try (replica.process?.store.decisions.conflicts(resolved: true, as: .master) ?? []).compactMap { conflict in
                guard conflict.kind == .deletedRemotely, ["local", "merge"].contains(conflict.resolution) else {
                    return nil
                }
                return conflict.local.flatMap { try? JSONReader.read($0).object }?["title"]?.string
            }
        }
    }
}

extension ListedConflict {
    /// Whether the local, base or remote state of the object in this conflict has the given title.
    fileprivate func names(_ title: String) -> Bool {
        [local, base, remote].contains {
            $0.flatMap { try? JSONReader.read($0).object }?["title"]?.string == title
        }
    }
}
