import Dispatch

/// Where a store runs its writes and the reads of async callers. SQLite blocks its thread, so the threads of tasks are the wrong place.
package struct StoreExecutor: Sendable {
    /// Starts a job that commits groups of writes. The jobs of one store never overlap.
    let startWrites: @Sendable (_ job: @escaping @Sendable () -> Void) -> Void
    /// How many reads of async callers run at once. 0: each runs on its caller's thread.
    let readThreads: Int

    /// One thread for writes and two for reads.
    package static func threads() -> StoreExecutor {
        let writes = DispatchQueue(label: "tidegate.store-writes")
        return StoreExecutor(startWrites: { writes.async(execute: $0) }, readThreads: 2)
    }

    /// For deterministic runs: reads run on the caller's thread, and writes when `startWrites` runs the job.
    /// - Parameter startWrites: must run each job once, one after the other.
    package static func deterministic(
        startWrites: @escaping @Sendable (_ job: @escaping @Sendable () -> Void) -> Void
    ) -> StoreExecutor {
        StoreExecutor(startWrites: startWrites, readThreads: 0)
    }
}
