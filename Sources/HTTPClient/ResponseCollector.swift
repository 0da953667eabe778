import HTTPTypes

/// Builds a response from the header lines and body pieces that libcurl delivers.
struct ResponseCollector {
    private static let headerLinesMax = 1000
    /// The maximum length of all header lines together, in bytes. libcurl itself accepts up to 100 kB per line.
    private static let headerBytesMax = 1 << 20

    /// The maximum length of a body in memory, in bytes.
    var bytesMax = Int.max
    /// Receives the body of a successful response; nil to collect the body in memory.
    var sink: HTTPResponseSink?
    /// The reason why this collector has rejected the response; nil if the response was not rejected.
    private(set) var problem: String?
    /// Whether the transfer was aborted because the body exceeds `bytesMax`.
    private(set) var isTooLong = false

    private var status: HTTPResponse.Status?
    private var isHeadWhole = false
    private var headers = HTTPFields()
    private var headerLines = 0
    private var headerBytes = 0
    private var body: [UInt8] = []

    /// Takes the next line of the head: a status line, a header or the empty line.
    /// - Returns: false to abort the transfer, because the head is too long.
    mutating func addHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerLines += 1
        headerBytes += bytes.count
        guard headerLines <= Self.headerLinesMax, headerBytes <= Self.headerBytesMax else {
            problem =
                "the response headers have more than \(Self.headerLinesMax) lines or \(Self.headerBytesMax) bytes"
            return false
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        if line.starts(with: "HTTP/".utf8) {
            // An interim response (1xx) may come first. Each status line starts a new response.
            status = Self.status(String(decoding: line, as: UTF8.self))
            isHeadWhole = false
            headers = [:]
        } else if line.isEmpty {
            isHeadWhole = true
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")),
            // A folded continuation line is skipped, because it has no valid header name.
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        {
            headers.append(HTTPField(name: name, lenientValue: Self.trimmed(line[(colon + 1)...])))
        }
        return true
    }

    /// Takes the next piece of the body.
    /// - Returns: false to abort the transfer, because the body is too long or the sink cannot store it.
    mutating func addBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let sink, status?.kind == .successful {
            guard sink(bytes) else {
                problem = "the response could not be stored"
                return false
            }
            return true
        }
        guard body.count + bytes.count <= bytesMax else {
            isTooLong = true
            problem = "the response is longer than \(bytesMax) bytes"
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// Returns the response at the end of the transfer; nil without a complete head of a final (not 1xx) response. libcurl
    /// reports no error in this case.
    mutating func completeResponse() -> HTTPClientResponse? {
        guard let status, status.kind != .informational, isHeadWhole else {
            problem = "the response ends within its headers"
            return nil
        }
        var headers = headers
        if headers[.contentEncoding] != nil {
            // libcurl has decompressed the body. These headers describe the compressed body.
            headers[.contentEncoding] = nil
            headers[.contentLength] = nil
        }
        return HTTPClientResponse(status: status, headers: headers, body: body)
    }

    /// Parses a status line such as `HTTP/1.1 404 Not Found` or `HTTP/2 404`; nil without a code from 100 to 999.
    private static func status(_ line: String) -> HTTPResponse.Status? {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count > 1, let code = Int(words[1]), (100...999).contains(code) else { return nil }
        return HTTPResponse.Status(code: code)
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let rest = bytes.drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return rest }
        return rest[...last]
    }
}
