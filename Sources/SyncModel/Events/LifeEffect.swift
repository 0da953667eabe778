import ParseModel

/// A change outside the object that an event requires. The store performs the effects in order, in the transaction that
/// saves the object.
package enum LifeEffect: Sendable, Hashable {
    // MARK: Conflicts
    /// Opens a conflict, or records a conflict that a policy resolved.
    case conflictFound(ConflictRecord)
    /// Updates the open conflict to a newer remote state.
    /// - Parameter fields: the fields that the remote has changed since.
    case conflictChanged(fields: [String], remote: ObjectState?)
    case conflictClosed(resolution: String)
    /// The row of a second copy changed, so the conflicts that show it must be updated.
    case candidateChanged(RemoteRecord)

    // MARK: Other objects
    /// The object that was stored under the remote's id is merged into this one.
    case absorbed(objectId: String)
    /// The object takes the remote's id. The former id becomes an alias, and pointers to it are rewritten.
    case renamed(from: String, to: String)
    /// Hides a second copy because a conflict about it opens, or shows it again because the conflict closes.
    case copyHidden(objectId: String)
    case copyShown(objectId: String)
    /// Reopens the conflicts of other objects that show this object as a candidate.
    case candidateTaken

    // MARK: Related data
    /// The row changed, so its relations and files must be checked too.
    case rowChanged(RemoteRecord)
    /// The remote object holds exactly these operation ids.
    case marksSeen([JSONValue])
    /// The remote object holds one more operation id.
    case markLeft(String)
    /// Members were added to or removed from relations of the base.
    case membersChanged(FieldOperations)
    /// A request on the object may still arrive for the grace period after this server time.
    case unanswered(since: ParseDate)
    /// The object counts as deleted on the remote but may reappear: the class needs an audit.
    case mayReappear
    /// The object may no longer match any pull.
    case mayMatchNoPull
    /// The stale write did not set these fields.
    case fieldsIgnored([String])
}

/// The effects of one event, and its counts.
package struct LifeOutcome: Sendable, Hashable {
    package var effects: [LifeEffect] = []
    package var tally = PullTally()
}

/// The numbers of changed objects after a pull.
package struct PullTally: Sendable, Hashable {
    package var upserted = 0
    package var unchanged = 0
    package var removed = 0
    package var conflicts = 0
    /// The number of conflicts that the class's policy resolved and recorded.
    package var settled = 0

    package init(upserted: Int = 0, unchanged: Int = 0) {
        self.upserted = upserted
        self.unchanged = unchanged
    }

    package static func += (a: inout PullTally, b: PullTally) {
        a.upserted += b.upserted
        a.unchanged += b.unchanged
        a.removed += b.removed
        a.conflicts += b.conflicts
        a.settled += b.settled
    }
}
