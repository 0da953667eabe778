/// How a requested sync ended.
package enum SyncOutcome: Sendable {
    case finished(SyncSummary)
    case failed(SyncError)
    case paused
}
