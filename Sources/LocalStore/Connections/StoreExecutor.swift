import Dispatch

/// The threads for the writes of a store, and for reads from async code. SQLite blocks its thread, so writes and reads do not run
/// on Swift's cooperative pool.
package struct StoreExecutor: Sendable {
    /// Starts a job that commits groups of writes. The jobs of one store never overlap.
    let startWrites: @Sendable (_ job: @escaping @Sendable () -> Void) -> Void
    /// The maximum number of concurrent reads of async callers. With 0, each read runs on its caller's thread.
    let readThreads: Int

    /// One thread for writes and two for reads.
    package static func threads() -> StoreExecutor {
        let writes = DispatchQueue(label: "tidegate.store-writes")
        return StoreExecutor(startWrites: { writes.async(execute: $0) }, readThreads: 2)
    }

    /// An executor for deterministic runs. A read runs on the caller's thread, and a write runs when `startWrites` runs its job.
    /// - Parameter startWrites: must run each job once, one after the other.
    package static func deterministic(
        startWrites: @escaping @Sendable (_ job: @escaping @Sendable () -> Void) -> Void
    ) -> StoreExecutor {
        StoreExecutor(startWrites: startWrites, readThreads: 0)
    }
}
