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

    /// The body in memory; empty for a file and for a stream.
    package var body: [UInt8] {
        get { if case .bytes(let bytes) = content { bytes } else { [] } }
        set { content = .bytes(newValue) }
    }

    /// The body in memory; for a file, the bytes read from the file; empty for a stream. For tests.
    package var wholeBody: [UInt8] {
        if case .file(let range) = content { range.bytes() } else { body }
    }
}
