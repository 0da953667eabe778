import RemoteService

/// What a sync has done, for whoever counts or shows it.
package enum SyncEvent: Sendable {
    case phaseEnded(SyncProgress.Phase, duration: Duration)
    /// The remote gave no usable answer.
    case remoteFailed(SyncError)
    case syncEnded(SyncOutcome, duration: Duration)
    /// The engine's `status` is another; perhaps many times each second.
    case statusChanged
}
