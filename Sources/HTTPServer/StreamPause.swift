import CMicroHTTPD
import Synchronization

/// Suspends the connection of a stream that waits for data, and resumes it.
///
/// One lock covers the check for a wake-up and the suspend or resume. No wake-up is lost, and a connection is resumed once.
final class StreamPause: @unchecked Sendable {
    // The connection is used only under the lock, either from its own callback or while it is suspended.
    private struct State {
        var wasWoken = false
        var isSuspended = false
        var isEnding = false
    }
    private let state = Mutex(State())
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer) { self.connection = connection }

    /// Whether the server is stopping. If it is, the stream ends before another piece of it is requested.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Forgets earlier wake-ups. Called before each call of `HTTPBodyStream.next`.
    func willPull() {
        state.withLock { $0.wasWoken = false }
    }

    /// Suspends the connection until the next wake-up.
    /// - Returns: false if a wake-up has arrived since ``willPull()`` or the server is stopping. The connection
    ///   then stays active.
    func suspend() -> Bool {
        state.withLock { state in
            guard !state.wasWoken, !state.isEnding else { return false }
            state.isSuspended = true
            MHD_suspend_connection(connection)
            return true
        }
    }

    func wake() {
        state.withLock { state in
            state.wasWoken = true
            resume(&state)
        }
    }

    func end() {
        state.withLock { state in
            state.isEnding = true
            resume(&state)
        }
    }

    private func resume(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        MHD_resume_connection(connection)
    }
}
