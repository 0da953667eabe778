import CMicroHTTPD
import Synchronization

/// Suspends the connection of a stream that waits, and resumes it.
///
/// One lock covers "nothing came meanwhile" and the suspending, and "still suspended" and the resuming, so that no news is
/// missed and a connection is resumed exactly once.
final class StreamPause: @unchecked Sendable {
    // The connection is used under the lock only, while it is suspended or from its own callback.
    private struct State {
        var hasNews = false
        var isSuspended = false
        var isEnding = false
    }
    private let state = Mutex(State())
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer) { self.connection = connection }

    /// The server stops: the stream has to end at its next pull.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// To be called before each pull: what comes from here on is news.
    func willPull() {
        state.withLock { $0.hasNews = false }
    }

    /// - Returns: false where something came since the last pull, so that the connection has not been suspended.
    func suspend() -> Bool {
        state.withLock { state in
            guard !state.hasNews, !state.isEnding else { return false }
            state.isSuspended = true
            MHD_suspend_connection(connection)
            return true
        }
    }

    func wake() {
        state.withLock { state in
            state.hasNews = true
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
