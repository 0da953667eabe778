import ParseModel

/// One object under sync: the last known remote state, the local changes since, and the open conflict between them.
///
/// A store loads the value, passes an event to `receive`, performs the effects and saves the value. The type has no access to
/// clock, files or network.
package struct ObjectLife: Sendable, Hashable {
    package let className: String
    /// The remote's id if known; otherwise the local id.
    package var objectId: String
    /// The last known remote state; nil if the remote is not known to have the object.
    package var base: ObjectState?
    package var baseStanding = BaseStanding.shown
    /// The author whose request or read has made the base provisional (not confirmed by a pulled row); nil if it is not
    /// provisional.
    package var provisionalAs: AuthorKey?
    /// Whether the remote has acknowledged a request of this gateway on the object.
    package var wasAcknowledged = false
    /// Whether a conflict about another object's create asks a user if that create produced this object. Until the
    /// decision, clients see this object only if it has pending steps.
    package var isSecondCopy = false
    /// Whether clients do not see the object although it has a base (the last known remote state), because the remote
    /// no longer shows it: the remote refuses to list the class, or the removal of the object waits for a decision.
    /// Pending steps stay.
    package var isWithheld = false
    /// The pending changes, in the order of their writes.
    package var steps: [Step] = []
    /// The open conflict; nil if there is none. An object has an open conflict exactly while one of its steps is held.
    package var conflict: OpenConflict?
    /// The state that clients read: the shown steps applied to the base. Nil for a deleted object, for a withheld
    /// one, and for an object with `isSecondCopy` and without steps.
    package var view: ObjectState?

    /// A pending change and its request history.
    package struct Step: Sendable, Hashable {
        /// The step's number, in the order of writes; nil until a store has saved the step.
        package var seq: Int64?
        package var step: PendingStep
        /// The id of the next request, or of the latest one while its outcome is open. Each attempt gets a new id.
        package var requestId: String
        /// The number of attempts to send the step. An attempt that ended in `Settlement.notExecuted` without an error
        /// code does not count.
        package var attempts = 0
        /// The server time of the first attempt; nil before the first attempt.
        package var attemptedAt: ParseDate?
        /// The array field in which the latest request left its operation id (the id of the change); nil if it left
        /// none.
        package var markedIn: String?
        /// The remote's error code and the message of the latest failure; nil without a failure. The code is also nil if the
        /// remote gave none.
        package var code: Int?
        package var error: String?

        package init(
            seq: Int64? = nil, step: PendingStep, requestId: String, attempts: Int = 0, attemptedAt: ParseDate? = nil,
            markedIn: String? = nil, code: Int? = nil, error: String? = nil
        ) {
            self.seq = seq
            self.step = step
            self.requestId = requestId
            self.attempts = attempts
            self.attemptedAt = attemptedAt
            self.markedIn = markedIn
            self.code = code
            self.error = error
        }

        /// Whether the step creates an object again that the remote had before, and was not sent yet.
        package var isUnsentRecreate: Bool { step.kind == .create && step.isRecreate && attempts == 0 }
    }

    package init(className: String, objectId: String) {
        self.className = className
        self.objectId = objectId
    }

    package var pointer: Pointer { Pointer(className: className, objectId: objectId) }

    /// Whether the remote is not known to have the object, and no change of it is pending. A store keeps no row of such
    /// an object.
    package var isOver: Bool { base == nil && steps.isEmpty }

    /// The sync state that clients read in the object's `_sync` member.
    package var state: SyncState {
        if steps.contains(where: { $0.step.phase == .held }) { return .conflict }
        if steps.contains(where: { $0.step.phase == .rejected }) { return .rejected }
        let shown = shownSteps
        guard let last = shown.last else { return .synced }
        if last.kind == .delete { return .deleted }
        return shown.contains { $0.kind == .create } ? .created : .updated
    }

    /// Whether the base (the last known remote state) is provisional: no pulled row has confirmed it, for example
    /// because it comes from an acknowledgement. The next pulled row replaces a provisional base.
    package var baseIsProvisional: Bool {
        get { baseStanding != .shown }
        set {
            if !newValue { baseStanding = .shown } else if baseStanding == .shown { baseStanding = .acknowledged }
        }
    }

    /// Sets `provisionalAs` after an event. Nil if the base is not provisional. `author` if the event has made the base
    /// provisional, or has changed a provisional base. Otherwise `provisionalAs` stays.
    mutating func setProvisionalAuthor(_ author: AuthorKey, since before: ObjectLife) {
        if baseStanding == .shown {
            provisionalAs = nil
        } else if before.provisionalAs == nil || baseStanding != before.baseStanding || base != before.base {
            provisionalAs = author
        }
    }

    /// Whether the remote has acknowledged the create but never shown the object.
    package var isUnshown: Bool { baseStanding.rawValue >= BaseStanding.unshown.rawValue }

    /// Whether lists of the remote can lack the object although it exists. True if the remote has never shown the
    /// object, or has not shown it since a change of its ACL that gives no public read access.
    package var mayBeInvisible: Bool {
        if isUnshown { return true }
        guard baseIsProvisional, ![.edited, .gone].contains(baseStanding), let acl = base?.fields["ACL"]?.object
        else { return false }
        return acl["*"]?.object?["read"] != true
    }

    /// The steps that clients see. A step that is sent at most once is shown only after the remote has taken it.
    package var shownSteps: [PendingStep] { steps.lazy.map(\.step).filter { !$0.isSentOnce } }

    package var endsInDelete: Bool { steps.last?.step.kind == .delete }

    /// The author whose change the open conflict is about: of the deletion if a local deletion is in question,
    /// otherwise of the first held step. Nil without a held step, one that waits for a decision.
    package var authorInQuestion: AuthorKey? {
        let held = steps.map(\.step).filter { $0.phase == .held }
        let deletion = conflict?.kind == .deletedLocally ? held.last { $0.kind == .delete } : nil
        return (deletion ?? held.first)?.author
    }

    /// Whether the open conflict is about the outcome of a request.
    package var hasOutcomeConflict: Bool { conflict?.kind.concernsOutcome == true }

    /// Recomputes the state that clients read, `view`.
    package mutating func replay() {
        let isHidden = (isSecondCopy && steps.isEmpty) || (isWithheld && base != nil)
        view = isHidden ? nil : Replay.view(base: base, steps: shownSteps, className: className)
    }

    /// Increases the `updatedAt` of the state that clients read, if clients have read another state with the same
    /// `updatedAt`. Clients send `updatedAt` with a write to name the state on which the write is based, so two states
    /// must not share it.
    /// - Parameters:
    ///   - known: the state that clients have read before.
    ///   - now: the time of the transaction.
    package mutating func distinguish(from known: ObjectState, now: ParseDate) {
        guard let view, known.updatedAt == view.updatedAt, known.fields != view.fields,
            let last = steps.lastIndex(where: { $0.step.kind != .delete }),
            steps[last].step.editedAt == view.updatedAt
        else { return }
        steps[last].step.editedAt = max(now, view.updatedAt + .milliseconds(1))
        replay()
    }
}

/// How an object's base (the last known remote state) has become known: whether the remote has shown it, only
/// acknowledged it, or deleted the object. A store keeps the raw value.
package enum BaseStanding: Int64, Sendable, Hashable {
    /// The remote has shown the object, and has acknowledged later changes that no pulled row contains yet. None of
    /// these changes can have hidden the object: each has kept the ACL, or has set an ACL that lets this gateway read
    /// the object. Also: a local create has adopted a remote object that the remote has shown, and no pull has brought
    /// the row since.
    case edited = -2
    /// The remote has deleted the object. The base stays for the time being, because a local deletion is pending, or a
    /// conflict about the outcome of a request is open.
    case gone = -1
    /// The remote has shown the base in a row.
    case shown = 0
    /// The remote has shown the object, and has acknowledged a change of its ACL that no pulled row contains yet and
    /// that may have hidden the object. Also: the answer to the create contained the row, and no pull has brought the
    /// row since.
    case acknowledged = 1
    /// The remote has acknowledged the create but never shown the object.
    case unshown = 2
    /// The remote has acknowledged the create, and has not shown the object for so long that its lists are not expected
    /// to contain the object.
    case hidden = 3
}

/// The sync state of an object.
package enum SyncState: Int, Sendable, Hashable, CaseIterable {
    case synced, created, updated, deleted, conflict, rejected

    /// The value of `_sync.state`.
    package var name: String { String(describing: self) }
}
