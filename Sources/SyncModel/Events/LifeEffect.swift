import ParseModel

/// What an event requires besides the new state of its object: a change of other objects or tables, or a report to the caller
/// (`fieldsIgnored`). The store performs the effects in the transaction that saves the object. Effects that need the saved row
/// follow after it is saved.
package enum LifeEffect: Sendable, Hashable {
    // MARK: Conflicts
    /// Opens a conflict, or records a conflict that was resolved without a user.
    case conflictFound(ConflictRecord)
    /// Updates the open conflict to a newer remote state.
    /// - Parameter fields: the fields to add to the fields in conflict.
    case conflictChanged(fields: [String], remote: ObjectState?)
    case conflictClosed(resolution: String)
    /// A read returned the row of this object, the candidate in another object's conflict. The conflict then shows this row.
    case candidateChanged(RemoteRecord)

    // MARK: Other objects
    /// The object that was stored under the remote's id is merged into the object of this event.
    case absorbed(objectId: String)
    /// The object takes the remote's id. The former id becomes an alias, and pointers to the former id are rewritten.
    case renamed(from: String, to: String)
    /// A conflict about a create opens. Clients no longer see its candidate, unless the candidate has pending steps.
    case copyHidden(objectId: String)
    /// A conflict about a create closes. Clients see its candidate again, unless another open conflict has the same candidate.
    case copyShown(objectId: String)
    /// This object has adopted a candidate. Open conflicts of other objects with the same candidate are closed, and the next
    /// proof searches for other candidates.
    case candidateTaken

    // MARK: Related data
    /// The row changed, so its relations and files must be checked too.
    case rowChanged(RemoteRecord)
    /// The remote object holds exactly these operation ids in its `opField`.
    case marksSeen([JSONValue])
    /// The acknowledged request has added this operation id to the `opField` of the remote object.
    case markLeft(String)
    /// The acknowledged request has changed the members of the object's relations.
    case membersChanged(FieldOperations)
    /// A request on the object was interrupted at this server time. The request may still arrive during the grace period.
    case unanswered(since: ParseDate)
    /// The object counts as deleted on the remote, but it may reappear there, so the class needs an audit.
    case mayReappear
    /// The remote object may match none of the class's pulls (subsets). If so, the sweep of a later sync drops the local row.
    case mayMatchNoPull
    /// A stale write did not set these fields, because the class's policy prefers the newer values.
    case fieldsIgnored([String])
}

/// The effects of one event, and its contribution to the counts of a pull.
package struct LifeOutcome: Sendable, Hashable {
    package var effects: [LifeEffect] = []
    package var tally = PullTally()
}

/// The numbers of objects that a pull has changed, left unchanged or removed, and of the conflicts that it has found.
package struct PullTally: Sendable, Hashable {
    package var upserted = 0
    package var unchanged = 0
    package var removed = 0
    package var conflicts = 0
    /// The number of conflicts that the class's policy resolved, without a user's decision.
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
