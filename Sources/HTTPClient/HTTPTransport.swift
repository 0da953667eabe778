import Foundation
import HTTPTypes

package struct HTTPClientRequest: Sendable {
    package var method: HTTPRequest.Method
    /// Absolute, percent-encoded: `https://example.org/parse/classes/Holiday?limit=2`.
    package var url: String
    package var headers: HTTPFields
    package var body: [UInt8]
    /// What is sent instead of `body`, without being in memory whole.
    package var bodyFile: BodyFile?
    /// The request may reach the server twice without harm. Otherwise it goes out on a fresh connection,
    /// because one that died while idle would make libcurl send it again by itself.
    package var isRepeatable: Bool
    /// To which addresses a connection may be made; nil for all of them. No proxy is used where it is set and
    /// `mayUseProxy` is not, so that the address is the server's own.
    package var mayConnect: (@Sendable (SocketAddress) -> Bool)?
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

    /// What is sent, read where it is in a file; for transports that have whole requests in memory.
    package var wholeBody: [UInt8] {
        bodyFile.flatMap { FileManager.default.contents(atPath: $0.path) }.map { Array($0) } ?? body
    }

    /// A file as a body. It must not change before the answer is there.
    package struct BodyFile: Sendable, Hashable {
        package let path: String
        /// In bytes.
        package let size: Int

        package init(path: String, size: Int) {
            self.path = path
            self.size = size
        }
    }
}

package struct HTTPClientResponse: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The absolute target of a redirection; nil where the answer is no redirection.
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

/// Why no whole response came.
package enum HTTPTransportError: Error, Sendable, Hashable {
    /// The server surely never saw the request: name resolution, connection refused, TLS, time-out while connecting.
    case notSent(reason: String)
    /// The request, or a part of it, went out: reset, time-out, truncated or over-long answer, cancellation.
    case outcomeUnknown(reason: String)
    /// The request was carried out, or at least answered, and the answer is longer than may be taken in.
    case tooLong(reason: String)
    /// A connection to the address may not be made: `HTTPClientRequest.mayConnect` said so. Nothing was sent.
    case forbidden(address: String)
}

extension HTTPTransportError: CustomStringConvertible {
    /// One line for a person, within a sentence.
    package var description: String {
        switch self {
        case .notSent(let reason), .outcomeUnknown(let reason), .tooLong(let reason): reason
        case .forbidden(let address): "no connection may be made to \(address)"
        }
    }
}

/// Something that carries one request to a server and its response back.
package protocol HTTPTransport: Sendable {
    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse

    /// As `send`, but the body of a success (2xx) goes piece by piece to `sink`, and the response has none.
    /// - Throws: also where the body is not whole; what the sink was given before is then of no use.
    func send(
        _ request: HTTPClientRequest, into sink: @escaping HTTPResponseSink
    ) async throws(HTTPTransportError) -> HTTPClientResponse
}

/// Takes the next piece of a body; the memory is valid during the call only.
/// - Returns: whether to go on.
package typealias HTTPResponseSink = @Sendable (UnsafeRawBufferPointer) -> Bool

extension HTTPTransport {
    /// Of a transport that has whole answers in memory.
    package func send(
        _ request: HTTPClientRequest, into sink: @escaping HTTPResponseSink
    ) async throws(HTTPTransportError) -> HTTPClientResponse {
        var response = try await send(request)
        guard response.status.kind == .successful else { return response }
        guard response.body.withUnsafeBytes(sink) else {
            throw .outcomeUnknown(reason: "the answer could not be kept")
        }
        response.body = []
        return response
    }
}
