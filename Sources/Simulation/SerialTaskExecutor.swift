import Dispatch

/// Runs the tasks of one run one after the other, in the order in which they became ready: no two runs of one seed differ.
final class SerialTaskExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "simulation")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
