extension CurlTransport {
    /// Limits and options of all requests of one transport.
    package struct Configuration: Sendable {
        /// Name resolution, connecting and the TLS handshake.
        package var connectTimeout: Duration
        /// From the call to the last byte of the answer.
        package var requestTimeout: Duration
        /// The same where a file is sent or fetched.
        package var transferTimeout: Duration
        /// A transfer on which nothing moves for so long is given up, in whole seconds.
        package var stallTimeout: Duration
        /// The largest body of an answer that is taken into memory, after decompression. Pages of 80 MB are real.
        package var responseBytesMax: Int
        package var userAgent: String
        /// A PEM file of certificate authorities instead of the system's.
        package var caBundle: String?
        /// A connection that was idle for longer is not used again, in whole seconds. Parse Server closes its own
        /// after 5 s, and a request that meets the closing gets no answer.
        package var idleConnectionMax: Duration
        /// Requests under way at one time; further ones wait for their turn, and their time-outs with them.
        package var transfersMax: Int

        package init(
            connectTimeout: Duration = .seconds(10), requestTimeout: Duration = .seconds(300),
            transferTimeout: Duration = .seconds(3600),
            stallTimeout: Duration = .seconds(30), responseBytesMax: Int = 128 << 20, userAgent: String = "Tidegate",
            caBundle: String? = nil, idleConnectionMax: Duration = .seconds(4), transfersMax: Int = 32
        ) {
            self.connectTimeout = connectTimeout
            self.requestTimeout = requestTimeout
            self.transferTimeout = transferTimeout
            self.stallTimeout = stallTimeout
            self.responseBytesMax = responseBytesMax
            self.userAgent = userAgent
            self.caBundle = caBundle
            self.idleConnectionMax = idleConnectionMax
            self.transfersMax = transfersMax
        }
    }
}
