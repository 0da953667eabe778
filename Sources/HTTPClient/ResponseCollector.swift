import HTTPTypes

/// Puts a response together from what libcurl hands out line by line and piece by piece.
struct ResponseCollector {
    private static let headerLinesMax = 1000
    /// libcurl takes lines of up to 100 kB.
    private static let headerBytesMax = 1 << 20

    /// The largest body that is taken into memory.
    var bytesMax = Int.max
    /// Takes the body of a success, instead of memory.
    var sink: HTTPResponseSink?
    /// Why the transfer was broken off from this side.
    private(set) var problem: String?
    private(set) var isTooLong = false

    private var status: HTTPResponse.Status?
    private var isHeadWhole = false
    private var headers = HTTPFields()
    private var headerLines = 0
    private var headerBytes = 0
    private var body: [UInt8] = []

    /// - Returns: whether to go on.
    mutating func addHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerLines += 1
        headerBytes += bytes.count
        guard headerLines <= Self.headerLinesMax, headerBytes <= Self.headerBytesMax else {
            problem =
                "the answer has more than \(Self.headerLinesMax) header lines, or \(Self.headerBytesMax) bytes of them"
            return false
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        if line.starts(with: "HTTP/".utf8) {
            // Not the first such line where an interim answer (1xx) came before.
            status = Self.status(String(decoding: line, as: UTF8.self))
            isHeadWhole = false
            headers = [:]
        } else if line.isEmpty {
            isHeadWhole = true
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")),
            // A name with a blank in it is none; so the continuation of a folded line is left out.
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        {
            headers.append(HTTPField(name: name, lenientValue: Self.trimmed(line[(colon + 1)...])))
        }
        return true
    }

    /// - Returns: whether to go on.
    mutating func addBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let sink, status?.kind == .successful {
            guard sink(bytes) else {
                problem = "the answer could not be kept"
                return false
            }
            return true
        }
        guard body.count + bytes.count <= bytesMax else {
            isTooLong = true
            problem = "the answer is longer than \(bytesMax) bytes"
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// The response, when libcurl says that it has come to its end; nil where it is none. A connection that closes
    /// in the middle of the headers, or after an interim answer, is an end to libcurl.
    mutating func whole() -> HTTPClientResponse? {
        guard let status, status.kind != .informational, isHeadWhole else {
            problem = "the answer breaks off in its headers"
            return nil
        }
        var headers = headers
        if headers[.contentEncoding] != nil {
            // libcurl has decoded the body, so they no longer describe it.
            headers[.contentEncoding] = nil
            headers[.contentLength] = nil
        }
        return HTTPClientResponse(status: status, headers: headers, body: body)
    }

    /// `HTTP/1.1 404 Not Found` and `HTTP/2 404`.
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
