import ParseModel

/// One object under sync: the remote's last known state, the changes made here since, and the open conflict between the two.
///
/// `receive` is the only way from one state to the next. A store loads the value, hands an event to it, performs the effects
/// and saves it again. Nothing here reads a clock, a file or the network.
package struct ObjectLife: Sendable, Hashable {
    package let className: String
    /// The remote's id once that is known, the local id before.
    package var objectId: String
    /// The remote's last known state; nil for an object that the remote does not have.
    package var base: ObjectState?
    package var baseStanding = BaseStanding.shown
    /// The remote has acknowledged a request of this gateway on the object.
    package var isOurs = false
    /// The object is kept hidden: an open conflict asks whether it is one that was created here.
    package var isSecondCopy = false
    /// Pending changes, in the order in which they were made.
    package var steps: [Step] = []
    /// The open conflict; exactly the objects with a held step have one.
    package var conflict: OpenConflict?
    /// The state that clients read: the pending steps replayed over the base. Nil for a deleted object.
    package var view: ObjectState?

    /// A pending change with the record of its requests.
    package struct Step: Sendable, Hashable {
        /// Ascending in the order of making; nil until a store has saved the step.
        package var seq: Int64?
        package var step: PendingStep
        /// Of the next request; a new one for each attempt.
        package var requestId: String
        /// How often it was sent.
        package var attempts = 0
        /// Server time of the first attempt.
        package var attemptedAt: ParseDate?
        /// The array field in which the latest request left the id of its operation.
        package var markedIn: String?
        /// The remote's number and words for its latest failure or refusal.
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

        /// It creates a deleted object again, and no request has gone out for that.
        package var isUnsentRemake: Bool { step.kind == .create && step.isMadeAgain && attempts == 0 }
    }

    package init(className: String, objectId: String) {
        self.className = className
        self.objectId = objectId
    }

    package var pointer: Pointer { Pointer(className: className, objectId: objectId) }

    /// Neither a base nor pending work is left: a store keeps no row of such an object.
    package var isOver: Bool { base == nil && steps.isEmpty }

    /// The state that the `_sync` member shows.
    package var state: SyncState {
        if steps.contains(where: { $0.step.phase == .held }) { return .conflict }
        if steps.contains(where: { $0.step.phase == .rejected }) { return .rejected }
        guard let last = steps.last else { return .synced }
        if last.step.kind == .delete { return .deleted }
        return steps.contains { $0.step.kind == .create } ? .created : .updated
    }

    /// The base comes from an acknowledgement; the next pulled row replaces it.
    package var baseIsProvisional: Bool {
        get { baseStanding != .shown }
        set {
            if !newValue { baseStanding = .shown } else if baseStanding == .shown { baseStanding = .acknowledged }
        }
    }

    /// The remote has acknowledged the create and has never shown the object.
    package var isUnshown: Bool { baseStanding.rawValue >= BaseStanding.unshown.rawValue }

    /// The remote is not expected to show the object: it never has, or the latest acknowledged change sent an ACL without
    /// public read access.
    package var isHidden: Bool {
        if isUnshown { return true }
        guard baseIsProvisional, let acl = base?.fields["ACL"]?.object else { return false }
        return acl["*"]?.object?["read"] != true
    }

    package var endsInDelete: Bool { steps.last?.step.kind == .delete }

    /// The open conflict is about the outcome of a request of this gateway. News from the remote do not settle it.
    package var isInQuestion: Bool { conflict?.kind.isAboutOwnRequest == true }

    /// Makes the view what it has to be: the pending steps replayed over the base. A second copy has no view.
    package mutating func replay() {
        let isHiddenCopy = isSecondCopy && steps.isEmpty
        view = isHiddenCopy ? nil : Replay.view(base: base, steps: steps.map(\.step), className: className)
    }

    /// Gives the view another time than the state that clients know under its present one: a write that names a time then
    /// names one state.
    /// - Parameters:
    ///   - known: the view that clients have read.
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

/// How an object's base is known. A store keeps the raw value.
package enum BaseStanding: Int64, Sendable, Hashable {
    /// The remote has shown the row.
    case shown = 0
    /// The remote has shown the object, and has acknowledged a later change that it has not shown yet.
    case acknowledged = 1
    /// The remote has acknowledged the create and has never shown the object.
    case unshown = 2
    /// The same, for so long that the remote's lists are not expected to show the object.
    case hidden = 3
}

/// The state of an object with regard to the remote.
package enum SyncState: Int, Sendable, Hashable, CaseIterable {
    case synced, created, updated, deleted, conflict, rejected

    /// As `_sync.state` has it.
    package var name: String { String(describing: self) }
}
