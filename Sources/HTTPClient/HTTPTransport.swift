import HTTPTypes

package struct HTTPClientRequest: Sendable {
    package var method: HTTPRequest.Method
    /// Absolute, percent-encoded: `https://example.org/parse/classes/Holiday?limit=2`.
    package var url: String
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The request may reach the server twice without harm. Otherwise it goes out on a fresh connection,
    /// because one that died while idle would make libcurl send it again by itself.
    package var isRepeatable: Bool

    package init(
        method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], body: [UInt8] = [], isRepeatable: Bool
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.isRepeatable = isRepeatable
    }
}

package struct HTTPClientResponse: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: [UInt8]

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
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
}

/// Something that carries one request to a server and its response back.
package protocol HTTPTransport: Sendable {
    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse
}
