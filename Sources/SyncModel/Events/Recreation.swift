import ParseModel

/// Creates objects again that were deleted on the remote. Several replicas may create the same object again.
enum Recreation {
    /// Replaces the object's pending steps by a create with all fields of `state`. If `state` is nil, only drops the
    /// base (the last known remote state) and the steps. The create belongs to the author of the first step or, without
    /// steps, to the author of the event. The changes of other authors follow the create.
    static func createAgain(as state: ObjectState?, _ transition: inout Transition) {
        let author = transition.stepAuthor
        let divided = state.map { parts(of: $0, transition.life) }
        transition.life.steps = []
        transition.life.base = nil
        transition.life.baseIsProvisional = false
        transition.emit(.mayReappear)
        guard let (state, others) = divided else { return }
        var operations = FieldOperations()
        // A null in a row means that the column has no value, so there is no value to send.
        for (field, value) in state.fields where !value.isRelation && !value.isNull { operations[field] = .set(value) }
        add(transition.context.members, besides: others, to: &operations)
        transition.life.append(
            PendingStep(
                kind: .create, by: author, operations: operations, madeAt: state.createdAt,
                editedAt: transition.context.now, idMayBeTaken: true, isRecreate: true), transition.context)
        for step in others { transition.life.append(step, transition.context) }
    }

    /// Splits the pending steps at the first step of another author than the first step's. Returns the object's state
    /// after the steps before that point, and the steps from that point on.
    /// - Parameter state: the state after all steps.
    private static func parts(of state: ObjectState, _ life: ObjectLife) -> (ObjectState, others: [PendingStep]) {
        let own = life.steps.prefix { $0.step.author == life.steps.first?.step.author }.map(\.step)
        guard own.count < life.steps.count,
            let made = Replay.view(base: life.base, steps: own, className: life.className)
        else { return (state, []) }
        return (made, life.steps.dropFirst(own.count).map(\.step))
    }

    /// Adds the present members of relations to the operations of a create or an update. Leaves out the members that
    /// later steps add.
    private static func add(
        _ members: FieldOperations, besides others: [PendingStep], to operations: inout FieldOperations
    ) {
        for (field, change) in members.relationChanges {
            let later = others.flatMap { step in step.operations.relationChanges.filter { $0.field == field } }
            let addedLater = Set(later.flatMap(\.change.added))
            let added = change.added.filter { !addedLater.contains($0) }
            if !added.isEmpty {
                operations[field] = .relation(RelationChange(memberClass: change.memberClass, added: added))
            }
        }
    }

    /// Creates an object again that the remote has lost. If a client has deleted the object, its deletion is sent
    /// instead.
    static func createAgain(_ transition: inout Transition) {
        guard let visible = Self.visibleState(&transition) else { return Pulled.noteGone(&transition) }
        createAgain(as: visible, &transition)
    }

    /// Adopts the object that another replica has made by creating a deleted object again. The changes of both replicas
    /// since the state before the deletion are merged. If both replicas have changed the same field, the class's policy
    /// decides.
    static func takeOver(at index: Int, _ record: RemoteRecord, _ transition: inout Transition) {
        // The object's state before its deletion. If that state is not stored, an empty state serves, so that every
        // field counts as changed.
        let ancestor =
            transition.context.ancestor
            ?? ObjectState(createdAt: record.createdAt, updatedAt: record.createdAt, fields: JSONObject())
        let changes = changes(since: ancestor.fields, by: transition.life.steps[index].step.operations)
        let operations = missing(in: record.fields, of: changes)
        if operations.isEmpty || transition.life.endsInDelete {
            transition.life.steps.remove(at: index)
        } else {
            transition.life.steps[index].step.operations = operations
            transition.life.steps[index].step.kind = .update
            transition.life.steps[index].step.phase = .pending
            transition.life.steps[index].step.wasAttempted = false
            transition.life.steps[index].step.idMayBeTaken = false
            transition.life.steps[index].step.isRecreate = false
        }
        transition.life.base = ancestor
        transition.life.baseIsProvisional = false
        if record.objectId != transition.life.objectId {
            RemoteId.adopt(record.objectId, keepsBase: true, &transition)
        }
        meet(record, &transition)
    }

    /// Applies the current row of a remote object that the local object has just adopted.
    static func meet(_ record: RemoteRecord, _ transition: inout Transition) {
        transition.life.replay()
        transition.emit(.rowChanged(record))
        transition.emit(.mayMatchNoPull)
        let row = transition.context.restricted(record)
        if transition.context.options.opField != nil {
            transition.emit(.marksSeen(row.operationMarks.map(JSONValue.string)))
        }
        Pulled.apply(row, &transition)
        // The row may have changed on the remote since it was read, so the next pulled row replaces it.
        if transition.life.baseStanding == .shown { transition.life.baseStanding = .edited }
    }

    /// Closes an open conflict about the outcome of a create that would make a deleted object again and was not sent
    /// yet. A read has found the object on the remote again.
    static func closeOutcomeConflict(_ transition: inout Transition) {
        guard let index = transition.life.steps.firstIndex(where: \.isUnsentRecreate),
            transition.life.steps[index].step.phase == .held, transition.openKind == .ambiguousCreate
        else { return }
        transition.close("superseded")
        transition.life.steps[index].step.wasAttempted = false
    }

    /// Sets the fields again that a restored backup has reverted. Remote edits of other fields since the restore stay.
    /// If a field was changed locally and also on the remote since the restore, the local value wins, and a conflict
    /// record keeps the remote value.
    static func setAgain(_ latest: RemoteRecord, since ancestor: RemoteRecord, _ transition: inout Transition) {
        guard let whole = visibleState(&transition) else { return }
        let (visible, others) = parts(of: whole, transition.life)
        let context = transition.context
        let row = context.restricted(latest).state
        let before = context.restricted(ancestor).fields
        let (known, author) = (transition.life.base, transition.stepAuthor)
        var operations = FieldOperations()
        for field in Set(visible.fields.map(\.key)).union(before.map(\.key)).sorted()
        where operation(for: visible.fields[field]) != operation(for: before[field]) {
            if visible.fields[field]?.isRelation != true { operations[field] = operation(for: visible.fields[field]) }
        }
        add(context.members, besides: others, to: &operations)
        let disputed = operations.fields.filter {
            let there = operation(for: row.fields[$0])
            return there != operation(for: before[$0]) && there != operation(for: visible.fields[$0])
        }
        if !disputed.isEmpty {
            transition.record(
                .fields, fields: disputed, base: known, local: visible, remote: row, resolution: .local)
        }
        transition.life.steps = []
        transition.life.base = row
        transition.life.baseIsProvisional = false
        transition.emit(.rowChanged(latest))
        if !operations.isEmpty {
            transition.life.append(
                PendingStep(kind: .update, by: author, operations: operations, madeAt: context.now), context)
        }
        for step in others { transition.life.append(step, context) }
    }

    /// Closes the object's conflict and returns the object's state with its pending changes.
    /// - Returns: nil if the remote is not known to have the object, or if a client has deleted the object and no
    ///   conflict is open.
    private static func visibleState(_ transition: inout Transition) -> ObjectState? {
        guard transition.life.base != nil, !transition.life.endsInDelete || transition.life.state == .conflict else {
            return nil
        }
        transition.close("local")
        return transition.life.view
    }

    /// The changes that lead from `ancestor`, the state before the deletion, to the values of a create.
    private static func changes(since ancestor: JSONObject, by create: FieldOperations) -> FieldOperations {
        var changes = create
        for field in create.fields where create[field] == ancestor[field].map(FieldOperation.set) {
            changes[field] = nil
        }
        for (field, value) in ancestor where create[field] == nil {
            if !value.isRelation && !value.isNull { changes[field] = .delete }
        }
        return changes
    }

    /// The operation that gives a field this value. A null deletes the field: the rows of tables have a null in each
    /// column without a value.
    private static func operation(for value: JSONValue?) -> FieldOperation {
        value.map { $0.isNull ? .delete : .set($0) } ?? .delete
    }

    /// The changes that the row does not contain yet.
    private static func missing(in row: JSONObject, of changes: FieldOperations) -> FieldOperations {
        var missing = changes
        for field in changes.fields where changes[field] == operation(for: row[field]) {
            missing[field] = nil
        }
        return missing
    }
}
