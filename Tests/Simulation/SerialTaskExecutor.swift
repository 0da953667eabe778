import Dispatch
import Synchronization

/// Runs the tasks of a simulation one at a time, in the order in which they become ready, so that runs with the same
/// seed are identical.
final class SerialTaskExecutor: TaskExecutor {
    private struct State {
        /// The number of jobs that are ready or running.
        var jobCount = 0
        /// The task that waits until all other tasks wait.
        var resting: CheckedContinuation<Void, Never>?
    }

    private let queue = DispatchQueue(label: "simulation")
    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobCount += 1 }
        queue.async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.noteEnd()
        }
    }

    private func noteEnd() {
        let resting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.jobCount -= 1
            guard state.jobCount == 0 else { return nil }
            defer { state.resting = nil }
            return state.resting
        }
        resting?.resume()
    }

    /// Suspends the calling task until no other task of the executor is ready. One task may call it at a time.
    func rest() async {
        await withCheckedContinuation { continuation in state.withLock { $0.resting = continuation } }
    }
}
