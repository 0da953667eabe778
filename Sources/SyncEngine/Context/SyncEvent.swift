import RemoteService

/// An event of the engine, for metrics and displays.
package enum SyncEvent: Sendable {
    case phaseEnded(SyncProgress.Phase, duration: Duration)
    /// A request of a sync has failed. Failed pushes, and failed pages that a pull requested in advance, are not reported.
    case remoteFailed(SyncError)
    case syncEnded(SyncOutcome, duration: Duration)
    /// The engine's `status` has changed. This may occur many times per second.
    case statusChanged
}
