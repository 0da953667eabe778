import ParseModel

/// Replaces the local id of an object by the id that the remote has given it.
enum RemoteId {
    /// Gives the object the remote's id. If a pull has already stored an object under this id, the two objects are
    /// merged, with the edits of both.
    /// - Parameter keepsBase: whether the merged object keeps the last known remote state of this object; false for
    ///   that of the pulled object.
    static func adopt(_ remoteId: String, keepsBase: Bool = false, _ transition: inout Transition) {
        let local = transition.life.pointer
        let remote = Pointer(className: local.className, objectId: remoteId)
        if let pulled = transition.context.other, pulled.objectId == remoteId {
            absorb(pulled, keepsBase: keepsBase, &transition)
        }
        transition.emit(.renamed(from: local.objectId, to: remoteId))
        transition.life.objectId = remoteId
        let idFields = transition.context.options.idFields
        let replacement: (Pointer) -> Pointer = { $0 == local ? remote : $0 }
        transition.life.replacePointers(idFields, replacement)
        if let base = transition.life.base {
            let fields = JSONValue.object(base.fields).replacingPointers(replacement).object ?? base.fields
            transition.life.base?.fields = idFields.replacingIds(in: fields, replacement)
        }
    }

    private static func absorb(_ pulled: ObjectLife, keepsBase: Bool, _ transition: inout Transition) {
        if let base = pulled.base, !keepsBase {
            recordOverwriting(of: base, &transition)
            transition.life.base = base
            if !pulled.baseIsProvisional { transition.life.baseStanding = .edited }
        }
        recordOverwriting(of: pulled, &transition)
        transition.life.conflict = transition.life.conflict ?? pulled.conflict
        transition.life.steps = (transition.life.steps + pulled.steps).sorted {
            ($0.seq ?? .max) < ($1.seq ?? .max)
        }
        // One object has had two ids, and each may have pending changes. An edit under one id revokes an earlier
        // deletion under the other id.
        let edited = transition.life.steps.lastIndex { $0.step.kind == .update } ?? 0
        for index in transition.life.steps[..<edited].indices.reversed()
        where transition.life.steps[index].step.kind == .delete && !transition.life.steps[index].step.phase.isFrozen {
            transition.life.steps.remove(at: index)
        }
        transition.emit(.absorbed(objectId: pulled.objectId))
    }

    /// Records a conflict if the pulled row and the local changes have set the same fields to different values. The
    /// local values win, and the conflict record keeps the remote values.
    private static func recordOverwriting(of base: ObjectState, _ transition: inout Transition) {
        let life = transition.life
        guard let known = life.base else { return }
        let local = Replay.view(base: known, steps: life.steps.map(\.step), className: life.className)
        let fields = Set(life.steps.flatMap(\.step.operations.fields)).filter {
            known.fields[$0] != base.fields[$0] && local?.fields[$0] != base.fields[$0]
        }.sorted()
        guard !fields.isEmpty else { return }
        transition.record(.fields, fields: fields, base: known, local: local, remote: base, resolution: .local)
    }

    /// One of two local objects that are merged because the remote gives both the same id.
    private struct Side {
        let base: ObjectState?
        let view: ObjectState?
        let steps: [ObjectLife.Step]
    }

    /// Two local objects are merged. Records a conflict for each value of one object that a later change of the other
    /// object replaces.
    private static func recordOverwriting(of pulled: ObjectLife, _ transition: inout Transition) {
        let life = transition.life
        let view = Replay.view(base: life.base, steps: life.steps.map(\.step), className: life.className)
        let own = Side(base: life.base, view: view, steps: life.steps)
        let other = Side(base: pulled.base, view: pulled.view, steps: pulled.steps)
        recordOverwriting(of: other, by: own, &transition)
        recordOverwriting(of: own, by: other, &transition)
    }

    /// Records a conflict if a pending step of `winner` sets a field that an earlier step of `loser` has changed. The
    /// value of `winner` wins, and the conflict record keeps the values of `loser`. Edits merge into a step, so an
    /// earlier step may contain the later edit.
    private static func recordOverwriting(of loser: Side, by winner: Side, _ transition: inout Transition) {
        var fields: Set<String> = []
        for step in loser.steps {
            for field in step.step.operations.fields {
                let isSetLater = winner.steps.contains {
                    $0.step.operations[field]?.isIdempotent == true && ($0.seq ?? .max) > (step.seq ?? .max)
                }
                let isRelative = step.step.operations[field]?.isIdempotent == false
                let differs = winner.view?.fields[field] != loser.view?.fields[field]
                if isSetLater, isRelative || differs { fields.insert(field) }
            }
        }
        guard !fields.isEmpty else { return }
        transition.record(
            .fields, fields: fields.sorted(), base: loser.base, local: winner.view, remote: loser.view,
            resolution: .local)
    }
}
