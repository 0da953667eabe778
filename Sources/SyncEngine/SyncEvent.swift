import RemoteService

/// What a sync has done, for whoever counts.
package enum SyncEvent: Sendable {
    case phaseEnded(SyncProgress.Phase, duration: Duration)
    /// The remote gave no usable answer.
    case remoteFailed(SyncError)
    case syncEnded(SyncOutcome, duration: Duration)
}
