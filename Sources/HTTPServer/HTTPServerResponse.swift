import HTTPTypes

/// A response of the handler or of the server itself.
package struct HTTPServerResponse: Sendable {
    /// The source of the response body.
    package enum Content: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// A byte range of a file. It is sent without being loaded into memory.
        case file(FileRange)
        /// A body of unknown length that is generated while it is sent. It can be endless.
        case stream(any HTTPBodyStream)
        /// The connection becomes a WebSocket after the head of the response. Made by `webSocket(_:handler:)`.
        case webSocket(any WebSocketHandler)
    }

    package var status: HTTPResponse.Status
    /// The response headers. The server adds Content-Length, Date and Connection.
    package var headers: HTTPFields
    package var content: Content

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.init(status: status, headers: headers, content: .bytes(body))
    }

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], content: Content) {
        self.status = status
        self.headers = headers
        self.content = content
    }

    /// The response that accepts a WebSocket: 101 with `Sec-WebSocket-Accept`.
    ///
    /// A wrong handshake is answered with status 400, and one of another version with status 426 and
    /// `Sec-WebSocket-Version: 13`. In both cases the body is empty, and `closed` of the handler is called at once.
    package static func webSocket(_ request: HTTPServerRequest, handler: any WebSocketHandler) -> HTTPServerResponse {
        let handshake = WebSocketHandshake(request)
        guard handshake.status == .switchingProtocols else {
            handler.closed()
            return HTTPServerResponse(status: handshake.status, headers: handshake.headers)
        }
        return HTTPServerResponse(
            status: handshake.status, headers: handshake.headers, content: .webSocket(handler))
    }

    /// The body in memory; empty for a file, a stream and a WebSocket.
    package var body: [UInt8] {
        get { if case .bytes(let bytes) = content { bytes } else { [] } }
        set { content = .bytes(newValue) }
    }

    /// The body in memory; for a file, the bytes read from the file; empty for a stream. For tests.
    package var wholeBody: [UInt8] {
        if case .file(let range) = content { range.bytes() } else { body }
    }
}
