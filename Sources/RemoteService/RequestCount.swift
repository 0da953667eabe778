import Synchronization

/// Counts the requests that a task and its child tasks send to a remote. The remote calls `add` for each request, so a
/// call with several round trips counts as several requests.
package final class RequestCount: Sendable {
    /// The counter of the current task; nil if requests are not counted.
    @TaskLocal package static var current: RequestCount?

    private let count = Mutex(0)

    package init() {}

    package func add() { count.withLock { $0 += 1 } }

    /// The number of requests sent so far.
    package var value: Int { count.withLock { $0 } }
}
