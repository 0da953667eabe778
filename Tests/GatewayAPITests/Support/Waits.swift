import Synchronization

/// Replaces the gateway's timed waits by waits that end when the test calls `end`.
final class Waits: Sendable {
    private struct State {
        var ended: [Duration: Int] = [:]
        var waiting: [Duration: [(id: Int, continuation: CheckedContinuation<Void, Never>)]] = [:]
        var lastId = 0
    }
    private let state = Mutex(State())

    /// Ends one wait of this length: one that is running, otherwise the next one.
    func end(_ span: Duration) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if let first = state.waiting[span]?.first {
                state.waiting[span]?.removeFirst()
                return first.continuation
            }
            state.ended[span, default: 0] += 1
            return nil
        }
        continuation?.resume()
    }

    /// - Throws: `CancellationError`.
    func pass(_ span: Duration) async throws {
        let id = state.withLock { state in
            state.lastId += 1
            return state.lastId
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.ended[span, default: 0] > 0 {
                        state.ended[span, default: 0] -= 1
                        return true
                    }
                    if !Task.isCancelled { state.waiting[span, default: []].append((id, continuation)) }
                    return Task.isCancelled
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard let place = state.waiting[span]?.firstIndex(where: { $0.id == id }) else { return nil }
                return state.waiting[span]?.remove(at: place).continuation
            }
            waiting?.resume()
        }
        try Task.checkCancellation()
    }
}
