import ParseModel

/// A change made here that the remote has not acknowledged. An object's pending work is a list of steps;
/// most have one, because steps merge as long as none of them is on its way.
package struct PendingStep: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable { case create, update, delete }

    /// Where a step is in the life that DESIGN §6 draws.
    package enum Phase: String, Sendable, Hashable {
        /// Waits for its turn; local work merges into it.
        case pending
        /// On its way; frozen.
        case inFlight
        /// Sent, with an outcome that is not known; frozen until a read proves it.
        case unknown
        /// Part of an open conflict; waits for a decision.
        case held
        /// Refused by the remote for good; waits for a decision.
        case rejected

        package var isFrozen: Bool { self == .inFlight || self == .unknown }
    }

    package var kind: Kind
    /// Empty for a delete.
    package var operations: FieldOperations
    package var phase: Phase
    /// When its first and its latest change were made, by the local clock.
    package var madeAt: ParseDate
    package var editedAt: ParseDate
    /// It was sent at least once and may have been executed: such a create is never condensed away.
    package var wasAttempted: Bool
    /// It was split off a create, which points in a circle, and nobody has added to it.
    package var isRest: Bool
    /// Of a create: others may have made an object of the same id, because a client chose it, or because it is that of an
    /// object which was deleted there.
    package var mayBeTaken: Bool
    /// Of a create: its values were corrected after it had been sent, so a row that it made may hold the earlier ones.
    package var isCorrected: Bool
    /// Of a create: the remote once had the object, and other replicas may make it again too.
    package var isMadeAgain: Bool

    package init(
        kind: Kind, operations: FieldOperations = FieldOperations(), phase: Phase = .pending, madeAt: ParseDate,
        editedAt: ParseDate? = nil, wasAttempted: Bool = false, isRest: Bool = false, mayBeTaken: Bool = false,
        isCorrected: Bool = false, isMadeAgain: Bool = false
    ) {
        self.kind = kind
        self.operations = operations
        self.phase = phase
        self.madeAt = madeAt
        self.editedAt = editedAt ?? madeAt
        self.wasAttempted = wasAttempted
        self.isRest = isRest
        self.mayBeTaken = mayBeTaken
        self.isCorrected = isCorrected
        self.isMadeAgain = isMadeAgain
    }

    /// Joins a new step to this one, which is the object's last. A correction of a refused step makes it pending again.
    /// - Returns: one step where one does the work of both, both where each needs a request, none where an object was created and
    ///   deleted here without a request.
    package func joined(with next: PendingStep) -> [PendingStep] {
        if phase.isFrozen { return [self, next] }
        var merged = self
        if wasAttempted, next.kind == .delete, kind == .create {
            guard phase == .rejected else { return [self, next] }
            // An earlier request may have created it all the same.
            merged.kind = .delete
            merged.operations = FieldOperations()
            merged.phase = .pending
            merged.editedAt = next.editedAt
            return [merged]
        }
        merged.editedAt = next.editedAt
        merged.isRest = isRest && next.isRest
        if phase == .rejected, !next.isRest { merged.phase = .pending }
        switch (kind, next.kind) {
        case (.create, .delete): return []
        case (.update, .delete):
            merged.kind = .delete
            merged.operations = FieldOperations()
            return [merged]
        case (.create, .update), (.update, .update):
            // A request that may have been executed must not change: its operations are what proves its outcome.
            guard !wasAttempted, let operations = next.operations.merged(after: operations) else {
                return [self, next]
            }
            merged.operations = operations
            return [merged]
        case (.delete, _), (_, .create): return [self, next]
        }
    }
}
