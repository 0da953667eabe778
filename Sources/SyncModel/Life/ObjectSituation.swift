import ParseModel

/// All that is known here of one object that has pending work or a conflict, when news of it come from the remote.
package struct ObjectSituation: Sendable, Hashable {
    package let className: String
    package let objectId: String
    /// How conflicts of the class are settled.
    package let policy: ConflictPolicy
    /// The last state known from the remote.
    package let base: ObjectState?
    /// The base is what an acknowledgement said and has not been pulled yet.
    package let baseIsProvisional: Bool
    /// Pending work in order; never empty.
    package let steps: [PendingStep]
    /// What somebody has been asked to decide and has not decided yet.
    package let openConflict: ConflictKind?
    /// The object's create, where one is the first of the steps.
    package let sentCreate: SentCreate?

    package init(
        className: String, objectId: String, policy: ConflictPolicy = .merge, base: ObjectState?,
        baseIsProvisional: Bool, steps: [PendingStep],
        openConflict: ConflictKind?, sentCreate: SentCreate? = nil
    ) {
        self.className = className
        self.objectId = objectId
        self.policy = policy
        self.base = base
        self.baseIsProvisional = baseIsProvisional
        self.steps = steps
        self.openConflict = openConflict
        self.sentCreate = sentCreate
    }
}

/// What is done with an object that has pending work when its remote row has changed or is gone.
package enum RebaseAction: Sendable, Hashable {
    /// The row becomes the base and the steps are replayed over it.
    case replay
    /// The policy has decided, which is recorded: the side that wins has its way, and the row, if there is one, becomes
    /// the base. `fields` are those that both sides have changed.
    case settle(ConflictKind, fields: [String] = [], by: Side)
    /// The row, if there is one, becomes the base; the steps wait for a decision.
    case openConflict(ConflictKind, fields: [String] = [])
    /// Gone there, and nothing here objects: the object and its steps are removed.
    case remove
    /// Nothing changes.
    case keep

    package enum Side: String, Sendable, Hashable { case local, remote }
}

/// Decides about an object with pending work. Pure; called inside a store transaction.
package typealias Rebase = @Sendable (_ situation: ObjectSituation, _ remote: RemoteRecord?) -> RebaseAction

/// What applying news from the remote has changed.
package struct PullTally: Sendable, Hashable {
    package var upserted = 0
    package var unchanged = 0
    package var removed = 0
    package var conflicts = 0
    /// Fields that both sides had changed, settled by the policy and recorded.
    package var settled = 0

    package init() {}

    package static func += (a: inout PullTally, b: PullTally) {
        a.upserted += b.upserted
        a.unchanged += b.unchanged
        a.removed += b.removed
        a.conflicts += b.conflicts
        a.settled += b.settled
    }
}
