import ParseModel
import StoreService

/// For forwarded requests: the ids and file names that the remote knows, and the queued writes that must be sent first.
extension LocalStore {
    package func remoteNames(of things: NamedThings) throws -> RemoteNames {
        guard !things.isEmpty else { return RemoteNames() }
        return try readOnce { try RemoteNames(of: things, in: $0) }
    }

    /// The sequence number of the newest change in the outbox; 0 for an empty outbox.
    package func latestWrite() throws -> Int64 { try readOnce { try OutboxTable(db: $0).latest() } }

    package func callersQueue(
        upTo number: Int64, naming things: NamedThings, by principal: Principal
    ) throws -> CallersQueue {
        try readOnce {
            try CallersQueue(
                upTo: number, naming: things, of: DecisionLister(ownOf: principal, configuration, in: $0), in: $0)
        }
    }
}
