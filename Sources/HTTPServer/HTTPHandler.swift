import HTTPTypes

/// A received request. A parameter named `head` is a request without its body: `body` is empty.
package struct HTTPServerRequest: Sendable {
    package var method: HTTPRequest.Method
    /// The percent-encoded path of the request line, without the query. It begins with `/`.
    package var path: String
    /// The percent-encoded text after the first `?`; nil without a `?`.
    package var query: String?
    package var headers: HTTPFields
    /// The body; empty if a sink has received it.
    package var body: [UInt8]
    /// The sink that has received the body; nil if the body is in `body`. The server no longer uses the sink.
    package var sink: (any HTTPBodySink)?
    /// Tells whether the client is still connected.
    package var client: HTTPClientPresence
    /// The address of the client. `loopback` for a request that this process makes itself, without a socket.
    package var peer: IPAddress
    /// False for HTTP/1.0, true for any other version.
    package var isHTTP11: Bool
    /// `https` for a request over TLS, otherwise `http`.
    package var scheme = "http"

    package init(
        method: HTTPRequest.Method, path: String, query: String? = nil, headers: HTTPFields = [:], body: [UInt8] = [],
        sink: (any HTTPBodySink)? = nil, client: HTTPClientPresence = HTTPClientPresence(),
        peer: IPAddress = .loopback, isHTTP11: Bool = true
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.sink = sink
        self.client = client
        self.peer = peer
        self.isHTTP11 = isHTTP11
    }
}

/// A response, or the asynchronous function that returns it.
package enum HTTPReply: Sendable {
    /// A response that is ready. The server sends it without a thread switch, in about half the time of a `later` response.
    case now(HTTPServerResponse)
    /// A response that an asynchronous function returns.
    case later(@Sendable () async -> HTTPServerResponse)

    /// The response. In case of `later`, awaits the function that returns it.
    package func response() async -> HTTPServerResponse {
        switch self {
        case .now(let response): response
        case .later(let response): await response()
        }
    }
}

/// Handles requests. Called on several server threads at once; must not block for long.
package protocol HTTPHandler: Sendable {
    /// Returns the response to one request.
    func handle(_ request: HTTPServerRequest) -> HTTPReply
    /// Chooses the destination of a request body. Called once for each request with a body, before the body arrives.
    func bodyPlace(for head: HTTPServerRequest) -> HTTPBodyPlace
}

extension HTTPHandler {
    package func bodyPlace(for head: HTTPServerRequest) -> HTTPBodyPlace { .memory(bytesMax: nil) }
}

/// The destination of a request body.
package enum HTTPBodyPlace: Sendable {
    /// The body is kept in memory.
    /// - Parameter bytesMax: the maximum length of the body in bytes; nil for the server's `bodyBytesMax`.
    case memory(bytesMax: Int?)
    /// The body is passed to a sink piece by piece.
    case sink(any HTTPBodySink)
    /// The body is discarded. The server sends this response without calling `handle`.
    case refused(HTTPServerResponse)
}
