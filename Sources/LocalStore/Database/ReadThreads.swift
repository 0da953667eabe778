import Dispatch
import Synchronization

/// Two threads for the reads of async callers. SQLite blocks its thread, and the cooperative pool has few of them for all tasks.
final class ReadThreads: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var idle: [DispatchQueue]
    }

    private let state: Mutex<State>
    private let isInline: Bool

    /// - Parameter isInline: reads run on the caller's thread, so that a deterministic run keeps its order.
    init(isInline: Bool) {
        self.isInline = isInline
        // A serial queue has a thread of its own when it needs one. A concurrent queue would share those of the tasks.
        state = Mutex(State(idle: (1...2).map { DispatchQueue(label: "tidegate.store-reads.\($0)") }))
    }

    /// Runs `read` on one of the threads. Reads that find both busy wait in their order; each waiting read is one task, so the
    /// callers bound their number.
    func run<Value: Sendable>(_ read: @escaping @Sendable () throws -> Value) async throws -> Value {
        if isInline { return try read() }
        return try await withCheckedThrowingContinuation { continuation in
            start { continuation.resume(with: Result { try read() }) }
        }
    }

    private func start(_ job: @escaping @Sendable () -> Void) {
        let queue = state.withLock { state in
            state.waiting.append(job)
            return state.idle.popLast()
        }
        queue?.async { [self] in
            while let job = next(orRest: queue) { job() }
        }
    }

    private func next(orRest queue: DispatchQueue?) -> (@Sendable () -> Void)? {
        state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            if let queue { state.idle.append(queue) }
            return nil
        }
    }
}
