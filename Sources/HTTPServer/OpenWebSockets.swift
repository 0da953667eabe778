import Dispatch
import Foundation
import Synchronization

/// The limits of all WebSockets of a server.
struct WebSocketLimits: Sendable {
    /// The maximum length of a received message in bytes.
    let messageBytesMax: Int
    /// The maximum number of unsent bytes of a WebSocket besides its largest message.
    let unsentBytesMax: Int
    /// The memory budget for received messages that are incomplete or wait to be handled.
    let received: ByteBudget
    /// The memory budget for the unsent bytes of WebSockets with at least 64 KiB of them.
    let unsent: ByteBudget
}

/// The open WebSockets of a server. One serial queue reads and writes all of them, and calls their handlers.
final class OpenWebSockets: Sendable {
    private struct State {
        var isStopping = false
        var open: [ObjectIdentifier: WebSocketConnection] = [:]
        /// The WebSockets with new calls, which the queue has not seen yet.
        var called: [WebSocketConnection] = []
        /// Pings all WebSockets. Nil while there is none.
        var pinging: Task<Void, Never>?
    }
    private let state = Mutex(State())
    let queue = DispatchQueue(label: "tidegate.websockets")
    let limits: WebSocketLimits
    /// One buffer for the received bytes of all WebSockets, which would otherwise each keep one while they are idle.
    let buffer = ReceiveBuffer()
    private let inProgress: RequestsInProgress
    private let sleep: @Sendable (Duration) async throws -> Void
    private let onClose: @Sendable () -> Void

    /// The time between two pings.
    static let pingInterval = Duration.seconds(10)

    /// - Parameters:
    ///   - sleep: suspends for a duration, and throws if its task is cancelled.
    ///   - onClose: called after each WebSocket's descriptor was closed.
    init(
        limits: WebSocketLimits, sleep: @escaping @Sendable (Duration) async throws -> Void,
        onClose: @escaping @Sendable () -> Void
    ) {
        self.limits = limits
        self.sleep = sleep
        self.onClose = onClose
        inProgress = RequestsInProgress(sleep: sleep)
    }

    /// Opens a WebSocket.
    /// - Parameters:
    ///   - descriptor: the socket, which belongs to the WebSocket from now on.
    ///   - received: the bytes that have arrived after the handshake. Valid during the call only.
    ///   - onClose: called once, after the descriptor was closed.
    func add(
        _ descriptor: Int32, _ handler: any WebSocketHandler, received: UnsafeRawBufferPointer,
        onClose: @escaping @Sendable () -> Void = {}
    ) {
        inProgress.begin()
        let received = Array(received)
        queue.async { self.open(descriptor, handler, received, onClose) }
    }

    private func open(
        _ descriptor: Int32, _ handler: any WebSocketHandler, _ received: [UInt8],
        _ onClose: @escaping @Sendable () -> Void
    ) {
        let isStopping = state.withLock { $0.isStopping }
        guard !isStopping, let connection = WebSocketConnection(descriptor, handler, self, onClose: onClose) else {
            handler.closed()
            _ = close(descriptor)
            onClose()
            return noteClosed()
        }
        state.withLock { state in
            state.open[ObjectIdentifier(connection)] = connection
            if state.pinging == nil { state.pinging = Task { await self.ping() } }
        }
        connection.begin(received)
    }

    /// Forgets a WebSocket whose descriptor was closed.
    func closed(_ connection: WebSocketConnection) {
        _ = state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(connection)) }
        noteClosed()
    }

    private func noteClosed() {
        onClose()
        inProgress.end()
    }

    /// Lets the queue see the new calls of a WebSocket. The calls of several WebSockets share one switch to the queue.
    func schedule(_ connection: WebSocketConnection) {
        let isFirst = state.withLock { state in
            state.called.append(connection)
            return state.called.count == 1
        }
        guard isFirst else { return }
        queue.async {
            let called = self.state.withLock { state in
                defer { state.called = [] }
                return state.called
            }
            for connection in called { connection.seeCalls() }
        }
    }

    /// Pings all WebSockets at each interval, until there is none.
    private func ping() async {
        while (try? await sleep(Self.pingInterval)) != nil {
            let isLast = await onQueue { connections in
                for connection in connections { connection.tick() }
                return self.state.withLock { state in
                    if state.open.isEmpty { state.pinging = nil }
                    return state.open.isEmpty
                }
            }
            if isLast { return }
        }
    }

    /// Closes all WebSockets with code 1001. A WebSocket that opens later is dropped at once.
    func closeAll() {
        queue.async {
            let connections = self.state.withLock { state in
                state.isStopping = true
                return Array(state.open.values)
            }
            for connection in connections { connection.call(.close(1001, "The server stops.")) }
        }
    }

    /// Waits until no WebSocket is open, for at most `limit`.
    func waitUntilNone(within limit: Duration) async { await inProgress.waitUntilNone(within: limit) }

    /// Drops all WebSockets, and waits until their descriptors are closed.
    func dropAll() async {
        await onQueue { connections in
            self.state.withLock { state in
                state.isStopping = true
                state.pinging?.cancel()
                state.pinging = nil
            }
            for connection in connections { connection.closeAtOnce() }
        }
        // The system reports the end of each dispatch source to the queue before the descriptor is closed.
        await waitUntilNone(within: .seconds(1))
    }

    private func onQueue<Result: Sendable>(
        _ work: @escaping @Sendable ([WebSocketConnection]) -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async {
                let connections = self.state.withLock { Array($0.open.values) }
                continuation.resume(returning: work(connections))
            }
        }
    }
}

/// A buffer for one call of `recv`. Used on the queue of the WebSockets only.
final class ReceiveBuffer: @unchecked Sendable {
    // The pointer is constant. One thread at a time uses the memory.
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    deinit { bytes.deallocate() }
}
