import CWslay

/// Encodes and decodes the frames of one WebSocket (RFC 6455) by wslay. Does no I/O: it takes the bytes that were received, and
/// its `output` has the bytes to send.
///
/// Frames are sent in the order of the calls: a ping after a text is sent after this text. The memory of a codec is bounded:
/// a message has at most `messageBytesMax` bytes in any number of fragments, and only the caller and the answers to pings
/// add to `output`.
package final class WebSocketCodec {
    /// The side of the connection.
    package enum Role {
        case server
        /// - Parameter mask: returns a mask of four unpredictable bytes (RFC 6455 §5.3). Called once for each frame.
        case client(mask: () -> UInt32)
    }

    /// A received message.
    package enum Event: Equatable {
        /// A whole text message in valid UTF-8.
        case text([UInt8])
        /// The payload of a pong.
        case pong([UInt8])
        /// The close frame of the other side, which has been answered. `code` is nil for a close frame without a code.
        case close(code: UInt16?)
    }

    /// The bytes to send, in order. The caller removes the bytes that it has sent.
    package var output: [UInt8] = []
    /// The code with which the WebSocket was failed because of a wrong frame; nil if all frames were correct. Later bytes are
    /// ignored.
    package private(set) var failure: UInt16?
    /// Whether a close frame is in `output`, or was taken from it. Later messages are not sent.
    package private(set) var isCloseQueued = false
    /// Whether the close frame of the other side was received.
    package private(set) var isCloseReceived = false

    /// The maximum length of a received message in bytes.
    package var messageBytesMax: Int

    private let role: Role
    /// wslay's state, about 9 KB. Nil only if memory is exhausted.
    private var context: OpaquePointer?
    /// The received bytes that wslay has not read yet. Empty outside of `receive`.
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    private var events: [Event] = []
    private var message: [UInt8] = []
    private var isInControlFrame = false

    /// The longest payload of a ping, a pong and a close frame in bytes.
    package static let controlBytesMax = 125

    /// - Parameter messageBytesMax: the maximum length of a received message in bytes. It can be lowered, and raised again up to
    ///   this value.
    /// - Returns: nil if memory is exhausted.
    package init?(_ role: Role, messageBytesMax: Int) {
        self.role = role
        self.messageBytesMax = messageBytesMax
        context = makeContext()
        if context == nil { return nil }
    }

    deinit { wslay_event_context_free(context) }

    /// The length in bytes of the part of a message that has been received so far.
    package var bytesBuffered: Int { message.count }

    /// Whether both sides have sent a close frame, or this side has sent one because of a wrong frame. The connection is then
    /// closed when `output` is sent.
    package var isOver: Bool { isCloseQueued && isCloseReceived || failure != nil }

    /// Decodes received bytes. Queues the answers to pings and to a close frame, and a close frame after a wrong frame.
    package func receive(_ bytes: UnsafeRawBufferPointer) -> [Event] {
        guard failure == nil, !isCloseReceived, context != nil else { return [] }
        input = bytes
        let code = wslay_event_recv(context)
        input = UnsafeRawBufferPointer(start: nil, count: 0)
        if code != 0, failure == nil {
            restart(code == WSLAY_ERR_NOMEM.rawValue ? WSLAY_CODE_INTERNAL_SERVER_ERROR : WSLAY_CODE_PROTOCOL_ERROR)
        }
        encode()
        noteFailure()
        defer { events = [] }
        return events
    }

    /// Queues a text message.
    package func sendText(_ text: [UInt8]) { queue(WSLAY_TEXT_FRAME, text) }

    /// Queues a ping. Sends at most the first 125 bytes of the payload.
    package func sendPing(_ payload: [UInt8]) { queue(WSLAY_PING, Array(payload.prefix(Self.controlBytesMax))) }

    /// Queues a close frame.
    /// - Parameters:
    ///   - code: a code that RFC 6455 §7.4 allows in a frame: 1000 to 1011 except 1004 to 1006, or 3000 to 4999.
    ///   - reason: a text of at most 123 bytes of UTF-8. Of a longer text, the beginning is sent.
    package func sendClose(code: UInt16, reason: String) {
        queueClose(code, reason)
        encode()
    }

    private func queueClose(_ code: UInt16, _ reason: String) {
        isCloseQueued = true
        var text = reason
        while text.utf8.count > Self.controlBytesMax - 2 { text.removeLast() }
        let bytes = Array(text.utf8)
        wslay_event_queue_close(context, code, bytes, bytes.count)
    }

    private func queue(_ opcode: wslay_opcode, _ payload: [UInt8]) {
        payload.withUnsafeBufferPointer { payload in
            var message = wslay_event_msg(
                opcode: UInt8(opcode.rawValue), msg: payload.baseAddress, msg_length: payload.count)
            wslay_event_queue_msg(context, &message)
        }
        encode()
    }

    /// Encodes what wslay has queued. `output` takes all of it, so wslay keeps nothing. wslay would send pings before texts that
    /// were queued earlier.
    private func encode() { wslay_event_send(context) }

    /// Fails the WebSocket: queues a close frame with the code, and ignores all later bytes.
    private func fail(_ code: wslay_status_code) {
        guard failure == nil else { return }
        failure = UInt16(code.rawValue)
        message = []
        wslay_event_shutdown_read(context)
        if !isCloseQueued { queueClose(UInt16(code.rawValue), "") }
    }

    /// Fails the WebSocket after an error of wslay's decoder, which queues a close frame without a code. A new context sends the
    /// close frame with the code.
    private func restart(_ code: wslay_status_code) {
        if !isCloseQueued {
            wslay_event_context_free(context)
            context = makeContext()
        }
        fail(code)
    }

    /// Notes that wslay has failed the WebSocket itself.
    private func noteFailure() {
        guard failure == nil, !isCloseReceived, wslay_event_get_read_enabled(context) == 0 else { return }
        let code = wslay_event_get_status_code_sent(context)
        failure = isCloseQueued ? UInt16(WSLAY_CODE_PROTOCOL_ERROR.rawValue) : code
        isCloseQueued = true
        message = []
    }
}

// The callbacks of wslay, which makes them during `wslay_event_recv` and `wslay_event_send` only.
extension WebSocketCodec {
    private func makeContext() -> OpaquePointer? {
        var callbacks = wslay_event_callbacks()
        callbacks.recv_callback = { context, buffer, count, _, codec in
            let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: count)
            let readCount = WebSocketCodec.codec(codec).read(into: buffer)
            if readCount <= 0 { wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK.rawValue) }
            return readCount
        }
        callbacks.send_callback = { _, bytes, count, _, codec in
            WebSocketCodec.codec(codec).output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
            return count
        }
        callbacks.genmask_callback = { _, bytes, count, codec in
            guard case .client(let mask) = WebSocketCodec.codec(codec).role else { return -1 }
            withUnsafeBytes(of: mask()) {
                UnsafeMutableRawBufferPointer(start: bytes, count: count).copyBytes(from: $0.prefix(count))
            }
            return 0
        }
        callbacks.on_frame_recv_start_callback = { _, frame, codec in
            if let frame { WebSocketCodec.codec(codec).begin(frame.pointee) }
        }
        callbacks.on_frame_recv_chunk_callback = { _, chunk, codec in
            if let chunk { WebSocketCodec.codec(codec).add(chunk.pointee) }
        }
        callbacks.on_msg_recv_callback = { _, message, codec in
            if let message { WebSocketCodec.codec(codec).finish(message.pointee) }
        }
        var context: OpaquePointer?
        let codec = Unmanaged.passUnretained(self).toOpaque()
        let code =
            switch role {
            case .server: wslay_event_context_server_init(&context, &callbacks, codec)
            case .client: wslay_event_context_client_init(&context, &callbacks, codec)
            }
        guard code == 0 else { return nil }
        // Without buffering, wslay does not allocate memory for each fragment of a message.
        wslay_event_config_set_no_buffering(context, 1)
        wslay_event_config_set_max_recv_msg_length(context, UInt64(max(messageBytesMax, Self.controlBytesMax)))
        return context
    }

    private static func codec(_ pointer: UnsafeMutableRawPointer?) -> WebSocketCodec {
        guard let pointer else { preconditionFailure("wslay passes the pointer that it was given") }
        return Unmanaged<WebSocketCodec>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = UnsafeRawBufferPointer(rebasing: input.prefix(buffer.count))
        guard !piece.isEmpty else { return -1 }
        buffer.copyMemory(from: piece)
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(piece.count))
        return piece.count
    }

    private func begin(_ frame: wslay_event_on_frame_recv_start_arg) {
        let opcode = UInt32(frame.opcode)
        isInControlFrame = opcode >= WSLAY_CONNECTION_CLOSE.rawValue
        if opcode == WSLAY_BINARY_FRAME.rawValue {
            fail(WSLAY_CODE_UNSUPPORTED_DATA)
        } else if opcode == WSLAY_CONNECTION_CLOSE.rawValue, frame.payload_length == 1 {
            fail(WSLAY_CODE_PROTOCOL_ERROR)
        } else if !isInControlFrame, frame.payload_length > UInt64(max(0, messageBytesMax - message.count)) {
            fail(WSLAY_CODE_MESSAGE_TOO_BIG)
        }
    }

    private func add(_ chunk: wslay_event_on_frame_recv_chunk_arg) {
        guard failure == nil, !isInControlFrame else { return }
        message.append(contentsOf: UnsafeBufferPointer(start: chunk.data, count: chunk.data_length))
    }

    private func finish(_ received: wslay_event_on_msg_recv_arg) {
        guard failure == nil else { return }
        switch UInt32(received.opcode) {
        case WSLAY_TEXT_FRAME.rawValue:
            events.append(.text(message))
            message = []
        case WSLAY_PONG.rawValue:
            events.append(.pong(Array(UnsafeBufferPointer(start: received.msg, count: received.msg_length))))
        case WSLAY_CONNECTION_CLOSE.rawValue:
            isCloseReceived = true
            isCloseQueued = true
            message = []
            events.append(.close(code: received.status_code == 0 ? nil : received.status_code))
        default: break
        }
    }
}
