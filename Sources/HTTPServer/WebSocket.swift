/// The receiver of one WebSocket's events. The server makes one call at a time, all on one serial queue, so no call may take long.
package protocol WebSocketHandler: AnyObject, Sendable {
    /// The handshake is done. Called once, before any other method except `closed`.
    func opened(_ socket: WebSocket)
    /// Receives a whole text message, in UTF-8 (already validated). The message counts as waiting until the handler calls
    /// `WebSocket.handled`. While 2 MiB of messages wait, the server reads no more from the client.
    func received(_ text: [UInt8])
    /// Whether the client may send long messages, and several at a time. Before, the server reads nothing while a message waits, and
    /// a message of more than 16 KiB closes the WebSocket with code 1009. Once true, it must stay true.
    var isTrusted: Bool { get }
    /// Receives the payload of a ping that the client has answered (its pong). A client may also send pongs of its own accord.
    func ponged(_ payload: [UInt8])
    /// The payload of the server's next regular ping (at most 125 bytes).
    func pingPayload() -> [UInt8]
    /// The queued frames have all been handed to the kernel, after `unsentBytes` was above 0.
    func drained()
    /// Called once, last: the socket was closed by either side, is broken, or the response of the handshake was never sent. In the
    /// last case, the call comes from the thread that has dropped the response.
    func closed()
}

/// An open WebSocket. All methods may be called from any thread, also after the socket has closed (then they do nothing).
///
/// Frames are sent in the order of the calls.
package final class WebSocket: Sendable {
    private let sink: @Sendable (WebSocketOutput) -> Void
    private let unsent: @Sendable () -> Int

    /// - Parameters:
    ///   - sink: receives each call.
    ///   - unsentBytes: returns the number of queued bytes.
    package init(
        sink: @escaping @Sendable (WebSocketOutput) -> Void, unsentBytes: @escaping @Sendable () -> Int = { 0 }
    ) {
        self.sink = sink
        unsent = unsentBytes
    }

    /// Sends a text message. `text` must be valid UTF-8.
    package func send(_ text: [UInt8]) { sink(.text(text)) }

    /// Sends a ping. Of a longer payload, the first 125 bytes are sent.
    package func ping(_ payload: [UInt8]) { sink(.ping(payload)) }

    /// Notes that a received message waits no longer.
    package func handled(_ text: [UInt8]) { sink(.handled(text.count)) }

    /// Sends a close frame after the queued messages. Then waits for the client's close frame, for at most 20 s. From this call
    /// on, messages of the client are discarded.
    /// - Parameters:
    ///   - code: 1000 to 1011 except 1004 to 1006, or 3000 to 4999 (RFC 6455 §7.4).
    ///   - reason: at most 123 bytes of UTF-8. Of a longer text, the beginning is sent.
    package func close(code: UInt16, reason: String) { sink(.close(code, reason)) }

    /// Closes the connection at once, without a close frame.
    package func drop() { sink(.drop) }

    /// The number of queued bytes in this process. The kernel's buffer does not count.
    package var unsentBytes: Int { unsent() }
}

/// A call of a ``WebSocket``.
package enum WebSocketOutput: Sendable, Hashable {
    case text([UInt8])
    case ping([UInt8])
    case close(UInt16, String)
    case drop
    /// A received message with this number of bytes waits no longer.
    case handled(Int)
}
