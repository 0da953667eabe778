import Foundation
import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 with one thread for each connection. Unlike `HTTPServer`, it can break a connection in
/// place of a response.
final class SocketServer: Sendable {
    /// Returns the response to a request; nil to break the connection.
    typealias Handler = @Sendable (TablesRequest) -> TablesAnswer?

    let port: UInt16
    private let listener: Int32
    private let state = Mutex(State())

    private struct State {
        var isClosed = false
        var connections: Set<Int32> = []
    }

    /// - Parameter headBytesMax: the maximum length of a request line and headers. A longer head is answered with status 431.
    /// - Throws: `POSIXError` if no port is free.
    init(headBytesMax: Int, handler: @escaping Handler) throws {
        listener = SocketAddressing.makeSocket()
        port = try SocketAddressing.bindToFreePort(listener)
        guard listen(listener, SOMAXCONN) == 0 else { throw POSIXError(.EINVAL) }
        Thread { [self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0, register(descriptor) else {
                    if descriptor >= 0 { Foundation.close(descriptor) }
                    break
                }
                Thread { [self] in
                    SocketConnection(descriptor: descriptor, headBytesMax: headBytesMax).serve(handler)
                    release(descriptor)
                }.start()
            }
            Foundation.close(listener)
        }.start()
    }

    /// Stops accepting and breaks all connections. The accepting thread closes the listening socket, because the number of the
    /// descriptor could be reused while `accept` runs on it.
    func close() {
        let wasClosed = state.withLock { state in
            defer { state.isClosed = true }
            for descriptor in state.connections { shutdown(descriptor, Int32(SHUT_RDWR)) }
            return state.isClosed
        }
        guard !wasClosed else { return }
        let waker = SocketAddressing.makeSocket()
        _ = SocketAddressing.withLoopbackAddress(port) { connect(waker, $0, $1) }
        Foundation.close(waker)
    }

    /// - Returns: false if the server is closed.
    private func register(_ descriptor: Int32) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.connections.insert(descriptor)
            return true
        }
    }

    private func release(_ descriptor: Int32) {
        state.withLock { state in
            state.connections.remove(descriptor)
            // Closed under the lock, so that `close` does not shut down a reused descriptor.
            Foundation.close(descriptor)
        }
    }
}
