import ParseModel

/// A local change that the remote has not acknowledged. Most changed objects have a single step, because new local work of the
/// same author usually merges into the last step.
package struct PendingStep: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable { case create, update, delete }

    /// The state of a step on its way to the remote.
    package enum Phase: String, Sendable, Hashable {
        /// Waits to be sent. Later local changes of the same author merge into the step.
        case pending
        /// A request is in flight. Until its outcome is known, the step does not change (`isFrozen`).
        case inFlight
        /// A request was sent and got no clear answer. The step does not change until a later read has shown the
        /// outcome.
        case unknown
        /// Part of an open conflict; waits for a user's decision.
        case held
        /// Waits for a user's decision: the remote refused the step, cannot store its values, or failed on it again and
        /// again.
        case rejected

        /// Whether the step must not change, because its request is under way or has no clear answer.
        package var isFrozen: Bool { self == .inFlight || self == .unknown }
    }

    /// What a restored backup leaves uncertain about a step. After the backup, the step may have been sent, alone or
    /// merged with later local changes.
    package enum Restoration: Sendable, Hashable {
        /// The step does not come from a backup, or a later request or read has settled the question.
        case none
        /// The object's first step at the time of the backup. While the remote row is that of the base, the step was not
        /// sent.
        case first
        /// A later step of the object. It is not sent before its outcome is found out. The base may have changed since
        /// the backup, so a comparison with the base proves nothing.
        case later
    }

    package var kind: Kind
    /// The author of the change, under whose rights the change is sent.
    package var author: AuthorKey
    /// The field operations; empty for a delete.
    package var operations: FieldOperations
    package var phase: Phase
    /// The times of the step's first and latest local change.
    package var madeAt: ParseDate
    package var editedAt: ParseDate
    /// Whether the step was sent at least once and may have been executed.
    package var wasAttempted: Bool
    /// For an update: whether the update only sets fields that were left out of a create, because new objects point to each other
    /// in a cycle. A later edit that merges into the update makes this false.
    package var isDeferredUpdate: Bool
    /// For a create: whether another client may have created an object with the same id, because a client chose the id
    /// or because the object was deleted remotely. Also set for a create that is `isCorrected`.
    package var idMayBeTaken: Bool
    /// For a create: whether a user corrected its values after a request. The request may have stored the earlier values.
    package var isCorrected: Bool
    /// For a create: whether the remote had the object before. Other replicas may create the object again too.
    package var isRecreate: Bool
    /// Whether the change is sent at most once, because a client wants it on the remote or nowhere
    /// (`tidegate-remote=only`). Clients see the change only after the remote has taken it.
    package var isSentOnce: Bool
    /// Whether the step comes from a restored backup. A request for the step settles the question.
    package var restoration: Restoration

    package init(
        kind: Kind, by author: AuthorKey, operations: FieldOperations = FieldOperations(), phase: Phase = .pending,
        madeAt: ParseDate,
        editedAt: ParseDate? = nil, wasAttempted: Bool = false, isDeferredUpdate: Bool = false,
        idMayBeTaken: Bool = false,
        isCorrected: Bool = false, isRecreate: Bool = false, isSentOnce: Bool = false,
        restoration: Restoration = .none
    ) {
        self.kind = kind
        self.author = author
        self.operations = operations
        self.phase = phase
        self.madeAt = madeAt
        self.editedAt = editedAt ?? madeAt
        self.wasAttempted = wasAttempted
        self.isDeferredUpdate = isDeferredUpdate
        self.idMayBeTaken = idMayBeTaken
        self.isCorrected = isCorrected
        self.isRecreate = isRecreate
        self.isSentOnce = isSentOnce
        self.restoration = restoration
    }

    /// Merges a new local change into this step, which is the object's last one. A rejected step becomes pending again
    /// by this. A change of another author never merges, and neither does a change that is sent at most once.
    /// - Returns: one step if both changes fit into one request; two steps if each needs a request; none if the object was
    ///   created and deleted without a request.
    package func joined(with next: PendingStep) -> [PendingStep] {
        if phase.isFrozen || author != next.author || isSentOnce || next.isSentOnce { return [self, next] }
        // The outcome of a step of a restored backup is found out before it is sent.
        if next.restoration != .none { return [self, next] }
        var merged = self
        if wasAttempted, next.kind == .delete, kind == .create {
            guard phase == .rejected else { return [self, next] }
            // An earlier request may have created the object, so a deletion must be sent to the remote.
            merged.kind = .delete
            merged.operations = FieldOperations()
            merged.phase = .pending
            merged.editedAt = next.editedAt
            return [merged]
        }
        merged.editedAt = next.editedAt
        merged.isDeferredUpdate = isDeferredUpdate && next.isDeferredUpdate
        if phase == .rejected, !next.isDeferredUpdate { merged.phase = .pending }
        switch (kind, next.kind) {
        case (.create, .delete): return []
        case (.update, .delete):
            merged.kind = .delete
            merged.operations = FieldOperations()
            return [merged]
        case (.create, .update), (.update, .update):
            // The remote may have executed the step. Its operations stay as they were sent, so that they can be
            // compared with the remote row.
            guard !wasAttempted, let operations = next.operations.merged(after: operations) else {
                return [self, next]
            }
            merged.operations = operations
            return [merged]
        case (.delete, _), (_, .create): return [self, next]
        }
    }
}
