import LocalStore
import Synchronization

/// Lets the writes to a store run alone or together. While the gate is open, each write runs at once. Writes that
/// arrive while it is closed run when it opens, in one transaction.
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

    /// Closes the gate, so that later writes wait until `open`.
    func close() { state.withLock { $0.isClosed = true } }

    /// Opens the gate, and runs the waiting writes together.
    func open() {
        let held = state.withLock { state in
            defer { state = State() }
            return state.held
        }
        for job in held { job() }
    }
}
