import ParseModel

/// The state of the sync engine.
package struct SyncStatus: Sendable {
    package enum State: String, Sendable { case idle, running, paused }

    /// The circuit breaker for the remote.
    package struct Circuit: Sendable, Hashable {
        package enum State: String, Sendable {
            /// The remote answers. Syncs begin by themselves.
            case closed
            /// The remote gave no usable answer. No sync starts by itself before `retryAt`.
            case open
            /// The remote gave no usable answer, and a new attempt is running.
            case halfOpen
        }

        package var state: State = .closed
        /// The number of consecutive syncs that got no usable answer from the remote.
        package var failures = 0
        /// The time of the next automatic sync, by the local clock; nil while the circuit is closed, a sync runs
        /// or syncing is paused.
        package var retryAt: ParseDate?

        package init(state: State = .closed, failures: Int = 0, retryAt: ParseDate? = nil) {
            self.state = state
            self.failures = failures
            self.retryAt = retryAt
        }
    }

    /// Whether the remote reports changes by itself. In every state, syncs also run at the interval.
    package struct Listening: Sendable, Hashable {
        package enum State: String, Sendable {
            /// The remote reports changes, except those of the `refused` classes.
            case listening
            /// The connection is being opened, or was lost and is opened again after a delay.
            case connecting
            /// The server does not offer such reports. The gateway tries again after a delay.
            case notOffered
            /// The gateway does not try to listen: that is switched off, or syncing is paused, or there is no session or class.
            case off
        }

        /// How the remote reports changes.
        package enum Way: String, Sendable {
            /// A LiveQuery connection of a Parse Server.
            case liveQuery
            /// The change feed of another Tidegate gateway.
            case changeFeed
        }

        package var state: State
        /// Nil unless the state is `listening`.
        package var way: Way?
        /// The time at which this state has begun, by the local clock.
        package var since: ParseDate
        /// The classes whose reports the remote has refused. Empty unless the state is `listening`.
        package var refused: Set<String>

        package init(state: State, way: Way? = nil, since: ParseDate, refused: Set<String> = []) {
            self.state = state
            self.way = way
            self.since = since
            self.refused = refused
        }
    }

    package var state: State = .idle
    package var circuit = Circuit()
    /// Nil if this kind of remote reports no changes, or if listening is switched off in the settings.
    package var listening: Listening?
    /// The time of the next automatic sync, by the local clock; nil while a sync runs or syncing is paused, and before the first
    /// sync.
    package var nextSyncAt: ParseDate?
    /// The message of the error if the remote has refused the keys, so that no changes are sent; nil otherwise.
    package var pushPausedBecause: String?
    /// Whether the remote counts as reachable: true after any answer, false after a sync that ended without a usable
    /// answer.
    package var isOnline = false
    /// The message of the error that ended the last sync. If the sync ended normally: a sentence about the first change on which
    /// the remote failed. Nil without such an error or change.
    package var lastError: String?
    /// The `SyncError.kind` of the error in `lastError`; `failing` for a change on which the remote failed. Nil without an error.
    package var lastErrorKind: String?
    /// The value of `lastErrorKind` if the remote failed on a single change.
    package static let failing = "failing"
    package var progress: SyncProgress?
    package var lastSummary: SyncSummary?

    package init() {}
}

/// The progress of a running sync.
package struct SyncProgress: Sendable, Hashable {
    package enum Phase: String, Sendable, CaseIterable { case prove, pull, files, push, relations, audit, sweep }

    package let phase: Phase
    package let className: String?
    /// The number of processed items of this phase: objects, changes, files, relations or pages.
    package let done: Int
    /// The total number of items of this phase; nil if unknown.
    package let total: Int?

    package init(phase: Phase, className: String?, done: Int, total: Int?) {
        self.phase = phase
        self.className = className
        self.done = done
        self.total = total
    }
}
