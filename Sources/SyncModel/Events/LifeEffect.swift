import ParseModel

/// A change outside of the object that an event demands. A store performs effects in their order, in the transaction that saves
/// the object.
package enum LifeEffect: Sendable, Hashable {
    // MARK: Conflicts
    /// A conflict opens, or is recorded as resolved by a policy.
    case conflictFound(ConflictRecord)
    /// The open conflict is about a newer state of the remote.
    /// - Parameter fields: those that the remote has changed since.
    case conflictChanged(fields: [String], remote: ObjectState?)
    case conflictClosed(resolution: String)
    /// The row of a second copy has changed, and with it what the conflicts about it show.
    case candidateChanged(RemoteRecord)

    // MARK: Other objects
    /// The object that was kept under the remote's id has become a part of this one.
    case absorbed(objectId: String)
    /// The object goes by the remote's id. The former id becomes an alias, and pointers to it are rewritten.
    case renamed(from: String, to: String)
    /// A conflict about a second copy opens or ends.
    case copyHidden(objectId: String)
    case copyShown(objectId: String)
    /// Conflicts of other objects that show this object as a candidate are void.
    case candidateTaken

    // MARK: Beside the object
    /// The row is news, and so may be its relations and files.
    case rowIsNews(RemoteRecord)
    /// The remote's object holds these ids of operations, and no others.
    case marksSeen([JSONValue])
    /// The remote's object holds the id of an operation more.
    case markLeft(String)
    /// Members joined or left relations of the base.
    case membersChanged(FieldOperations)
    /// A request on the object may still arrive for a while after this server time.
    case unanswered(since: ParseDate)
    /// The object counts as gone on the remote and may be there after all: an audit has to compare the class.
    case mayReturn
    /// The object may belong to no pull.
    case mayStray
    /// The stale write did not set these fields.
    case fieldsIgnored([String])
}

/// The effects of one event and its figures.
package struct LifeOutcome: Sendable, Hashable {
    package var effects: [LifeEffect] = []
    package var tally = PullTally()
}

/// The effect of news from the remote, in numbers.
package struct PullTally: Sendable, Hashable {
    package var upserted = 0
    package var unchanged = 0
    package var removed = 0
    package var conflicts = 0
    /// Conflicts that the class's policy has resolved and recorded.
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
