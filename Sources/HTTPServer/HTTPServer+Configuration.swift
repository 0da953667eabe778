import Foundation

extension HTTPServer {
    /// The address and the limits of a server.
    package struct Configuration: Sendable {
        /// A numeric IPv4 or IPv6 address, or `localhost` for 127.0.0.1.
        package var host: String
        /// The TCP port; 0 selects a free one.
        package var port: UInt16
        /// The certificate for TLS; nil for plain HTTP.
        package var certificate: ServerCertificate?
        /// The number of threads that poll the sockets and run the handler; at least 2.
        package var threads: Int
        /// The maximum number of open connections. At the limit, a new connection replaces an idle or slow one. If no connection
        /// is idle or slow, the new connection waits.
        package var connectionsMax: Int
        /// The maximum time from the start of a connection, or the end of its previous response, until a request head is
        /// complete. Also the maximum pause during the transfer of a body or a response, rounded down to whole seconds.
        package var idleTimeout: Duration
        /// The default maximum length of a request body in bytes. A longer body is answered with status 413.
        package var bodyBytesMax: Int
        /// The memory for the request line and the headers of one connection, in bytes. A request line or headers that need more
        /// than three quarters of this memory are answered with status 414 or 431.
        package var headerBytesMax: Int
        /// The memory limit for the bodies of all requests in progress, in bytes. Bodies that go to a sink do not count. A
        /// request beyond the limit is answered with status 503, and one whose body alone exceeds it with status 413.
        package var bodyBytesInFlightMax: Int
        /// The memory in bytes that a body in JSON reserves for each of its values, besides its text. 0 if bodies are not parsed.
        package var valueBytes: Int
        /// The memory limit in bytes for all unsent responses and pieces of streams. Files do not count, nor do responses and
        /// pieces below 64 KiB. A response beyond the limit is replaced by status 503. A stream with a piece beyond the limit
        /// ends early.
        package var answerBytesInFlightMax: Int
        /// The maximum length in bytes of a message that a WebSocket receives. A longer message closes the WebSocket with code 1009.
        /// Messages that are incomplete or wait to be handled count against `bodyBytesInFlightMax`.
        package var webSocketMessageBytesMax: Int
        /// The maximum number of unsent bytes of a WebSocket, besides its largest message. A WebSocket that exceeds it is dropped, because
        /// its client does not read. From 64 KiB, the unsent bytes of a WebSocket count against `answerBytesInFlightMax`.
        package var webSocketUnsentBytesMax: Int

        package init(
            host: String = "127.0.0.1", port: UInt16 = 0,
            threads: Int = ProcessInfo.processInfo.activeProcessorCount, connectionsMax: Int = 1024,
            idleTimeout: Duration = .seconds(30), bodyBytesMax: Int = 20 << 20, headerBytesMax: Int = 64 << 10,
            bodyBytesInFlightMax: Int = 256 << 20, valueBytes: Int = 0, answerBytesInFlightMax: Int = 256 << 20,
            webSocketMessageBytesMax: Int = 1 << 20, webSocketUnsentBytesMax: Int = 4 << 20
        ) {
            self.host = host
            self.port = port
            certificate = nil
            self.threads = max(2, threads)
            self.connectionsMax = max(1, connectionsMax)
            self.idleTimeout = idleTimeout
            self.bodyBytesMax = bodyBytesMax
            self.headerBytesMax = headerBytesMax
            self.bodyBytesInFlightMax = bodyBytesInFlightMax
            self.valueBytes = valueBytes
            self.answerBytesInFlightMax = answerBytesInFlightMax
            self.webSocketMessageBytesMax = webSocketMessageBytesMax
            self.webSocketUnsentBytesMax = webSocketUnsentBytesMax
        }
    }
}
