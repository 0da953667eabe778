import ParseModel
import RemoteService

/// What becomes of pending work when the remote's row under it has changed. Pure.
enum RebaseRules {
    /// The policy `merge`: for a field that both changed the local operation wins, other fields follow the remote,
    /// commutative operations just replay. Between an edit and a deletion a person decides.
    static let merge: Rebase = { situation, remote in
        // The outcome of a request is judged against the base it was made on, so that stays until it is known.
        if situation.steps.contains(where: { $0.phase.isFrozen }) { return .keep }
        guard let remote else { return absence(situation) }
        // The base has moved on to the edit that the deletion is in conflict with; the question stays.
        if situation.openConflict == .deletedLocally { return .openConflict(.deletedLocally) }
        guard let base = situation.base else { return .replay(overridden: []) }
        // What an acknowledgement left unsaid is not another device's edit.
        let isNews = !situation.baseIsProvisional
        if situation.steps.last?.kind == .delete {
            return isNews && base.fields != remote.fields
                ? .openConflict(.deletedLocally) : .replay(overridden: [])
        }
        return .replay(overridden: isNews ? overridden(situation, base: base, remote: remote) : [])
    }

    private static func absence(_ situation: ObjectSituation) -> RebaseAction {
        if situation.base == nil { return .keep }
        return situation.steps.last?.kind == .delete ? .remove : .openConflict(.deletedRemotely)
    }

    private static func overridden(
        _ situation: ObjectSituation, base: ObjectState, remote: RemoteRecord
    ) -> [String] {
        let local = Replay.view(base: base, steps: situation.steps, className: situation.className)
        var fields: [String] = []
        for step in situation.steps {
            for field in step.operations.fields where !fields.contains(field) {
                guard step.operations[field]?.isIdempotent == true, base.fields[field] != remote.fields[field],
                    local?.fields[field] != remote.fields[field]
                else { continue }
                fields.append(field)
            }
        }
        return fields
    }
}
