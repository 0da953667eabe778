import Synchronization

/// The streams that are being sent, so that a stop of the server can end them.
final class OpenStreams: Sendable {
    private struct State {
        var isStopping = false
        var open: [ObjectIdentifier: StreamPause] = [:]
    }
    private let state = Mutex(State())
    /// Apart from other requests: those finish by themselves, and a stop waits for them.
    private let inProgress: RequestsInProgress
    /// The budget of the bytes that streams hold and their clients have not taken.
    let budget: ByteBudget

    /// - Parameter sleep: as of ``RequestsInProgress``.
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

    /// Lets all streams end as soon as their clients have read what was sent, and those that are still to come at once.
    func endAll() {
        let streams = state.withLock { state in
            state.isStopping = true
            return Array(state.open.values)
        }
        for stream in streams { stream.end() }
    }

    /// Returns as soon as no stream is open, at the latest after `limit`.
    func waitUntilNone(within limit: Duration) async { await inProgress.waitUntilNone(within: limit) }
}
