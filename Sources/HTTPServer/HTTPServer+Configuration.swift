import Foundation

extension HTTPServer {
    /// Where the server listens and what it allows.
    package struct Configuration: Sendable {
        /// A numeric IPv4 or IPv6 address, or `localhost`, which means 127.0.0.1.
        package var host: String
        /// 0 takes any free port.
        package var port: UInt16
        /// Threads that poll the sockets and run the handler; at least 2.
        package var threads: Int
        /// Connections open at one time. For a further one the one is closed that has waited longest for a request, or for a
        /// slow client; where each is in use it waits in the listening socket's queue.
        package var connectionsMax: Int
        /// How long a connection may wait for the head of its next request to be whole, and how long it may be silent
        /// otherwise, in whole seconds. A request whose answer is awaited does not count.
        package var idleTimeout: Duration
        /// The largest body of one request; beyond it the answer is 413.
        package var bodyBytesMax: Int
        /// Memory for one connection's request line and headers, of which they may take three quarters; beyond that the answer
        /// is 431 or 414.
        package var headerBytesMax: Int
        /// Bodies of all requests in progress together; beyond it the answer is 503.
        package var bodyBytesInFlightMax: Int
        /// Answers in memory that their clients have not taken yet, together; beyond it the answer is 503.
        package var answerBytesInFlightMax: Int

        package init(
            host: String = "127.0.0.1", port: UInt16 = 0,
            threads: Int = ProcessInfo.processInfo.activeProcessorCount, connectionsMax: Int = 1024,
            idleTimeout: Duration = .seconds(30), bodyBytesMax: Int = 20 << 20, headerBytesMax: Int = 64 << 10,
            bodyBytesInFlightMax: Int = 256 << 20, answerBytesInFlightMax: Int = 256 << 20
        ) {
            self.host = host
            self.port = port
            self.threads = max(2, threads)
            self.connectionsMax = max(1, connectionsMax)
            self.idleTimeout = idleTimeout
            self.bodyBytesMax = bodyBytesMax
            self.headerBytesMax = headerBytesMax
            self.bodyBytesInFlightMax = bodyBytesInFlightMax
            self.answerBytesInFlightMax = answerBytesInFlightMax
        }
    }
}
