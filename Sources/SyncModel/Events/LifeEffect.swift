import ParseModel

/// A consequence of an event, in addition to the new state of its object: a change of other objects or tables, or a
/// report to the caller (`fieldsIgnored`). The store performs the effects in the transaction that saves the object.
/// Effects that need the saved row follow after it is saved.
package enum LifeEffect: Sendable, Hashable {
    // MARK: Conflicts
    /// Opens a conflict, or records a conflict that was resolved without a user.
    case conflictFound(ConflictRecord)
    /// Updates the open conflict to a newer remote state.
    /// - Parameter fields: the fields to add to the fields in conflict.
    case conflictChanged(fields: [String], remote: ObjectState?)
    case conflictClosed(resolution: String)
    /// A read returned the row of this object, and a conflict about another object's create asks whether this object is
    /// the result of the create. The conflict then shows the new row.
    case candidateChanged(RemoteRecord)

    // MARK: Other objects
    /// The object that was stored under the remote's id is merged into the object of this event.
    case absorbed(objectId: String)
    /// The object takes the remote's id. The former id becomes an alias, and pointers to the former id are rewritten.
    case renamed(from: String, to: String)
    /// A conflict about a create opens, and shows another object as the possible result. Clients no longer see that
    /// object, unless it has pending changes.
    case copyHidden(objectId: String)
    /// A conflict about a create closes. Clients see the object again that the conflict showed as the possible result,
    /// unless another open conflict shows the same object.
    case copyShown(objectId: String)
    /// This object's create has adopted a remote object as its result. Conflicts of other objects that show the same
    /// remote object are closed, and the next sync searches for other possible results.
    case candidateTaken

    // MARK: Related data
    /// The row changed, so its relations and files must be checked too.
    case rowChanged(RemoteRecord)
    /// A read has shown the operation ids (ids of executed changes) that the remote object has in its `opField`:
    /// exactly these.
    case marksSeen([JSONValue])
    /// The acknowledged request has added this operation id, the id of the change, to the `opField` of the remote
    /// object.
    case markLeft(String)
    /// The acknowledged request has changed the members of the object's relations.
    case membersChanged(FieldOperations)
    /// A request on the object ended at this server time without an answer. The request may still arrive during the
    /// grace period.
    case unanswered(since: ParseDate)
    /// The object counts as deleted on the remote, but it may reappear there. The class therefore needs an audit, a
    /// comparison of all its objects with the remote.
    case mayReappear
    /// The remote object may match the conditions of none of the class's pulls. The sweep of a later sync, which looks
    /// for such objects, then drops the local row.
    case mayMatchNoPull
    /// A stale write (based on an earlier state of the object) did not set these fields, because the class's policy
    /// prefers the newer values.
    case fieldsIgnored([String])
}

/// The effects of one event on an object, and the numbers that the event adds to the counts of a pull.
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
