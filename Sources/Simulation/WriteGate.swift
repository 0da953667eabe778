import LocalStore
import Synchronization

/// Runs the write groups of a store: each write at once on its caller's thread, or all held writes together.
final class WriteGate: Sendable {
    private struct State {
        var isClosed = false
        var held: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    var executor: StoreExecutor { .deterministic { [self] in start($0) } }

    private func start(_ job: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            if state.isClosed { state.held.append(job) }
            return state.isClosed
        }
        if !isHeld { job() }
    }

    /// Holds all later writes.
    func close() { state.withLock { $0.isClosed = true } }

    /// Commits the held writes in one group.
    func open() {
        let held = state.withLock { state in
            defer { state = State() }
            return state.held
        }
        for job in held { job() }
    }
}
