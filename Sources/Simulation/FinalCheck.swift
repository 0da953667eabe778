import LocalStore
import ParseModel
import RemoteService
import SyncModel

/// What is compared when everything has settled.
struct FinalCheck {
    let replicas: [SimulatedReplica]
    let server: SimulatedServer
    let users: SimulatedUsers
    let kind: SeedKind
    let dataFault: DataFault?
    let trace: Trace

    func stateDifferences() throws -> [String] {
        var lines: [String] = []
        for replica in replicas {
            guard let store = replica.process?.store else { continue }
            let all = try objects(of: store) { _, object in object }
            // A known fault: a tombstone that comes while it is asked whether a change was applied is passed over.
            let ignoredIds = kind == .tables ? try replica.idsOfAppliedQuestions() : []
            let here = try all.filter { key, _ in try !ignoredIds.contains(key) || exists(key) }
            let there = try objects(of: server.store) { replica.settings.shown($1, of: $0) }
            // That a class has a relation is no news of its objects; who the members are is compared below.
            lines += Self.differences(
                try here.mapValues(Self.comparable), try there.mapValues(Self.comparable),
                "\(replica.name) and the server")
            lines += Self.differences(replica.mirror, all, "\(replica.name)'s feed and its objects")
            if replica.settings.keys != nil { continue }
            let (friendsHere, friendsThere) = (try relationMembers(in: store), try relationMembers(in: server.store))
            // Who is deleted stays a member on the server, unseen, and is one again when it is made again.
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

    /// - Parameter key: `Class/objectId`.
    private func exists(_ key: String) throws -> Bool {
        let parts = key.split(separator: "/", maxSplits: 1).map(String.init)
        return try server.store.object(parts[0], parts[1]) != nil
    }

    /// The address of a file is the one that a replica has it from, which the server does not keep.
    private static func comparable(_ text: String) throws -> String {
        guard var object = try JSONReader.read(text, depthMax: JSONReader.storedDepthMax).object else { return text }
        object[ServerHistory.relationField] = nil
        if let name = object[ServerHistory.fileField]?.object?["name"] { object[ServerHistory.fileField] = name }
        return object.jsonText
    }

    /// The members of each note's relation, by id.
    private func relationMembers(in store: LocalStore) throws -> [String: [String]] {
        var friends: [String: [String]] = [:]
        for note in try store.find("Note", ParseQuery(limit: 10_000)).objects {
            let conditions: JSONValue = [
                "$relatedTo": [
                    "object": Pointer(className: "Note", objectId: note.objectId).json, "key": .string("friends"),
                ]
            ]
            let query = try ParseQuery(parameters: ["where": conditions, "order": "objectId", "limit": 1000])
            friends[note.objectId] = try store.find("Place", query).objects.map(\.objectId)
        }
        return friends
    }

    private func objects(
        of store: LocalStore, _ shown: (_ className: String, JSONObject) -> JSONObject?
    ) throws -> [String: String] {
        var objects: [String: String] = [:]
        for className in SimulatedReplica.classes {
            for object in try store.find(className, ParseQuery(limit: 10_000)).objects {
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
        for object in live {
            let log = object.fields["log"]?.array?.compactMap(\.string) ?? []
            logs[object.title, default: []].append(Set(log))
            // Whoever makes an object again sets its fields, each as it is known there.
            if object.fields["n"]?.int != log.count, ledger.revivals[object.title] == nil {
                lines.append(
                    "\(object.title) counts \(object.fields["n"]?.jsonText ?? "nothing") and has \(log.count) marks")
            }
        }
        // A restored server has lost the files that were uploaded since its backup, and no file is uploaded twice.
        if dataFault == .restoredBackup { ledger.excuseFiles() }
        lines += ledger.violations(against: history, live: logs, recorded: try recorded())
        lines += try relationViolations(ledger, history, logs) + (try unfoundedDecisions(ledger))
        // A create that arrives late was sent before the objects of others were there. A server that shows nothing for a while has
        // the objects still that users make again.
        for (title, copies) in logs.sorted(by: { $0.key < $1.key })
        where copies.count > 1 && !server.settings.mayReturnEmptyLists && !history.createdLate.contains(title)
            && !ledger.excused.contains(title)
        {
            lines.append("\(title) is there \(copies.count) times")
        }
        // A party that reads a lagging copy overwrites the changes that it lacks.
        if dataFault == .laggingLists { return lines }
        return lines + LostUpdates(ledger, history, records: try records(), unpulled: unpulledFields).findings()
    }

    /// Conflicts that were settled when they were found, and not as the class's policy says. Who deletes an object has decided
    /// about it too, and a restored server settles by other rules.
    private func unfoundedDecisions(_ ledger: Ledger) throws -> [String] {
        guard dataFault == nil else { return [] }
        return try replicas.flatMap { replica in
            let deleted = ledger.deletedTitles(by: replica.name)
            let settled = try replica.process?.store.conflicts(resolved: true) ?? []
            return settled.compactMap { conflict -> String? in
                // While a question about the object was open, local work stayed, and the record shows what it replaced.
                let isBesideAQuestion = settled.contains { other in
                    other.kind.isAboutOwnRequest && other.className == conflict.className
                        && other.objectId == conflict.objectId && other.foundAt <= conflict.foundAt
                        && conflict.foundAt <= other.resolvedAt ?? conflict.foundAt
                }
                if isBesideAQuestion { return nil }
                guard conflict.resolvedAt == conflict.foundAt, let resolution = conflict.resolution,
                    [.fields, .deletedRemotely, .deletedLocally].contains(conflict.kind),
                    resolution == "local" || resolution == "remote",
                    resolution != Self.side(of: replica.settings.policy, conflict.kind),
                    !deleted.contains(where: { conflict.names($0) })
                else { return nil }
                return "\(replica.name) has settled \(conflict.kind.rawValue) by itself as \(resolution), "
                    + "under the policy \(replica.settings.policy.rawValue)"
            }
        }
    }

    /// The side for which a policy decides; nil where a person has to.
    private static func side(of policy: ConflictPolicy, _ kind: ConflictKind) -> String? {
        switch (policy, kind) {
        case (.local, .fields), (.merge, .fields), (.local, .deletedRemotely), (.local, .deletedLocally): "local"
        case (.remote, .fields), (.remote, .deletedRemotely), (.remote, .deletedLocally): "remote"
        default: nil
        }
    }

    private func relationViolations(
        _ ledger: Ledger, _ history: ServerHistory, _ logs: [String: [Set<String>]]
    ) throws -> [String] {
        let once = logs.filter {
            $1.count == 1 && history.createCounts[$0, default: 0] == 1 && ledger.revivals[$0] == nil
        }
        var members: [String: Set<String>] = [:]
        for (owner, ids) in try relationMembers(in: server.store) {
            guard let title = history.title(of: owner) else { continue }
            members[title] = Set(ids.compactMap { history.title(of: $0) })
        }
        return ledger.relationViolations(members, live: Set(once.keys))
    }

    /// The fields that a replica does not pull, and so may set without having seen them.
    private var unpulledFields: [String: Set<String>] {
        var fields: [String: Set<String>] = [:]
        for replica in replicas {
            guard let keys = replica.settings.keys else { continue }
            fields[replica.name] = Set(ServerHistory.setFields).subtracting(keys)
        }
        return fields
    }

    /// What the replicas' records of conflicts show, open or not.
    private func records() throws -> LostUpdates.Records {
        var records = LostUpdates.Records()
        for replica in replicas {
            guard let store = replica.process?.store else { continue }
            for conflict in try store.conflicts(resolved: true) + store.conflicts(resolved: false) {
                records.add(conflict, of: replica.name)
            }
        }
        return records
    }

    /// The records of the replicas, among which the cause of a finding is looked for.
    func traceRecords() throws {
        for replica in replicas {
            guard let store = replica.process?.store else { continue }
            for conflict in try store.conflicts(resolved: true) + store.conflicts(resolved: false) {
                trace.note(
                    "\(replica.name) has recorded \(conflict.kind.rawValue) \(conflict.fields), "
                        + "\(conflict.resolution ?? "open"): \(conflict.local ?? "nothing") over "
                        + "\(conflict.base ?? "nothing"), there \(conflict.remote ?? "nothing")")
            }
        }
    }

    /// What policies have decided against somebody's work, as the replicas show it.
    private func recorded() throws -> Set<Ledger.Mention> {
        var found: Set<Ledger.Mention> = []
        for replica in replicas {
            for conflict in try replica.process?.store.conflicts(resolved: true) ?? []
            where conflict.resolution == "remote" {
                let known = [conflict.local, conflict.base, conflict.remote].compactMap { $0 }
                    .compactMap { try? JSONReader.read($0).object }
                guard let title = known.compactMap({ $0["title"]?.string }).first else { continue }
                if conflict.kind == .deletedLocally {
                    found.insert(Ledger.Mention(party: replica.name, title: title, what: "deletion"))
                }
                for (field, value) in conflict.local.flatMap({ try? JSONReader.read($0).object }) ?? [:] {
                    if let target = Pointer(value).flatMap({ self.title(of: $0, at: replica) }) {
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

    /// The title of the object that a pointer of a replica leads to, which may have an id of the replica's own.
    private func title(of pointer: Pointer, at replica: SimulatedReplica) -> String? {
        let here = (try? replica.process?.store.object(pointer.className, pointer.objectId)).flatMap { $0 }
        let object = here.flatMap { try? JSONReader.read($0.json).object }
        return object?["title"]?.string ?? server.history.withLock { $0.title(of: pointer.objectId) }
    }

    /// The titles of objects that were gone remotely and that a replica, by its policy or by somebody's word, made again;
    /// each as often as that was decided.
    private func recreatedByDecision() throws -> [String] {
        try replicas.flatMap { replica in
            try (replica.process?.store.conflicts(resolved: true) ?? []).compactMap { conflict in
                guard conflict.kind == .deletedRemotely, ["local", "merge"].contains(conflict.resolution) else {
                    return nil
                }
                return conflict.local.flatMap { try? JSONReader.read($0).object }?["title"]?.string
            }
        }
    }
}

extension LocalStore.Conflict {
    /// Whether one of its sides is the object of a title.
    fileprivate func names(_ title: String) -> Bool {
        [local, base, remote].contains {
            $0.flatMap { try? JSONReader.read($0).object }?["title"]?.string == title
        }
    }
}
