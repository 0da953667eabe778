import Dispatch

/// Runs the tasks of a simulation one at a time, in the order in which they become ready, so runs with one seed are identical.
final class SerialTaskExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "simulation")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
