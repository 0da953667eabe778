import RemoteService

/// An event of the engine, for metrics and displays.
package enum SyncEvent: Sendable {
    case phaseEnded(SyncProgress.Phase, duration: Duration)
    /// The remote gave no usable answer.
    case remoteFailed(SyncError)
    case syncEnded(SyncOutcome, duration: Duration)
    /// The engine's `status` has changed. May happen many times per second.
    case statusChanged
}
