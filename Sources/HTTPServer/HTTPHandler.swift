import HTTPTypes

/// A request that has arrived whole.
package struct HTTPServerRequest: Sendable {
    package var method: HTTPRequest.Method
    /// As it stood in the request line: percent-encoded, without the query, beginning with `/`.
    package var path: String
    /// What follows the first `?`, percent-encoded; nil where there is none.
    package var query: String?
    package var headers: HTTPFields
    /// Empty where a sink took it.
    package var body: [UInt8]
    /// What took the body, which is whole; nil where it is in memory. From here on it is the handler's.
    package var sink: (any HTTPBodySink)?
    /// Whether its client is still there.
    package var client: HTTPClientPresence

    package init(
        method: HTTPRequest.Method, path: String, query: String? = nil, headers: HTTPFields = [:], body: [UInt8] = [],
        sink: (any HTTPBodySink)? = nil, client: HTTPClientPresence = HTTPClientPresence()
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.sink = sink
        self.client = client
    }
}

/// A handler's answer: at hand, or to be awaited.
package enum HTTPReply: Sendable {
    /// Sent from the server's own thread, which is about twice as fast.
    case now(HTTPServerResponse)
    case later(@Sendable () async -> HTTPServerResponse)

    /// The response, awaited where it has to be; for callers without a server.
    package func response() async -> HTTPServerResponse {
        switch self {
        case .now(let response): response
        case .later(let response): await response()
        }
    }
}

/// Answers requests. Called on the server's threads, from several at once; must not block for long.
package protocol HTTPHandler: Sendable {
    func handle(_ request: HTTPServerRequest) -> HTTPReply
    /// Asked before a body arrives, once for each request that has one.
    /// - Parameter head: the request without its body.
    func bodyPlace(for head: HTTPServerRequest) -> HTTPBodyPlace
}

extension HTTPHandler {
    package func bodyPlace(for head: HTTPServerRequest) -> HTTPBodyPlace { .memory(bytesMax: nil) }
}

/// Where the body of a request goes.
package enum HTTPBodyPlace: Sendable {
    /// - Parameter bytesMax: nil for the server's own limit.
    case memory(bytesMax: Int?)
    case sink(any HTTPBodySink)
    /// Nowhere: the request is answered without its body.
    case refused(HTTPServerResponse)
}
