import HTTPTypes

/// Reads the head of a connection's first request before libmicrohttpd does, and finds faults that libmicrohttpd would refuse in
/// words of its own.
///
/// ``RequestHead`` finds other faults of a head, for every request.
struct HeadCheck {
    enum Verdict {
        /// More has to come.
        case incomplete
        case passed
        /// - Parameter head: its readable part.
        case refused(HTTPResponse.Status, HTTPServerRequest?)
    }

    let limit: HeadLimit

    func verdict(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        var reading = HeadReading(bytes)
        switch reading.readAll() {
        case .more:
            guard limit.isExceeded(bytes: bytes.count, headers: reading.headerCount) else { return .incomplete }
            return .refused(reading.hasRequestLine ? .requestHeaderFieldsTooLarge : .uriTooLong, reading.head)
        case .end:
            guard !limit.isExceeded(bytes: reading.place, headers: reading.headerCount) else {
                return .refused(.requestHeaderFieldsTooLarge, reading.head)
            }
            return reading.refusal.map { .refused($0, reading.head) } ?? .passed
        case .wrong(let status): return .refused(status, reading.head)
        }
    }
}

/// How large a head may be, so that libmicrohttpd has room for it: the text, and a record for each header.
struct HeadLimit: Sendable {
    private let bytesMax: Int
    private static let bytesPerHeader = 80

    /// - Parameter memoryBytes: the memory of a connection in libmicrohttpd, which also holds the head of the answer.
    init(memoryBytes: Int) { bytesMax = memoryBytes / 4 * 3 }

    func isExceeded(bytes: Int, headers: Int) -> Bool { bytes + headers * Self.bytesPerHeader > bytesMax }

    /// Looking at more shows nothing new.
    var bytesToLookAt: Int { bytesMax + 1 }
}

/// Goes through a head line by line.
private struct HeadReading {
    enum Outcome {
        /// The bytes end before the head does.
        case more
        case end
        case wrong(HTTPResponse.Status)
    }

    private let bytes: UnsafeRawBufferPointer
    /// Behind the last line that was read.
    private(set) var place = 0
    private(set) var headerCount = 0
    private(set) var hasRequestLine = false
    private var request: HTTPServerRequest?
    private var headers = HTTPFields()

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Nil where the request line cannot be read.
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

    /// The status that refuses a well-formed head; nil for none.
    var refusal: HTTPResponse.Status? {
        let lengths = headers[values: .contentLength]
        guard let length = lengths.first else { return nil }
        guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .badRequest }
        return Int(length) == nil ? .contentTooLarge : nil
    }

    /// Without its end; nil where the bytes end before that.
    private mutating func nextLine() -> Slice<UnsafeRawBufferPointer>? {
        guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        var line = bytes[place..<end]
        place = end + 1
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        return line
    }

    /// - Returns: the status that refuses it; nil where it can be read, or is refused later.
    private mutating func readRequestLine(_ line: Slice<UnsafeRawBufferPointer>) -> HTTPResponse.Status? {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, let method = HTTPRequest.Method(String(decoding: words[0], as: UTF8.self)),
            let target = RequestTarget(String(decoding: words[1], as: UTF8.self))
        else { return .badRequest }
        request = HTTPServerRequest(method: method, path: target.path, query: target.query)
        let version = words[2]
        guard version.count == 8, version.starts(with: "HTTP/".utf8) else { return .badRequest }
        return version.starts(with: "HTTP/1.".utf8) ? nil : .httpVersionNotSupported
    }

    /// - Returns: false where the line is none.
    private mutating func readHeader(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        headerCount += 1
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else { return false }
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let value = line[(colon + 1)...].drop(while: isBlank)
        headers.append(HTTPField(name: name, lenientValue: UnsafeRawBufferPointer(rebasing: value)))
        return true
    }
}
