import Synchronization

/// Tracks the open streams, so that a stop of the server can end them all.
final class OpenStreams: Sendable {
    private struct State {
        var isStopping = false
        var open: [ObjectIdentifier: StreamPause] = [:]
    }
    private let state = Mutex(State())
    /// Counts the open streams. Other requests are counted separately: a stop of the server ends streams, but waits for requests.
    private let inProgress: RequestsInProgress
    /// The memory budget for unsent stream pieces of at least 64 KiB. Responses in memory share this budget.
    let budget: ByteBudget

    /// - Parameter sleep: suspends for a duration, and throws if its task is cancelled.
    init(budget: ByteBudget, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.budget = budget
        inProgress = RequestsInProgress(sleep: sleep)
    }

    func opened(_ stream: StreamPause) {
        inProgress.begin()
        let isStopping = state.withLock { state in
            state.open[ObjectIdentifier(stream)] = stream
            return state.isStopping
        }
        if isStopping { stream.end() }
    }

    func closed(_ stream: StreamPause) {
        _ = state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(stream)) }
        inProgress.end()
    }

    /// Ends every open stream after its current piece. A stream that opens later ends at once.
    func endAll() {
        let streams = state.withLock { state in
            state.isStopping = true
            return Array(state.open.values)
        }
        for stream in streams { stream.end() }
    }

    /// Waits until no stream is open, for at most `limit`.
    func waitUntilNone(within limit: Duration) async { await inProgress.waitUntilNone(within: limit) }
}
