import Synchronization

/// Counts requests in progress, or open streams, and waits until the count is zero.
final class RequestsInProgress: Sendable {
    private struct State {
        var count = 0
        var waiter: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())
    private let draining = Atomic(false)
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: suspends for a duration, and throws if its task is cancelled.
    init(sleep: @escaping @Sendable (Duration) async throws -> Void) { self.sleep = sleep }

    /// Whether the server is stopping. While the server stops, each connection closes after its current response.
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

    /// Waits until the count is zero, for at most `limit`. Supports one caller at a time.
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
        // The timer task must end here. If it still ran, it could end the next wait.
        await timer?.value
    }
}
