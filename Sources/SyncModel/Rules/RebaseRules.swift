import ParseModel

/// The rules for an object with pending changes whose remote row has changed.
///
/// Operations that are not idempotent, such as increments, never conflict with remote edits.
package enum RebaseRules {
    /// A rule that decides about an object's pending changes. `remote` is the object's current row; nil if the object
    /// is missing.
    package typealias Rebase =
        @Sendable (_ life: ObjectLife, _ remote: RemoteRecord?, _ context: LifeContext) -> RebaseAction

    package static let decide: Rebase = { life, remote, context in
        // A request of the object has no known outcome yet. The outcome is judged against the base (the last known
        // remote state) from before the request, so the base must not change.
        if life.steps.contains(where: { $0.step.phase.isFrozen }) { return .keep }
        let policy = context.options.policy
        guard let remote else { return absence(of: life, policy) }
        let createVerdict = life.sentCreate(context)?.verdict(on: remote)
        if createVerdict == .unprovable { return .openConflict(.ambiguousCreate) }
        // A conflict about a local deletion stays open. The base already contains the remote edit that opened the
        // conflict, so a comparison with the base would find no edit.
        let open = life.conflict?.kind
        if open == .deletedLocally { return .openConflict(.deletedLocally) }
        // The first step is a deletion if the create was rejected. The remote may have executed the create all the
        // same: the rejection may be the answer to a repeated request. If another client has edited such a row, the
        // edit conflicts with the deletion.
        if life.base == nil, life.steps.first?.step.kind == .delete, remote.updatedAt != remote.createdAt {
            return deletedHere(policy)
        }
        guard let base = life.base ?? unseenBase(of: life, remote, createVerdict) else {
            return open == .fields ? .openConflict(.fields) : .replay
        }
        if open == .fields {
            return .openConflict(.fields, fields: disputed(life, base: base, remote: remote, createVerdict))
        }
        // The base (the last known remote state) may come from an acknowledgement, which lacks earlier edits of other
        // clients. A row with the version or `updatedAt` of such a base can still contain these edits.
        let isSameRow = base.version.map { $0 == remote.version } ?? (base.updatedAt == remote.updatedAt)
        // After a relation field was added to a class, every row of the class has the field. Its appearance is no edit
        // of the row.
        let isEdit =
            isSameRow
            ? !remote.fields.withoutRelations.isSameOnRemote(as: base.fields.withoutRelations)
            : base.fields != remote.fields
        guard isEdit else { return .replay }
        if life.endsInDelete { return deletedHere(policy) }
        let fields = disputed(life, base: base, remote: remote, createVerdict)
        return fields.isEmpty ? .replay : editedByBoth(fields, policy)
    }

    /// The state to compare an object's first remote row with, while the create of the object is pending and no remote
    /// state is known. If the create produced the row, this is the state that the create made. If another client
    /// created the row, this state has no fields.
    /// - Returns: nil if the first step is not a create, or if the create produced the row and the row has no later
    ///   edit.
    private static func unseenBase(
        of life: ObjectLife, _ remote: RemoteRecord, _ verdict: SentCreate.Verdict?
    ) -> ObjectState? {
        guard let create = life.steps.first?.step, create.kind == .create else { return nil }
        guard verdict == .own else {
            return ObjectState(createdAt: remote.createdAt, updatedAt: remote.createdAt, fields: JSONObject())
        }
        guard !create.isUneditedResult(remote) else { return nil }
        return Replay.view(base: nil, steps: [create], className: life.className)
    }

    private static func absence(of life: ObjectLife, _ policy: ConflictPolicy) -> RebaseAction {
        if life.base == nil { return .keep }
        if life.endsInDelete { return .remove }
        return switch policy {
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

    /// The fields in dispute: a pending step sets or deletes the field, and the remote has changed it to a different
    /// value since the last known remote state. Each field is listed once.
    private static func disputed(
        _ life: ObjectLife, base: ObjectState, remote: RemoteRecord, _ verdict: SentCreate.Verdict?
    ) -> [String] {
        let local = Replay.view(base: base, steps: life.steps.map(\.step), className: life.className)
        // Relation fields are not compared, because changes of relation members never conflict.
        let (before, now) = (base.fields.withoutRelations, remote.fields.withoutRelations)
        var fields: [String] = []
        var known: Set<String> = []
        // If the create produced the row, the row contains the create's values, so the create disputes no field.
        for step in life.steps.map(\.step) where !(step.kind == .create && verdict == .own) {
            for field in step.operations.fields where !known.contains(field) {
                guard step.operations[field]?.isIdempotent == true,
                    !(before[field] ?? .null).isSameColumnText(as: now[field] ?? .null),
                    !(local?.fields[field] ?? .null).isSameOnRemote(as: remote.fields[field] ?? .null)
                else { continue }
                fields.append(field)
                known.insert(field)
            }
        }
        return fields
    }
}

/// The decision about an object's pending changes after its remote row has changed.
package enum RebaseAction: Sendable, Hashable {
    /// The row becomes the last known remote state, and the pending changes are applied on top of it.
    case replay
    /// The class's policy decides the conflict for one side, and the decision is recorded. The row, if any, becomes the
    /// last known remote state.
    /// - Parameter fields: the fields that both sides changed; empty if one side deleted the object.
    case settle(ConflictKind, fields: [String] = [], by: Side)
    /// A conflict opens or stays open, and the pending changes wait for a decision. The row, if any, becomes the last
    /// known remote state.
    case openConflict(ConflictKind, fields: [String] = [])
    /// The object and its pending changes are removed: the remote does not have the object, and no local edit would be
    /// lost.
    case remove
    /// Nothing changes.
    case keep
}

extension JSONObject {
    /// The fields without relations. A row shows no members of a relation, and a relation field can appear or vanish
    /// without an edit.
    fileprivate var withoutRelations: JSONObject {
        JSONObject(filter { !$0.value.isRelation }.map { ($0.key, $0.value) })
    }

    /// Whether every field has the same value in both states, apart from the URLs of files and from types that a changed
    /// `ClassMapping` gives to the same text. An absent field counts as null.
    fileprivate func isSameOnRemote(as other: JSONObject) -> Bool {
        (keys + other.keys).allSatisfy { field in
            let (value, otherValue) = (self[field] ?? .null, other[field] ?? .null)
            return value.isSameOnRemote(as: otherValue) || value.isSameColumnText(as: otherValue)
        }
    }
}

extension JSONValue {
    var isRelation: Bool {
        if case .relation = FieldType(of: self) { true } else { false }
    }
}
