extension CurlTransport {
    /// The limits and options of all requests of one transport.
    package struct Configuration: Sendable {
        /// The maximum time for name resolution, connecting and the TLS handshake together.
        package var connectTimeout: Duration
        /// The maximum time from the start of the transfer to the last byte of the response.
        package var requestTimeout: Duration
        /// The maximum time for the upload or download of a file, in place of `requestTimeout`.
        package var transferTimeout: Duration
        /// The maximum time without progress, in whole seconds. A transfer that stalls for longer is aborted.
        package var stallTimeout: Duration
        /// The maximum length of a response body in memory, in bytes after decompression. A page of a pull can have 80 MB.
        package var responseBytesMax: Int
        /// The value of the `User-Agent` header.
        package var userAgent: String
        /// The path of a PEM file of certificate authorities; nil to use the system's authorities.
        package var caBundle: String?
        /// The public key that a server with TLS must have, in place of a certificate of an authority: `sha256//` and the
        /// Base64 of the SHA-256 of its SubjectPublicKeyInfo. Nil to check the certificate and its host name.
        package var publicKeyPin: String?
        /// The maximum idle time of a reused connection, in whole seconds. The default is less than the 5 s after which Parse
        /// Server closes an idle connection. A request that is sent during the close gets no response.
        package var idleConnectionMax: Duration
        /// The maximum number of concurrent requests. Further requests wait in a queue. The timeouts of a request start when the
        /// request leaves the queue.
        package var transfersMax: Int

        package init(
            connectTimeout: Duration = .seconds(10), requestTimeout: Duration = .seconds(300),
            transferTimeout: Duration = .seconds(3600),
            stallTimeout: Duration = .seconds(30), responseBytesMax: Int = 128 << 20, userAgent: String = "Tidegate",
            caBundle: String? = nil, publicKeyPin: String? = nil, idleConnectionMax: Duration = .seconds(4),
            transfersMax: Int = 32
        ) {
            self.connectTimeout = connectTimeout
            self.requestTimeout = requestTimeout
            self.transferTimeout = transferTimeout
            self.stallTimeout = stallTimeout
            self.responseBytesMax = responseBytesMax
            self.userAgent = userAgent
            self.caBundle = caBundle
            self.publicKeyPin = publicKeyPin
            self.idleConnectionMax = idleConnectionMax
            self.transfersMax = transfersMax
        }
    }
}
