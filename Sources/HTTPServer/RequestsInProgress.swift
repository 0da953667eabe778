import Synchronization

/// Counts requests from their headers to the last byte of their responses, and lets a stop wait for them.
final class RequestsInProgress: Sendable {
    private struct State {
        var count = 0
        var waiter: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())
    private let draining = Atomic(false)
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: waits so long; throws where its task is cancelled meanwhile.
    init(sleep: @escaping @Sendable (Duration) async throws -> Void) { self.sleep = sleep }

    /// The server is stopping: connections close after the response at hand.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    func beginDraining() {
        draining.store(true, ordering: .relaxed)
    }

    func begin() {
        state.withLock { $0.count += 1 }
    }

    func end() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.count -= 1
            return state.count == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Returns as soon as nothing is in progress, at the latest after `limit`. One caller at a time.
    func waitUntilNone(within limit: Duration) async {
        var timer: Task<Void, Never>?
        await withCheckedContinuation { continuation in
            let isNone = state.withLock { state in
                if state.count > 0 { state.waiter = continuation }
                return state.count == 0
            }
            if isNone { return continuation.resume() }
            timer = Task {
                do { try await sleep(limit) } catch { return }
                state.withLock { $0.waiter.take() }?.resume()
            }
        }
        timer?.cancel()
        // A timer that has just run out must not end a later wait.
        await timer?.value
    }
}
