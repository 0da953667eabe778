import RemoteService

/// An event of the engine, for metrics and displays.
package enum SyncEvent: Sendable {
    case phaseEnded(SyncProgress.Phase, duration: Duration)
    /// A request to the remote has failed.
    case remoteFailed(SyncError)
    case syncEnded(SyncOutcome, duration: Duration)
    /// The engine's `status` has changed. This may occur many times per second.
    case statusChanged
}
