import CMicroHTTPD
import Synchronization

/// Suspends the connection of a stream while the stream waits for data.
///
/// One lock protects the wake-ups and the connection. Therefore no wake-up is lost, and each suspended connection is resumed
/// once.
final class StreamPause: @unchecked Sendable {
    // The pointer `connection` is used only under the lock of `state`: in a callback of this connection, or while the connection
    // is suspended.
    private struct State {
        var wasWoken = false
        var isSuspended = false
        var isEnding = false
    }
    private let state = Mutex(State())
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer) { self.connection = connection }

    /// Whether the server is stopping. The stream then ends, and no further piece of the stream is requested.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Forgets earlier wake-ups. Called before each call of `HTTPBodyStream.next`.
    func willPull() {
        state.withLock { $0.wasWoken = false }
    }

    /// Suspends the connection until the next wake-up or the stop of the server.
    /// - Returns: false if a wake-up has arrived since ``willPull()``, or if the server is stopping. The connection then stays
    ///   active.
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
