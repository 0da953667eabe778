import ParseModel

/// A pending change of an object, with the facts that are needed to send it and to prove its outcome.
package struct OutboxEntry: Sendable, Hashable {
    /// The step's number, in the order of writes.
    package let id: Int64
    package let className: String
    package let objectId: String
    package let step: PendingStep
    package let requestId: String
    /// The number of attempts to send the step. An attempt that ended in `Settlement.notExecuted` without an error code
    /// does not count.
    package let attempts: Int
    /// The server time of the first attempt; nil before the first attempt.
    package let attemptedAt: ParseDate?
    /// The server time at which the latest request on the object without an answer ended. The request may still arrive
    /// during the grace period. Nil if every request was answered, or if the time is unknown.
    package var unansweredAt: ParseDate?
    /// The last known remote state; nil if the remote is not known to have the object.
    package let base: ObjectState?
    /// The objects to which the step points and whose create is pending. These objects must be created on the remote first.
    package let awaits: Set<Pointer>
    /// Whether the object was deleted locally after this step, which makes the outcome of the step irrelevant.
    package let isFollowedByDelete: Bool
    /// Whether lists of the remote can lack the object although it exists, for example because of its ACL. With the
    /// remote's master key, an ACL hides no object.
    package let mayBeInvisible: Bool
    /// Whether the remote has acknowledged the object's create but never shown the object.
    package let isUnshown: Bool
    /// Whether the remote has acknowledged the create, but has not shown the object for so long that it is no longer
    /// expected to.
    package let isHidden: Bool
    /// The array field in which the latest request left its operation id (the id of the change); nil if it left none.
    package var markedIn: String?
    /// The operation ids (ids of executed changes) of this replica that the remote object still has in its `opField`.
    package let ownMarks: [String]
    /// The remote's error code and message of the step's latest failure; nil without a failure or without a code.
    package var failure: RemoteFailure?

    package init(
        id: Int64, className: String, objectId: String, step: PendingStep, requestId: String, attempts: Int,
        attemptedAt: ParseDate?, unansweredAt: ParseDate?, base: ObjectState?, awaits: Set<Pointer>,
        isFollowedByDelete: Bool = false, mayBeInvisible: Bool = false, isUnshown: Bool = false,
        isHidden: Bool = false, markedIn: String? = nil,
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
        self.mayBeInvisible = mayBeInvisible
        self.isUnshown = isUnshown
        self.isHidden = isHidden
        self.markedIn = markedIn
        self.ownMarks = ownMarks
        self.failure = failure
    }

    /// Whether a request for this change was sent before and may have been executed.
    package var isRepeated: Bool { step.wasAttempted && attempts > 0 }

    /// Whether the pending work ends with the object's deletion.
    package var endsInDelete: Bool { step.kind == .delete || isFollowedByDelete }

    /// The operation id of a step: the id that proves, in the `opField` of a remote row, that a request for the step
    /// was executed.
    package static func mark(replicaId: String, seq: Int64) -> String { "\(replicaId):\(seq)" }

    package var pointer: Pointer { Pointer(className: className, objectId: objectId) }
}

/// The remote's error code and message for a failed change.
package struct RemoteFailure: Sendable, Hashable {
    package let code: Int
    package let message: String

    package init(code: Int, message: String) {
        self.code = code
        self.message = message
    }
}

extension OutboxEntry {
    /// Makes the outbox entry of a pending step.
    /// - Parameter step: a step of `life` that a store has saved. A saved step has a number.
    package init(
        _ step: ObjectLife.Step, of life: ObjectLife, awaits: Set<Pointer>, unansweredAt: ParseDate?, ownMarks: [String]
    ) {
        self.init(
            id: step.seq ?? 0, className: life.className, objectId: life.objectId, step: step.step,
            requestId: step.requestId, attempts: step.attempts, attemptedAt: step.attemptedAt,
            unansweredAt: unansweredAt, base: life.base, awaits: awaits,
            isFollowedByDelete: step.step.kind != .delete && life.endsInDelete, mayBeInvisible: life.mayBeInvisible,
            isUnshown: life.isUnshown, isHidden: life.baseStanding == .hidden, markedIn: step.markedIn,
            failure: step.code.map { RemoteFailure(code: $0, message: step.error ?? "") }, ownMarks: ownMarks)
    }
}
