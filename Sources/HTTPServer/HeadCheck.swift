import HTTPTypes

/// Checks the head of a connection's first request before libmicrohttpd reads the head. libmicrohttpd would answer the errors
/// found here with its own error pages.
///
/// ``RequestHead`` checks the head of every request for further errors.
struct HeadCheck {
    enum Verdict {
        /// The head is not complete yet.
        case incomplete
        /// The head is complete and passes this check.
        case passed
        /// The head is refused with a status. The request is the readable part of the head; nil without a readable request line.
        case refused(HTTPResponse.Status, HTTPServerRequest?)
    }

    let limit: HeadLimit

    /// Checks the bytes of a head that have arrived so far.
    func verdict(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        var reading = HeadReading(bytes)
        switch reading.readAll() {
        case .more:
            guard limit.isExceeded(bytes: bytes.count, headers: reading.headerCount) else { return .incomplete }
            return .refused(reading.hasRequestLine ? .requestHeaderFieldsTooLarge : .uriTooLong, reading.head)
        case .end:
            guard !limit.isExceeded(bytes: reading.offset, headers: reading.headerCount) else {
                return .refused(.requestHeaderFieldsTooLarge, reading.head)
            }
            return reading.refusal.map { .refused($0, reading.head) } ?? .passed
        case .wrong(let status): return .refused(status, reading.head)
        }
    }
}

/// The maximum size of a head. libmicrohttpd's memory for a connection must hold the head's text and a record for each header.
struct HeadLimit: Sendable {
    private let bytesMax: Int
    private static let bytesPerHeader = 80

    /// - Parameter memoryBytes: libmicrohttpd's memory for one connection. A quarter of it is left for the head of the response.
    init(memoryBytes: Int) { bytesMax = memoryBytes / 4 * 3 }

    func isExceeded(bytes: Int, headers: Int) -> Bool { bytes + headers * Self.bytesPerHeader > bytesMax }

    /// The number of bytes to read in order to see whether a head exceeds the limit.
    var inspectedBytesMax: Int { bytesMax + 1 }
}

/// Parses a head line by line.
private struct HeadReading {
    enum Outcome {
        /// The bytes end before the head is complete.
        case more
        case end
        case wrong(HTTPResponse.Status)
    }

    private let bytes: UnsafeRawBufferPointer
    /// The offset after the last parsed line.
    private(set) var offset = 0
    private(set) var headerCount = 0
    private(set) var hasRequestLine = false
    private var request: HTTPServerRequest?
    private var headers = HTTPFields()

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The request line and the headers read so far; nil without a readable request line.
    var head: HTTPServerRequest? {
        guard var request else { return nil }
        request.headers = headers
        return request
    }

    mutating func readAll() -> Outcome {
        while let line = nextLine() {
            if !hasRequestLine {
                // A client may send empty lines before a request (RFC 9112 §2.2).
                if line.isEmpty { continue }
                hasRequestLine = true
                if let status = readRequestLine(line) { return .wrong(status) }
            } else if line.isEmpty {
                return .end
            } else if !readHeader(line) {
                return .wrong(.badRequest)
            }
        }
        return .more
    }

    /// The error status if Content-Length is invalid or too large for an `Int`; otherwise nil.
    var refusal: HTTPResponse.Status? {
        let lengths = headers[values: .contentLength]
        guard let length = lengths.first else { return nil }
        guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .badRequest }
        return Int(length) == nil ? .contentTooLarge : nil
    }

    /// Returns the next line without its line end; nil if no complete line is left.
    private mutating func nextLine() -> Slice<UnsafeRawBufferPointer>? {
        guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        var line = bytes[offset..<end]
        offset = end + 1
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        return line
    }

    /// Parses the request line.
    /// - Returns: the error status; nil if the line has a method, a target and a version 1.x.
    private mutating func readRequestLine(_ line: Slice<UnsafeRawBufferPointer>) -> HTTPResponse.Status? {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, let method = HTTPRequest.Method(String(decoding: words[0], as: UTF8.self)),
            let target = RequestTarget(String(decoding: words[1], as: UTF8.self))
        else { return .badRequest }
        request = HTTPServerRequest(method: method, path: target.path, query: target.query, peer: .unknown)
        let version = words[2]
        guard version.count == 8, version.starts(with: "HTTP/".utf8) else { return .badRequest }
        return version.starts(with: "HTTP/1.".utf8) ? nil : .httpVersionNotSupported
    }

    /// Parses a header line.
    /// - Returns: false if the line is not a valid header.
    private mutating func readHeader(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        headerCount += 1
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else { return false }
        let isSpaceOrTab = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let value = line[(colon + 1)...].drop(while: isSpaceOrTab)
        headers.append(HTTPField(name: name, lenientValue: UnsafeRawBufferPointer(rebasing: value)))
        return true
    }
}
