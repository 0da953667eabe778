/// The end of a sync that was asked for.
package enum SyncOutcome: Sendable {
    case finished(SyncSummary)
    case failed(SyncError)
    case paused
}
