import ParseModel

/// The state of the sync engine.
package struct SyncStatus: Sendable {
    package enum State: String, Sendable { case idle, running, paused }

    /// Whether the remote is asked when there is something to ask.
    package struct Circuit: Sendable, Hashable {
        package enum State: String, Sendable {
            /// The remote answers.
            case closed
            /// It did not, and is left alone until `retryAt`.
            case open
            /// It did not, and is being asked again.
            case halfOpen
        }

        package var state: State = .closed
        /// Syncs in a row that have failed.
        package var failures = 0
        /// When the next one begins of itself, by the local clock; nil while the circuit is closed, a sync runs or syncing is paused.
        package var retryAt: ParseDate?

        package init(state: State = .closed, failures: Int = 0, retryAt: ParseDate? = nil) {
            self.state = state
            self.failures = failures
            self.retryAt = retryAt
        }
    }

    package var state: State = .idle
    package var circuit = Circuit()
    /// Why changes are not sent, though the remote answers; nil where they are.
    package var pushPausedBecause: String?
    /// Whether the remote answered when it was last asked.
    package var isOnline = false
    /// Why the last sync did not come to its end, or over which change the remote failed in it; nil after one without either.
    package var lastError: String?
    /// The word for it, as `SyncError.kind` has it.
    package var lastErrorKind: String?
    package var progress: SyncProgress?
    package var lastSummary: SyncSummary?

    package init() {}
}
