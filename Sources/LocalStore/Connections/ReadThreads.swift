import Dispatch
import Synchronization

/// The threads for reads from async code. A read blocks its thread, and Swift's cooperative pool has only a few threads for all tasks.
final class ReadThreads: Sendable {
    /// Runs a read, and returns a closure that resumes the caller of the read.
    private typealias Job = @Sendable () -> (@Sendable () -> Void)

    private struct State {
        var waiting: [Job] = []
        var idle: [DispatchQueue]
    }

    private let state: Mutex<State>
    private let count: Int

    /// - Parameter count: the number of threads. With 0, each read runs on its caller's thread, for deterministic runs.
    init(count: Int) {
        self.count = count
        // A serial queue has a thread of its own while it works. A concurrent queue would use threads of the cooperative pool.
        state = Mutex(State(idle: (0..<count).map { DispatchQueue(label: "tidegate.store-reads.\($0 + 1)") }))
    }

    /// Runs `read` on one of the threads. While all threads are busy, reads wait in order. Each caller waits for its read, so a
    /// limit of callers also limits the waiting reads.
    func run<Value: Sendable>(_ read: @escaping @Sendable () throws -> Value) async throws -> Value {
        if count == 0 { return try read() }
        return try await withCheckedThrowingContinuation { continuation in
            start {
                let result = Result { try read() }
                return { continuation.resume(with: result) }
            }
        }
    }

    private func start(_ job: @escaping Job) {
        let queue = state.withLock { state in
            state.waiting.append(job)
            return state.idle.popLast()
        }
        queue?.async { [self] in
            var job = next(orIdle: queue)
            while job != nil {
                let resume = job?()
                // Releases the read, and the store to which it refers, before the caller continues. The caller may close the store.
                job = nil
                resume?()
                job = next(orIdle: queue)
            }
        }
    }

    private func next(orIdle queue: DispatchQueue?) -> Job? {
        state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            if let queue { state.idle.append(queue) }
            return nil
        }
    }
}
