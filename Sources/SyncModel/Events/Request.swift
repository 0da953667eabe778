import ParseModel

/// Prepares an object's first pending step for a request, and applies the outcome of the request.
enum Request {
    /// Freezes the first pending step, so that later local changes become a separate step. If the step has changed
    /// since the push read its outbox entry, the step is not frozen, and the push plans it again.
    static func choose(_ entry: OutboxEntry, at serverTime: ParseDate, _ transition: inout Transition) {
        guard var first = transition.life.steps.first, first.seq == entry.id, first.step.phase == .pending,
            first.step.restoration != .later, first.step.kind == entry.step.kind,
            first.step.operations == entry.step.operations
        else { return }
        first.step.phase = .inFlight
        first.step.wasAttempted = true
        first.step.restoration = .none
        first.markedIn = entry.markedIn
        first.attempts += 1
        first.attemptedAt = first.attemptedAt ?? serverTime
        transition.life.steps[0] = first
    }

    /// Applies the engine's decision about a pending step. A step that no longer exists is ignored.
    static func settle(_ entry: OutboxEntry, _ settlement: Settlement, _ transition: inout Transition) {
        guard let index = transition.life.index(of: entry.id) else { return }
        let context = transition.context
        switch settlement {
        case .acknowledged(let acknowledgement): acknowledge(at: index, acknowledgement, &transition)
        case .moot(let record): dropMootStep(at: index, record, &transition)
        case .proven(let found): prove(at: index, by: context.withoutMarks(found), &transition)
        case .recreatedElsewhere(let record):
            // If the step has changed since the engine read its outbox entry, the next push plans the step again.
            guard transition.life.steps[index].step.operations == entry.step.operations,
                !transition.life.steps[index].step.phase.isFrozen
            else { return }
            Recreation.takeOver(at: index, record, &transition)
        case .deletionDone:
            // An earlier request for the deletion got no answer. That request has probably deleted the object.
            let sent = transition.life.steps[index]
            if sent.step.kind == .delete, sent.step.phase == .inFlight, sent.attempts <= 1 {
                transition.recordUnseenDeletion(sent.step)
            }
            transition.close("superseded")
            if sent.step.isSentOnce { return finishDeletion(at: index, &transition) }
            transition.life.steps = []
            transition.life.base = nil
        case .notExecuted(let wasAttempted, let error, let code):
            transition.life.steps[index].step.phase = .pending
            transition.life.steps[index].step.wasAttempted = wasAttempted
            if code == nil { transition.life.steps[index].attempts -= 1 }
            transition.life.steps[index].requestId = context.requestId()
            if !wasAttempted { transition.life.steps[index].attemptedAt = nil }
            transition.life.steps[index].error = error
            transition.life.steps[index].code = code
        case .sendAgain:
            transition.life.steps[index].step.phase = .pending
            // A new id is needed: a server with request deduplication refuses a repeated id, even after a failed request.
            transition.life.steps[index].requestId = context.requestId()
            if transition.life.steps[index].step.restoration != .none { transition.life.confirmUnsent(at: index) }
        case .dropped: transition.life.steps.remove(at: index)
        case .unknown(let reason, let endedAt, let code):
            transition.life.steps[index].step.phase = .unknown
            transition.life.steps[index].error = reason
            transition.life.steps[index].code = code
            if let endedAt { transition.emit(.unanswered(since: endedAt)) }
        case .rejected(let code, let message, let wasAttempted):
            transition.life.steps[index].step.wasAttempted = wasAttempted
            reject(at: index, code, message, &transition)
        // The object was deleted locally after the request, so the outcome no longer matters.
        case .conflict(.wasThisApplied, let record, _) where transition.life.endsInDelete:
            dropMootStep(at: index, record, &transition)
        case .conflict(let kind, let remote, let others):
            OutcomeConflict.open(kind, about: index, remote: remote, others: others, &transition)
        }
    }

    private static func reject(at index: Int, _ code: Int, _ message: String, _ transition: inout Transition) {
        transition.life.steps[index].step.phase = .rejected
        transition.life.steps[index].code = code
        transition.life.steps[index].error = message
        transition.life.rejoinSteps(after: index, transition.context)
    }

    static func refuseFile(_ name: String, _ code: Int, _ message: String, _ transition: inout Transition) {
        let index = transition.life.steps.firstIndex { step in
            step.step.phase == .pending && step.step.author == transition.context.author
                && step.step.operations.files.contains { $0.name == name }
        }
        if let index { reject(at: index, code, message, &transition) }
    }

    /// Drops a step that a later local deletion makes irrelevant. If the row equals the base (the last known remote
    /// state), or the base with this step applied, the row becomes the base. The deletion then does not conflict with
    /// the row.
    /// - Parameter found: the current row; nil if it cannot be read.
    private static func dropMootStep(at index: Int, _ found: RemoteRecord?, _ transition: inout Transition) {
        let step = transition.life.steps.remove(at: index).step
        guard let found else { return }
        // The comparison leaves out operation ids (ids of executed changes) and the fields that are not kept locally.
        let record = transition.context.restricted(found)
        let base = transition.life.base
        let applied = Replay.view(base: base, steps: [step], className: record.className)
        guard [base?.fields, applied?.fields].contains(record.fields) else { return }
        transition.life.base = record.state
        transition.life.baseIsProvisional = false
        transition.emit(.rowChanged(record))
    }

    /// Removes an acknowledged step and applies its operations to the base, the last known remote state. Values in the
    /// acknowledgement take precedence. After a deletion, the object has no base.
    static func acknowledge(at index: Int, _ acknowledgement: Acknowledgement, _ transition: inout Transition) {
        let context = transition.context
        if transition.life.steps[index].step.isSentOnce, transition.life.steps[index].step.kind == .delete {
            return finishDeletion(at: index, &transition)
        }
        let sent = transition.life.steps.remove(at: index)
        guard sent.step.kind != .delete else {
            transition.life.base = nil
            return
        }
        var base = Replay.view(base: transition.life.base, steps: [sent.step], className: transition.life.className)
        if sent.step.kind == .create { base?.createdAt = acknowledgement.createdAt ?? sent.step.madeAt }
        if let updatedAt = acknowledgement.updatedAt ?? acknowledgement.createdAt { base?.updatedAt = updatedAt }
        base?.version = acknowledgement.version
        let opField = sent.markedIn ?? context.options.opField
        for (field, value) in acknowledgement.echoed where field != opField {
            base?.fields[field] = value.isNull ? nil : value
        }
        if let marks = opField.flatMap({ acknowledgement.echoed[$0]?.array }) {
            transition.emit(.marksSeen(marks))
        } else if let mark = sent.mark(of: context.replicaId) {
            transition.emit(.markLeft(mark))
        }
        let acl = transition.life.base?.fields["ACL"]
        setBase(base, after: sent.step, &transition)
        if sent.step.kind == .create {
            // An answer with a version contains the row, so the remote has shown the object.
            transition.life.baseStanding = acknowledgement.version == nil ? .unshown : .acknowledged
        } else if [.shown, .edited].contains(transition.life.baseStanding) {
            let isShown = base?.fields["ACL"] == acl || context.readerMayRead(base)
            transition.life.baseStanding = isShown ? .edited : .acknowledged
        }
        transition.life.wasAcknowledged = true
        if acknowledgement.objectId != transition.life.objectId {
            RemoteId.adopt(acknowledgement.objectId, &transition)
        }
        if !sent.step.operations.relationChanges.isEmpty { transition.emit(.membersChanged(sent.step.operations)) }
    }

    /// Sets the state that an executed step has produced. Clients could edit the object while a step was sent that they did not
    /// see. Their changes meet the step like a change by another client.
    private static func setBase(_ base: ObjectState?, after step: PendingStep, _ transition: inout Transition) {
        guard step.isSentOnce, !transition.life.steps.isEmpty, let base else {
            transition.life.base = base
            return
        }
        let pointer = transition.life.pointer
        Pulled.apply(RemoteRecord(className: pointer.className, objectId: pointer.objectId, state: base), &transition)
    }

    /// Removes an executed deletion that was sent at most once. Clients could edit the object meanwhile, because they
    /// did not see the deletion. Their changes meet it like a deletion by another client.
    private static func finishDeletion(at index: Int, _ transition: inout Transition) {
        transition.life.steps.remove(at: index)
        guard !transition.life.steps.isEmpty else {
            transition.life.base = nil
            return
        }
        Pulled.apply(nil, &transition)
    }

    private static func prove(at index: Int, by record: RemoteRecord, _ transition: inout Transition) {
        let step = transition.life.steps[index].step
        transition.life.dropProvenStep(at: index, transition.context)
        setBase(state(proven: step, on: transition.life.base, by: record), after: step, &transition)
        transition.life.baseIsProvisional = false
        transition.life.wasAcknowledged = true
        if record.objectId != transition.life.objectId { RemoteId.adopt(record.objectId, &transition) }
        transition.emit(.rowChanged(record))
    }

    /// The new base (last known remote state) after a read has proven that a request was executed: the state that the
    /// request produced. The next pulled row brings later changes of other clients.
    static func state(proven step: PendingStep, on base: ObjectState?, by record: RemoteRecord) -> ObjectState {
        guard !step.isUneditedResult(record),
            var state = Replay.view(base: base, steps: [step], className: record.className)
        else {
            return record.state
        }
        state.createdAt = record.createdAt
        // Clients name a state by its `updatedAt`, so the new state needs another `updatedAt` than the old base. The
        // new `updatedAt` is earlier than that of the row, so that the row counts as newer.
        state.updatedAt = base.map { $0.updatedAt + .milliseconds(1) } ?? record.createdAt
        state.version = base?.version
        // The result of an operation that is not idempotent, such as an increment, is known from the row only.
        for field in step.operations.fields where step.operations[field]?.isIdempotent == false {
            state.fields[field] = record.fields[field]
        }
        return state
    }

    /// Splits a create that is part of a pointer cycle. The deferred fields move from the create to a new update, which
    /// comes directly after the create, before all later steps.
    static func split(_ entry: OutboxEntry, deferring fields: [String], _ transition: inout Transition) {
        guard var create = transition.life.steps.first, create.seq == entry.id, create.step.kind == .create,
            create.step.phase == .pending
        else { return }
        var rest = FieldOperations()
        for field in fields {
            rest[field] = create.step.operations[field]
            create.step.operations[field] = nil
        }
        guard !rest.isEmpty else { return }
        let update = PendingStep(
            kind: .update, by: create.step.author, operations: rest, madeAt: create.step.editedAt,
            isDeferredUpdate: true)
        let later = transition.life.steps.dropFirst().map { step in
            var moved = step
            moved.seq = nil
            return moved
        }
        transition.life.steps = [create]
        transition.life.appendSeparately(update, transition.context)
        transition.life.steps += later
    }
}
