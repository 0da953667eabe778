import Synchronization

/// Counts the requests that a task, and its child tasks, send to a remote. A remote calls `add` for each request that it
/// hands to its transport, so one call of a `RemoteService` that takes several round trips counts as several.
package final class RequestCount: Sendable {
    /// The count of the current task; nil where no caller wants one.
    @TaskLocal package static var current: RequestCount?

    private let count = Mutex(0)

    package init() {}

    package func add() { count.withLock { $0 += 1 } }

    /// The requests sent so far.
    package var value: Int { count.withLock { $0 } }
}
