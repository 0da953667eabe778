import HTTPTypes

package struct HTTPServerResponse: Sendable {
    /// Where the bytes that follow the headers come from.
    package enum Content: Sendable {
        case bytes([UInt8])
        /// Sent from the file without being in memory.
        case file(FileRange)
        /// Without a length, and perhaps without an end.
        case stream(any HTTPBodyStream)
    }

    package var status: HTTPResponse.Status
    /// Without Content-Length, Date and Connection, which the server sets.
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

    /// The bytes that are in memory; empty where they come from elsewhere.
    package var body: [UInt8] {
        get { if case .bytes(let bytes) = content { bytes } else { [] } }
        set { content = .bytes(newValue) }
    }

    /// The bytes as a client gets them, read where they are in a file; for callers without a server.
    package var wholeBody: [UInt8] {
        if case .file(let range) = content { range.bytes() } else { body }
    }
}
