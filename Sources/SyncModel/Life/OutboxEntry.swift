import ParseModel

/// The first pending step of an object as the push sees it: with the object's base, and with what has to be there before it.
package struct OutboxEntry: Sendable, Hashable {
    /// Number of the step; ascending in the order of making.
    package let id: Int64
    package let className: String
    package let objectId: String
    package let step: PendingStep
    package let requestId: String
    /// How often it was sent.
    package let attempts: Int
    /// Server time of its first attempt; nil before.
    package let attemptedAt: ParseDate?
    /// Server time at which the wait for the answer to a request on the object ended that never came, the latest such time;
    /// nil where all were answered, or nobody knows it. That request may still arrive for a while.
    package var unansweredAt: ParseDate?
    /// The last state known from the remote; nil for an object that the remote does not have.
    package let base: ObjectState?
    /// Objects it points to that wait for being created.
    package let awaits: Set<Pointer>
    /// The object has been deleted here since: what became of this step matters to nobody any more.
    package let isFollowedByDelete: Bool
    /// The remote does not show the object, which may be there all the same: an ACL may keep it from us.
    package let isHidden: Bool
    /// The remote has acknowledged the object's create and has never shown the object.
    package let isUnshown: Bool
    /// The array field in which its latest request left an id behind; nil where it left none.
    package var markedIn: String?
    /// Ids of this replica's operations that the remote's object still has in its `opField`.
    package let ownMarks: [String]
    /// The remote's own number and words for its latest failure over this step; nil where it answered otherwise, or not.
    package var failure: RemoteFailure?

    package init(
        id: Int64, className: String, objectId: String, step: PendingStep, requestId: String, attempts: Int,
        attemptedAt: ParseDate?, unansweredAt: ParseDate?, base: ObjectState?, awaits: Set<Pointer>,
        isFollowedByDelete: Bool = false, isHidden: Bool = false, isUnshown: Bool = false, markedIn: String? = nil,
        failure: RemoteFailure? = nil, ownMarks: [String] = []
    ) {
        self.id = id
        self.className = className
        self.objectId = objectId
        self.step = step
        self.requestId = requestId
        self.attempts = attempts
        self.attemptedAt = attemptedAt
        self.unansweredAt = unansweredAt
        self.base = base
        self.awaits = awaits
        self.isFollowedByDelete = isFollowedByDelete
        self.isHidden = isHidden
        self.isUnshown = isUnshown
        self.markedIn = markedIn
        self.ownMarks = ownMarks
        self.failure = failure
    }

    /// It was sent before, just as it is now.
    package var isRepeated: Bool { step.wasAttempted && attempts > 0 }

    /// Nothing will be left of the object when its pending work is done.
    package var endsInDelete: Bool { step.kind == .delete || isFollowedByDelete }

    /// The id of the operation in an `opField`: the same for every attempt at a step.
    package static func mark(replicaId: String, seq: Int64) -> String { "\(replicaId):\(seq)" }

    package var pointer: Pointer { Pointer(className: className, objectId: objectId) }
}

/// A remote's failure over one change, in its own words.
package struct RemoteFailure: Sendable, Hashable {
    package let code: Int
    package let message: String

    package init(code: Int, message: String) {
        self.code = code
        self.message = message
    }
}

extension OutboxEntry {
    /// - Parameter step: a saved step of `life`.
    package init(
        _ step: ObjectLife.Step, of life: ObjectLife, awaits: Set<Pointer>, unansweredAt: ParseDate?, ownMarks: [String]
    ) {
        self.init(
            id: step.seq ?? 0, className: life.className, objectId: life.objectId, step: step.step,
            requestId: step.requestId, attempts: step.attempts, attemptedAt: step.attemptedAt,
            unansweredAt: unansweredAt, base: life.base, awaits: awaits,
            isFollowedByDelete: step.step.kind != .delete && life.endsInDelete, isHidden: life.isHidden,
            isUnshown: life.isUnshown, markedIn: step.markedIn,
            failure: step.code.map { RemoteFailure(code: $0, message: step.error ?? "") }, ownMarks: ownMarks)
    }
}
