import LocalStore
import Synchronization

/// Decides when the writes of a store run. While the gate is open, each write runs at once. Writes that arrive at a closed gate
/// run together when the gate opens, and share a transaction.
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

    /// Closes the gate: later writes wait until `open`.
    func close() { state.withLock { $0.isClosed = true } }

    /// Opens the gate, and runs the held writes together.
    func open() {
        let held = state.withLock { state in
            defer { state = State() }
            return state.held
        }
        for job in held { job() }
    }
}
