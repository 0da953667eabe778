/// The end of a requested sync.
package enum SyncOutcome: Sendable {
    case finished(SyncSummary)
    case failed(SyncError)
    case paused
}
