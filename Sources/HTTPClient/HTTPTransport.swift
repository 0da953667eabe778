import Foundation
import HTTPTypes

/// A request to be sent.
package struct HTTPClientRequest: Sendable {
    package var method: HTTPRequest.Method
    /// The absolute URL with percent escapes, such as `https://example.org/parse/classes/Holiday?limit=2`.
    package var url: String
    package var headers: HTTPFields
    package var body: [UInt8]
    /// A file to send instead of `body`, without loading it into memory; nil to send `body`.
    package var bodyFile: BodyFile?
    /// Whether the server may receive the request twice without harm. If false, the request gets a new connection, because
    /// libcurl repeats a request on a reused connection that turns out to be closed.
    package var isRepeatable: Bool
    /// Whether the response has no end. Then neither its duration nor its speed is limited.
    package var isEndless = false
    /// Decides whether a connection to an IP address is allowed; nil allows every address. If a proxy is used, the address is the
    /// proxy's, otherwise the server's.
    package var mayConnect: (@Sendable (SocketAddress) -> Bool)?
    /// Whether the proxy in the environment variables may be used.
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

    /// The content of `bodyFile` if there is a readable file, otherwise `body`. For transports that cannot send a file.
    package var wholeBody: [UInt8] {
        bodyFile.flatMap { FileManager.default.contents(atPath: $0.path) }.map { Array($0) } ?? body
    }

    /// A file to be sent as a body. It must not change before the response arrives.
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

/// A received response.
package struct HTTPClientResponse: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The absolute target URL of a redirect; nil if the response is not a redirect.
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

/// The reason why a request got no complete response.
package enum HTTPTransportError: Error, Sendable, Hashable {
    /// Nothing was sent, for example because the name resolution, the connection or the TLS handshake failed.
    case notSent(reason: String)
    /// A part of the request or all of it may have been sent, so the outcome is unknown. Causes are, for example, a reset
    /// connection, a timeout, a truncated response and cancellation.
    case outcomeUnknown(reason: String)
    /// The server has responded with a body that is longer than the transport accepts.
    case tooLong(reason: String)
    /// `HTTPClientRequest.mayConnect` has rejected the address. Nothing was sent.
    case forbidden(address: String)
}

extension HTTPTransportError: CustomStringConvertible {
    /// The error as a phrase of one line, for log lines and error texts.
    package var description: String {
        switch self {
        case .notSent(let reason), .outcomeUnknown(let reason), .tooLong(let reason): reason
        case .forbidden(let address): "connections to \(address) are not allowed"
        }
    }
}

/// Sends requests to servers and returns their responses.
package protocol HTTPTransport: Sendable {
    /// Sends the request and returns the response with its body in memory.
    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse

    /// Sends the request. The body of a successful response (2xx) goes to `sink`, piece by piece, and the returned response has
    /// an empty body. Any other response is returned with its body.
    /// - Throws: ``HTTPTransportError``. The caller must then discard the pieces that `sink` has received.
    func send(
        _ request: HTTPClientRequest, into sink: @escaping HTTPResponseSink
    ) async throws(HTTPTransportError) -> HTTPClientResponse

    /// Closes all connections. The caller sends no further request.
    func close()
}

/// Receives the next piece of a body. The memory is valid during the call only.
/// - Returns: false to abort the transfer.
package typealias HTTPResponseSink = @Sendable (UnsafeRawBufferPointer) -> Bool

extension HTTPTransport {
    /// Does nothing: the default for transports without connections of their own.
    package func close() {}

    /// Sends the request, then passes the whole body of a success (2xx) to `sink`: the default for transports without streaming.
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
