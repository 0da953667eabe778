import Dispatch

/// Runs tasks and jobs one after the other, in the order in which they became ready.
final class SerialExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "serial")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    func run(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
}
