import SyncModel

/// Opens connections on which the remote reports that objects have changed.
///
/// A report is a reason to pull, and carries no data. Reports can be missing, repeated or late, so the engine also pulls at an interval.
package protocol RemoteChangeSignals: Sendable {
    /// Opens a connection with the keys and the session under which requests are sent now.
    func connect() async throws(RemoteSignalsError) -> any RemoteChangeListener
}

/// An open connection on which the remote reports changes.
package protocol RemoteChangeListener: Sendable {
    /// How the remote reports changes on this connection.
    var way: SyncStatus.Listening.Way { get }

    /// Replaces the queries whose objects the remote reports. `next` then returns `listening` when the remote has answered
    /// all new queries. It need not do so if no query is new.
    func listen(to queries: [PullQuery])

    /// Whether requests are still sent under the session with which the connection was opened.
    func isCurrent() async -> Bool

    /// Waits for the next report. Supports one caller at a time.
    /// - Returns: nil after the end of the connection.
    func next() async -> RemoteSignal?

    /// The reason why the connection has ended, as a phrase for the log.
    var endReason: String { get }

    /// Closes the connection. `next` then returns nil.
    func close()
}

/// A report of the remote.
package enum RemoteSignal: Sendable, Hashable {
    /// An object of a query has changed, or has entered or left the query.
    case changed
    /// The remote has answered all queries. It reports no changes of the refused classes.
    case listening(refused: Set<String>)
}

/// The reason why a connection for reports of changes was not opened.
package enum RemoteSignalsError: Error, Sendable, Hashable {
    /// The server answers, and does not offer such connections.
    case notOffered(reason: String)
    /// The connection or the opening failed. A later attempt may succeed.
    case failed(reason: String)
    /// The user has no session.
    case noSession
}
