import CMicroHTTPD
import Synchronization

/// Suspends the connection of a waiting stream, and resumes it.
///
/// One lock covers both the check for a wake-up and the suspend or resume. No wake-up is lost, and a connection is
/// resumed exactly once.
final class StreamPause: @unchecked Sendable {
    // The connection is accessed only under the lock: while it is suspended, or from its own callback.
    private struct State {
        var wasWoken = false
        var isSuspended = false
        var isEnding = false
    }
    private let state = Mutex(State())
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer) { self.connection = connection }

    /// True if the server stops. The stream then ends at its next pull.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Clears earlier wake-ups. Called before each pull.
    func willPull() {
        state.withLock { $0.wasWoken = false }
    }

    /// Suspends the connection until the next wake-up.
    /// - Returns: false if a wake-up has arrived since ``willPull()``; the connection then stays active.
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
