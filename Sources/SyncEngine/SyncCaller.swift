import RemoteService

/// A caller that waits for the end of a sync.
struct SyncCaller {
    let call: SyncRequest
    let continuation: CheckedContinuation<SyncOutcome, Never>
    /// The summary of the syncs that this caller has already waited for; nil for none.
    var done: SyncSummary?

    func resume(with outcome: SyncOutcome) {
        guard case .finished(let summary) = outcome, let done else {
            return continuation.resume(returning: outcome)
        }
        continuation.resume(returning: .finished(done.followed(by: summary)))
    }
}
