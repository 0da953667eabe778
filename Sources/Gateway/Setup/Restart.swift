import GatewayAPI
import Synchronization

/// A request to start the gateway again with a new configuration.
final class Restart: Sendable {
    private let (requests, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let requested = Mutex(false)

    /// Whether a restart is requested.
    var isRequested: Bool { requested.withLock { $0 } }

    func request() {
        requested.withLock { $0 = true }
        continuation.yield()
    }

    /// Waits for a request, or for the cancellation of the task.
    func wait() async { for await _ in requests { return } }
}

/// What a gateway takes over from the one before it in the same program.
package struct Restarted: Sendable {
    let owners: OwnerSessions
    let port: UInt16
}
