import ParseModel

/// What becomes of pending work when the remote's row under it has changed. Pure.
///
/// Under every policy, operations that commute just replay, and fields that nobody changed here follow the remote.
package enum RebaseRules {
    package static let rebase: Rebase = { situation, remote in
        // The outcome of a request is judged against the base it was made on, so that stays until it is known.
        if situation.steps.contains(where: { $0.phase.isFrozen }) { return .keep }
        guard let remote else { return absence(situation) }
        let createVerdict = situation.sentCreate?.verdict(on: remote)
        if createVerdict == .unprovable { return .openConflict(.ambiguousCreate) }
        // The base has moved on to the edit that the local work is in conflict with; the question stays.
        let open = situation.openConflict
        if open == .deletedLocally { return .openConflict(.deletedLocally) }
        guard let base = situation.base ?? unseenBase(situation, remote, createVerdict) else {
            return open == .fields ? .openConflict(.fields) : .replay
        }
        if open == .fields {
            return .openConflict(.fields, fields: disputed(situation, base: base, remote: remote, createVerdict))
        }
        // What an acknowledgement left unsaid is not another device's edit: the row is still the one that it told of.
        let isSameRow = base.version.map { $0 == remote.version } ?? (base.updatedAt == remote.updatedAt)
        let isOurs = situation.baseIsProvisional && isSameRow
        // Nor is a relation that the class has got since: all its objects show it, and none was changed.
        let isEdit =
            isSameRow
            ? base.fields.withoutRelations != remote.fields.withoutRelations : base.fields != remote.fields
        guard !isOurs, isEdit else { return .replay }
        if situation.steps.last?.kind == .delete { return deletedHere(situation.policy) }
        let fields = disputed(situation, base: base, remote: remote, createVerdict)
        return fields.isEmpty ? .replay : editedByBoth(fields, situation.policy)
    }

    /// What the row of an object that was made here is compared with: what the create has sent, where it has made the row;
    /// nothing, where somebody else has. Nil where nobody has touched the row since.
    private static func unseenBase(
        _ situation: ObjectSituation, _ remote: RemoteRecord, _ verdict: SentCreate.Verdict?
    ) -> ObjectState? {
        guard let create = situation.steps.first, create.kind == .create else { return nil }
        guard verdict == .own else {
            return ObjectState(createdAt: remote.createdAt, updatedAt: remote.createdAt, fields: JSONObject())
        }
        guard remote.updatedAt != remote.createdAt else { return nil }
        return Replay.view(base: nil, steps: [create], className: situation.className)
    }

    private static func absence(_ situation: ObjectSituation) -> RebaseAction {
        if situation.base == nil { return .keep }
        if situation.steps.last?.kind == .delete { return .remove }
        return switch situation.policy {
        case .merge, .manual: .openConflict(.deletedRemotely)
        case .local: .settle(.deletedRemotely, by: .local)
        case .remote: .settle(.deletedRemotely, by: .remote)
        }
    }

    private static func deletedHere(_ policy: ConflictPolicy) -> RebaseAction {
        switch policy {
        case .merge, .manual: .openConflict(.deletedLocally)
        case .local: .settle(.deletedLocally, by: .local)
        case .remote: .settle(.deletedLocally, by: .remote)
        }
    }

    private static func editedByBoth(_ fields: [String], _ policy: ConflictPolicy) -> RebaseAction {
        switch policy {
        case .merge, .local: .settle(.fields, fields: fields, by: .local)
        case .remote: .settle(.fields, fields: fields, by: .remote)
        case .manual: .openConflict(.fields, fields: fields)
        }
    }

    /// The fields that a pending step sets and the remote has set to something else, each once, in order.
    private static func disputed(
        _ situation: ObjectSituation, base: ObjectState, remote: RemoteRecord, _ verdict: SentCreate.Verdict?
    ) -> [String] {
        let local = Replay.view(base: base, steps: situation.steps, className: situation.className)
        var fields: [String] = []
        var known: Set<String> = []
        // A create that has arrived is in the row already.
        for step in situation.steps where !(step.kind == .create && verdict == .own) {
            for field in step.operations.fields where !known.contains(field) {
                guard step.operations[field]?.isIdempotent == true, base.fields[field] != remote.fields[field],
                    local?.fields[field] != remote.fields[field]
                else { continue }
                fields.append(field)
                known.insert(field)
            }
        }
        return fields
    }
}

extension JSONObject {
    fileprivate var withoutRelations: JSONObject {
        JSONObject(
            filter {
                if case .relation = FieldType(of: $0.value) { false } else { true }
            }.map { ($0.key, $0.value) })
    }
}
