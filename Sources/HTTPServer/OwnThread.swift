import Foundation
import Synchronization

/// Runs blocking work on a thread of its own, so that it takes none of the few that Swift tasks share.
final class OwnThread: Sendable {
    private struct State {
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    init(named name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread {
            work()
            let waiting = self.state.withLock { state in
                state.isOver = true
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
        thread.name = name
        thread.start()
    }

    /// Returns when the work is done.
    func join() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }
}
