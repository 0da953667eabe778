import Dispatch
import Synchronization

/// Reads that may take long have a few threads of their own, so that neither the server's threads nor those that tasks
/// run on are kept by them.
final class SlowReads: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var idle: [DispatchQueue]
    }

    private let state: Mutex<State>
    private static let threadsMax = 4

    init() {
        // A serial queue has a thread whenever it needs one; a concurrent one would share those of the tasks.
        state = Mutex(State(idle: (1...Self.threadsMax).map { DispatchQueue(label: "tidegate.slow-reads.\($0)") }))
    }

    func run<Value: Sendable>(_ read: @escaping @Sendable () throws -> Value) async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            start { continuation.resume(returning: Result(catching: read)) }
        }
    }

    private func start(_ work: @escaping @Sendable () -> Void) {
        let queue = state.withLock { state in
            state.waiting.append(work)
            return state.idle.popLast()
        }
        guard let queue else { return }
        queue.async { self.drain(queue) }
    }

    private func drain(_ queue: DispatchQueue) {
        while let work = next(orRest: queue) { work() }
    }

    private func next(orRest queue: DispatchQueue) -> (@Sendable () -> Void)? {
        state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.idle.append(queue)
            return nil
        }
    }
}
