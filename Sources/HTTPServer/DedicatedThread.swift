import Foundation
import Synchronization

/// Runs blocking work on a thread of its own, because the threads of Swift tasks must not block.
final class DedicatedThread: Sendable {
    private struct State {
        var isDone = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    init(named name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread {
            work()
            let waiting = self.state.withLock { state in
                state.isDone = true
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
        thread.name = name
        thread.start()
    }

    /// Waits until the work is done.
    func join() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if !state.isDone { state.waiting.append(continuation) }
                return state.isDone
            }
            if isDone { continuation.resume() }
        }
    }
}
