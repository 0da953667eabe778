import ParseModel

/// What the engine is doing, as others may see it.
package struct SyncStatus: Sendable {
    package enum State: String, Sendable { case idle, running, paused }

    package var state: State = .idle
    /// Whether the remote answered when it was last asked.
    package var isOnline = false
    /// Why the last sync did not come to its end; nil after one that did.
    package var lastError: String?
    package var progress: SyncProgress?
    package var lastSummary: SyncSummary?

    package init() {}
}

/// How a sync that somebody asked for has ended.
package enum SyncOutcome: Sendable {
    case finished(SyncSummary)
    case failed(SyncError)
    case paused
}
