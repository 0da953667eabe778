extension CurlTransport {
    /// Limits and options for every request of one transport.
    package struct Configuration: Sendable {
        /// The limit for name resolution, connecting and the TLS handshake together.
        package var connectTimeout: Duration
        /// The limit from the start of the transfer to the last byte of the response.
        package var requestTimeout: Duration
        /// Replaces `requestTimeout` for the upload or download of a file.
        package var transferTimeout: Duration
        /// A transfer without progress for this long is aborted. In whole seconds.
        package var stallTimeout: Duration
        /// The largest response body that is kept in memory, in bytes after decompression. Pages of 80 MB occur in practice.
        package var responseBytesMax: Int
        /// The value of the `User-Agent` header.
        package var userAgent: String
        /// The path of a PEM file of certificate authorities; nil for the system's authorities.
        package var caBundle: String?
        /// The maximum idle time of a reused connection, in whole seconds. It is below the 5 s after which Parse Server
        /// closes an idle connection, because a request sent during that close gets no response.
        package var idleConnectionMax: Duration
        /// The maximum number of concurrent requests. Further requests wait in a queue, and their timeouts start when
        /// they leave it.
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
