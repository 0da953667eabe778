import Foundation
import HTTPTypes

/// One outgoing request.
package struct HTTPClientRequest: Sendable {
    package var method: HTTPRequest.Method
    /// The absolute, percent-encoded URL: `https://example.org/parse/classes/Holiday?limit=2`.
    package var url: String
    package var headers: HTTPFields
    package var body: [UInt8]
    /// A file that is sent instead of `body`, without loading it into memory.
    package var bodyFile: BodyFile?
    /// True if the server may receive the request twice without harm. Every other request gets a new connection,
    /// because libcurl silently resends a request whose reused connection turns out to be closed.
    package var isRepeatable: Bool
    /// Decides whether a connection to an address is allowed; nil allows every address. If it is set and `mayUseProxy`
    /// is false, no proxy is used, so that the checked address is the server's own.
    package var mayConnect: (@Sendable (SocketAddress) -> Bool)?
    /// True if the proxy of the environment may be used.
    package var mayUseProxy: Bool

    package init(
        method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], body: [UInt8] = [],
        bodyFile: BodyFile? = nil, isRepeatable: Bool, mayConnect: (@Sendable (SocketAddress) -> Bool)? = nil,
        mayUseProxy: Bool = true
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.bodyFile = bodyFile
        self.isRepeatable = isRepeatable
        self.mayConnect = mayConnect
        self.mayUseProxy = mayUseProxy
    }

    /// The body in memory, read from the file if there is one. For transports without streaming.
    package var wholeBody: [UInt8] {
        bodyFile.flatMap { FileManager.default.contents(atPath: $0.path) }.map { Array($0) } ?? body
    }

    /// A file that is sent as a body. The file must not change before the response arrives.
    package struct BodyFile: Sendable, Hashable {
        /// An absolute path.
        package let path: String
        /// The length of the file in bytes.
        package let size: Int

        package init(path: String, size: Int) {
            self.path = path
            self.size = size
        }
    }
}

/// One received response.
package struct HTTPClientResponse: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The absolute target URL of a redirect; nil for every other response.
    package var redirectURL: String?

    package init(
        status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = [], redirectURL: String? = nil
    ) {
        self.status = status
        self.redirectURL = redirectURL
        self.headers = headers
        self.body = body
    }
}

/// Why a request got no complete response.
package enum HTTPTransportError: Error, Sendable, Hashable {
    /// The server has not seen the request. Causes: name resolution, refused connection, TLS, connect timeout.
    case notSent(reason: String)
    /// At least a part of the request was sent, and its result is unknown. Causes: reset, timeout, truncated response, cancellation.
    case outcomeUnknown(reason: String)
    /// The server has responded, and the response is longer than the limit.
    case tooLong(reason: String)
    /// `HTTPClientRequest.mayConnect` has rejected the address. Nothing was sent.
    case forbidden(address: String)
}

extension HTTPTransportError: CustomStringConvertible {
    /// A phrase of one line for log lines and error texts.
    package var description: String {
        switch self {
        case .notSent(let reason), .outcomeUnknown(let reason), .tooLong(let reason): reason
        case .forbidden(let address): "connections to \(address) are not allowed"
        }
    }
}

/// Sends one request to a server and returns its response.
package protocol HTTPTransport: Sendable {
    /// Sends the request and returns the response with its body in memory.
    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse

    /// Sends the request and passes the body of a successful response (2xx) to `sink` piece by piece. The returned
    /// response then has an empty body.
    /// - Throws: also if the body is truncated; the caller must then discard the pieces.
    func send(
        _ request: HTTPClientRequest, into sink: @escaping HTTPResponseSink
    ) async throws(HTTPTransportError) -> HTTPClientResponse

    /// Closes all connections. No request follows.
    func close()
}

/// Receives the next piece of a body. The memory is valid during the call only.
/// - Returns: false to abort the transfer.
package typealias HTTPResponseSink = @Sendable (UnsafeRawBufferPointer) -> Bool

extension HTTPTransport {
    /// The default for transports without connections.
    package func close() {}

    /// The default for transports that keep complete responses in memory.
    package func send(
        _ request: HTTPClientRequest, into sink: @escaping HTTPResponseSink
    ) async throws(HTTPTransportError) -> HTTPClientResponse {
        var response = try await send(request)
        guard response.status.kind == .successful else { return response }
        guard response.body.withUnsafeBytes(sink) else {
            throw .outcomeUnknown(reason: "the response could not be stored")
        }
        response.body = []
        return response
    }
}
