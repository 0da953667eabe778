/// A WebSocket to a server (RFC 6455), over libcurl's connection: with TLS and proxies as ``CurlTransport`` uses them.
///
/// A thread of its own reads and writes. It pings the server every 10 s, and ends the WebSocket if nothing came from the server since
/// the previous ping. The WebSocket is dropped when its last reference is released.
package final class WebSocketClient: Sendable {
    /// The sources of time and randomness.
    package struct Sources: Sendable {
        let sleep: @Sendable (Duration) async throws -> Void
        let randomBytes: @Sendable (Int) -> [UInt8]

        /// - Parameters:
        ///   - sleep: suspends for a duration, and throws if its task is cancelled.
        ///   - randomBytes: returns unpredictable bytes, from a cryptographic source.
        package init(
            sleep: @escaping @Sendable (Duration) async throws -> Void,
            randomBytes: @escaping @Sendable (Int) -> [UInt8]
        ) {
            self.sleep = sleep
            self.randomBytes = randomBytes
        }
    }

    private let loop: WebSocketClientLoop
    private let pinging: Task<Void, Never>

    private init(_ loop: WebSocketClientLoop, _ sources: Sources) {
        self.loop = loop
        pinging = Task {
            while (try? await sources.sleep(WebSocketClientLoop.pingInterval)) != nil { loop.tick() }
        }
    }

    deinit {
        pinging.cancel()
        loop.call(.drop)
    }

    /// Connects to a server, and waits for its answer to the handshake, for at most twice the `connectTimeout`.
    /// - Parameters:
    ///   - request: the URL (`http` or `https`), further headers, and the addresses that may be connected. The rest is ignored.
    ///   - messageBytesMax: the maximum length of a received message in bytes. A longer one closes the WebSocket with code 1009.
    /// - Throws: ``WebSocketClientError``
    package static func connect(
        _ request: HTTPClientRequest, configuration: CurlTransport.Configuration = .init(), messageBytesMax: Int,
        sources: Sources
    ) async throws(WebSocketClientError) -> WebSocketClient {
        guard let address = WebAddress(request.url) else { throw .notConnected(reason: "the URL is not valid") }
        let loop = WebSocketClientLoop(request, address, configuration, messageBytesMax, sources.randomBytes)
        let limit = Task {
            guard (try? await sources.sleep(configuration.connectTimeout * 2)) != nil else { return }
            loop.giveUp(.notConnected(reason: "the server has not answered the handshake in time"))
        }
        defer { limit.cancel() }
        let failure = await withTaskCancellationHandler {
            await loop.start()
        } onCancel: {
            loop.giveUp(.notConnected(reason: "cancelled"))
        }
        if let failure { throw failure }
        return WebSocketClient(loop, sources)
    }

    /// The messages of the server, in UTF-8. Supports one reader at a time. The sequence ends with the WebSocket, and `end` then has the
    /// reason. The server has to wait while 1 MiB of messages is unread.
    package var messages: Messages { Messages(loop: loop) }

    /// Sends a text message in valid UTF-8. Does nothing after the end.
    package func send(_ text: [UInt8]) { loop.call(.text(text)) }

    /// Sends a close frame after the earlier messages, then waits for that of the server, for at most 20 s.
    /// - Parameters:
    ///   - code: 1000 to 1011 except 1004 to 1006, or 3000 to 4999 (RFC 6455 §7.4).
    ///   - reason: at most 123 bytes of UTF-8. Of a longer text, the beginning is sent.
    package func close(code: UInt16, reason: String) { loop.call(.close(code, reason)) }

    /// The number of bytes that the kernel has not taken yet.
    package var unsentBytes: Int { loop.unsentBytes }

    /// The reason of the end; nil while the WebSocket is open.
    package var end: WebSocketEnd? { loop.end }

    /// The received messages.
    package struct Messages: AsyncSequence, Sendable {
        fileprivate let loop: WebSocketClientLoop

        package func makeAsyncIterator() -> Iterator { Iterator(loop: loop) }

        package struct Iterator: AsyncIteratorProtocol {
            fileprivate let loop: WebSocketClientLoop

            /// The next message; nil at the end of the WebSocket, and if the task is cancelled.
            package func next() async -> [UInt8]? { await loop.nextMessage() }
        }
    }
}

/// The reason why a WebSocket was not opened.
package enum WebSocketClientError: Error, Sendable, Hashable {
    /// There is no connection, or no complete answer to the handshake.
    case notConnected(reason: String)
    /// The server has answered the handshake with another status than 101.
    case refused(status: Int)
    /// The server has answered the handshake with status 101, but not as RFC 6455 demands.
    case wrongHandshake
    /// `HTTPClientRequest.mayConnect` has rejected the address.
    case forbidden(address: String)
}

/// The reason why a WebSocket ended.
package enum WebSocketEnd: Sendable, Hashable {
    /// The server has sent a close frame. `code` is nil for a close frame without a code.
    case closed(code: UInt16?)
    /// The server has sent wrong frames, or too long a message.
    case failed(code: UInt16)
    /// The connection is broken, or ended without a close frame.
    case broken(reason: String)
    /// Nothing came from the server between two pings, or no close frame in time.
    case silent
    /// This process has dropped the WebSocket.
    case dropped
}
