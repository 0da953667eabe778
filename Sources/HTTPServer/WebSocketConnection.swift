import Dispatch
import Foundation
import Synchronization
import WebSocketFrames

/// One WebSocket: its socket, its codec, and the calls that wait to be sent.
final class WebSocketConnection: @unchecked Sendable {
    // A lock protects `calls`. Everything else is used on the queue of `OpenWebSockets` only.
    private enum State {
        case open
        /// A close frame without an answer of the client is sent, and the handler was told the end. Further bytes are discarded until
        /// the client closes its side, because closing at once could reset the connection before the client has read the close frame.
        case lingering(ticks: Int)
        case closed
    }

    private let calls: Mutex<WebSocketCalls>
    private let sockets: OpenWebSockets
    private let descriptor: Int32
    /// Called after the descriptor was closed.
    private let onClose: @Sendable () -> Void
    private let codec: WebSocketCodec
    private var state = State.open
    /// Nil from the call of `closed` on.
    private var handler: (any WebSocketHandler)?
    /// The calls that are not encoded yet, in reverse order.
    private var waiting: [WebSocketOutput] = []
    /// The number of bytes of the codec's output that were sent.
    private var sentCount = 0

    /// Suspended while too many received messages wait to be handled.
    private let reading: any DispatchSourceRead
    private var isPaused = false
    /// Reports when the kernel takes more bytes. Nil until the kernel's buffer was full for the first time. Suspended while it is not.
    private var writing: (any DispatchSourceWrite)?
    private var isBlocked = false
    private var sourcesLeft = 1

    /// Whether a ping was sent, and whether the client has shown a sign of life since the latest one.
    private var isPinged = false
    private var isAlive = true
    private var hasClosingTick = false
    private var receivedBytesReserved = 0
    private var unsentBytesReserved = 0

    /// The size in bytes from which the unsent bytes count against the memory budget.
    private static let reservedMin = 64 << 10
    /// The number of encoded bytes from which they are sent before further ones are encoded. Texts that wait often share their
    /// memory with those of other WebSockets; encoded ones do not.
    private static let encodedMin = 64 << 10
    /// The number of reads from a WebSocket after which it is the turn of others.
    private static let readsMax = 16
    /// The number of bytes of waiting messages from which no more are read. It is twice the longest message, so a client can send
    /// a message while its previous one is handled.
    private static let waitingBytesMax = 2 << 20
    /// The maximum length in bytes of a message of a client that is not trusted yet. A message with keys and tokens has 1 to 4 KiB.
    private static let untrustedMessageBytesMax = 16 << 10

    /// - Returns: nil if memory is exhausted. The descriptor then stays open.
    init?(
        _ descriptor: Int32, _ handler: any WebSocketHandler, _ sockets: OpenWebSockets,
        onClose: @escaping @Sendable () -> Void
    ) {
        guard let codec = WebSocketCodec(.server, messageBytesMax: sockets.limits.messageBytesMax) else { return nil }
        self.codec = codec
        self.onClose = onClose
        self.descriptor = descriptor
        self.handler = handler
        self.sockets = sockets
        calls = Mutex(WebSocketCalls(bytesMax: sockets.limits.unsentBytesMax))
        reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: sockets.queue)
    }

    /// Starts to read and write.
    /// - Parameter received: the bytes that have arrived after the handshake.
    func begin(_ received: [UInt8]) {
        var on: Int32 = 1
        _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // The sources retain the connection until they are cancelled.
        reading.setEventHandler { self.readable() }
        reading.setCancelHandler { self.sourceEnded() }
        reading.activate()
        handler?.opened(WebSocket(sink: { self.call($0) }, unsentBytes: { self.unsentBytes }))
        received.withUnsafeBytes(receive)
    }

    /// Takes a call of the ``WebSocket``, on any thread.
    func call(_ output: WebSocketOutput) {
        if calls.withLock({ $0.add(output) }) { sockets.schedule(self) }
    }

    /// The number of queued bytes. Used on any thread.
    var unsentBytes: Int { calls.withLock { $0.unsentBytes } }

    /// Sends the messages of the calls that were not sent yet.
    func seeCalls() {
        if calls.withLock({ $0.see() }) { return closeAtOnce() }
        // The memory of handled messages is released.
        _ = reserve(receivedBytes, of: sockets.limits.received, &receivedBytesReserved)
        send()
        pauseOrResume()
    }

    // MARK: Receiving

    /// Reads all bytes that have arrived. On Linux, a source reports the end of a connection only once, even if bytes come before the
    /// end.
    private func readable() {
        let buffer = sockets.buffer.bytes
        for _ in 0..<Self.readsMax {
            if case .closed = state { return }
            if isPaused { return }
            let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                isAlive = true
                receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
                return
            } else if count == 0 || errno != EINTR {
                return closeAtOnce()
            }
        }
        // Now it is the turn of other WebSockets.
        sockets.queue.async { self.readable() }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        guard case .open = state, let handler else { return }
        let messageBytesMax = sockets.limits.messageBytesMax
        codec.messageBytesMax =
            handler.isTrusted ? messageBytesMax : min(messageBytesMax, Self.untrustedMessageBytesMax)
        for event in codec.receive(bytes) {
            let (isClosing, isDropped) = calls.withLock { ($0.isClosing, $0.isDropped) }
            switch event {
            case .text(let text):
                guard !isClosing else { continue }
                calls.withLock { $0.received(text) }
                handler.received(text)
            case .pong(let payload): if !isDropped { handler.ponged(payload) }
            case .close: break
            }
        }
        guard reserve(receivedBytes, of: sockets.limits.received, &receivedBytesReserved) else {
            codec.sendClose(code: 1011, reason: "The server is short of memory.")
            return endAfterSending()
        }
        send()
        pauseOrResume()
    }

    /// The memory of received messages in bytes.
    private var receivedBytes: Int { codec.bytesBuffered + calls.withLock { $0.waitingBytes } }

    /// Stops to read while too many messages wait, so that the client's own system makes it wait.
    private func pauseOrResume() {
        guard case .open = state, let handler else { return }
        let mustPause = calls.withLock { $0.waitingBytes } > (handler.isTrusted ? Self.waitingBytesMax : 0)
        guard mustPause != isPaused else { return }
        if mustPause { pause() } else { resume() }
    }

    private func pause() {
        isPaused = true
        reading.suspend()
    }

    private func resume() {
        guard isPaused else { return }
        isPaused = false
        reading.resume()
        // The source may have reported the bytes that have arrived, or the end, before it was suspended.
        sockets.queue.async { self.readable() }
    }

    // MARK: Sending

    /// Encodes and sends the waiting calls, until the kernel takes no more.
    private func send() {
        guard case .open = state else { return }
        var hasSent = false
        while !isBlocked {
            encode()
            guard sentCount < codec.output.count else { break }
            let count = codec.output.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress! + sentCount, $0.count - sentCount, noSignal)
            }
            if count >= 0 {
                hasSent = true
                sentCount += count
                if sentCount == codec.output.count {
                    codec.output = []
                    sentCount = 0
                }
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                awaitRoom()
            } else if errno != EINTR {
                return closeAtOnce()
            }
        }
        let (unsent, isOverfull) = calls.withLock {
            ($0.noteEncoded(codec.output.count - sentCount), $0.isOverfull)
        }
        guard !isOverfull,
            reserve(unsent < Self.reservedMin ? 0 : unsent, of: sockets.limits.unsent, &unsentBytesReserved)
        else { return closeAtOnce() }
        if unsent == 0, codec.isOver { return codec.failure == nil ? closeAtOnce() : linger() }
        if unsent == 0, hasSent { handler?.drained() }
    }

    /// Encodes waiting calls, until there are enough bytes for a call of `send`.
    private func encode() {
        while codec.output.count < Self.encodedMin {
            if waiting.isEmpty { waiting = calls.withLock { $0.take() }.reversed() }
            guard let next = waiting.popLast() else { return }
            switch next {
            case .text(let text): codec.sendText(text)
            case .ping(let payload): codec.sendPing(payload)
            case .close(let code, let reason): codec.sendClose(code: code, reason: reason)
            case .drop, .handled: break
            }
            let encoded = codec.output.count - sentCount
            calls.withLock { $0.noteEncoded(next, encoded) }
        }
    }

    /// Continues to send when the kernel takes more bytes.
    private func awaitRoom() {
        isBlocked = true
        if let writing { return writing.resume() }
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: sockets.queue)
        source.setEventHandler { [self] in
            guard isBlocked else { return }
            // The client has read something, even if it has sent nothing.
            isAlive = true
            isBlocked = false
            writing?.suspend()
            send()
        }
        source.setCancelHandler { self.sourceEnded() }
        sourcesLeft += 1
        writing = source
        source.activate()
    }

    /// Changes a reservation of memory to `count` bytes.
    /// - Returns: false if the budget is exhausted. The reservation is then unchanged.
    private func reserve(_ count: Int, of budget: ByteBudget, _ reserved: inout Int) -> Bool {
        if count > reserved {
            guard budget.reserve(count - reserved) else { return false }
        } else if count < reserved {
            budget.release(reserved - count)
        }
        reserved = count
        return true
    }

    // MARK: The end

    /// Called at each interval of the pings. Drops the WebSocket if nothing came from the client since the previous ping. Bounds the time
    /// of a closing one to two intervals.
    func tick() {
        switch state {
        case .closed: return
        case .lingering(let ticks): if ticks > 0 { closeAtOnce() } else { state = .lingering(ticks: ticks + 1) }
        case .open:
            // The answer to a ping is not read while messages wait. A client that reads nothing then is still found out.
            let isUnknown = isPaused && !isBlocked
            guard isAlive || isUnknown || !isPinged, !hasClosingTick else { return closeAtOnce() }
            isAlive = false
            isPinged = true
            hasClosingTick = calls.withLock { $0.isClosing }
            if let payload = handler?.pingPayload() { call(.ping(payload)) }
        }
    }

    /// Ends the WebSocket as soon as the close frame is sent, without waiting for that of the client.
    private func endAfterSending() {
        send()
        if case .open = state { linger() }
    }

    /// Ends the WebSocket, but keeps the connection until the client closes it.
    private func linger() {
        guard case .open = state else { return }
        state = .lingering(ticks: 0)
        end()
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes the connection at once.
    func closeAtOnce() {
        switch state {
        case .closed: return
        case .lingering: state = .closed
        case .open:
            state = .closed
            end()
        }
        reading.cancel()
        // A suspended source does not report its end.
        if !isBlocked { writing?.resume() }
        writing?.cancel()
    }

    private func end() {
        calls.withLock { $0.close() }
        waiting = []
        codec.output = []
        _ = reserve(0, of: sockets.limits.received, &receivedBytesReserved)
        _ = reserve(0, of: sockets.limits.unsent, &unsentBytesReserved)
        handler.take()?.closed()
        // The end of the connection, and bytes to discard, must be read.
        resume()
    }

    private func sourceEnded() {
        sourcesLeft -= 1
        guard sourcesLeft == 0 else { return }
        writing = nil
        _ = close(descriptor)
        onClose()
        sockets.closed(self)
    }
}
