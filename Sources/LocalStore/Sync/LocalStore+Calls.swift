import ParseModel
import StoreService

/// For forwarded requests: the ids and file names that the remote knows, and the queued writes that must be sent first.
extension LocalStore {
    package func remoteNames(of things: NamedThings) throws -> RemoteNames {
        guard !things.isEmpty else { return RemoteNames() }
        return try readOnce { try RemoteNames(of: things, in: $0) }
    }

    /// An object with a rejection or an open conflict among the things that a call names; nil if there is none.
    package func undecidedObject(among things: NamedThings) throws -> Pointer? {
        guard !things.isEmpty else { return nil }
        return try readOnce { try OutboxTable(db: $0).undecidedObject(among: things) }
    }

    /// The sequence number of the newest change in the outbox; 0 for an empty outbox.
    package func latestWrite() throws -> Int64 { try readOnce { try OutboxTable(db: $0).latest() } }

    /// The number of changes with a sequence number up to `number` that the remote has not acknowledged.
    /// - Parameter undecided: whether to count rejected changes and changes in conflict too.
    package func writesWaiting(upTo number: Int64, undecided: Bool) throws -> Int {
        try readOnce { try OutboxTable(db: $0).count(upTo: number, undecided: undecided) }
    }
}
