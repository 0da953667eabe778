import CMicroHTTPD
import HTTPTypes
import HeaderNames

/// The validated method and headers of a request.
struct RequestHead: Sendable {
    let method: HTTPRequest.Method
    let headers: HTTPFields
    let framing: BodyFraming
    /// True if the client waits for `100 Continue` before it sends the body.
    let expectsContinue: Bool

    /// The maximum length of a method in bytes. Every registered HTTP method is shorter.
    private static let methodBytesMax = 32

    /// Reads and validates the head of a request.
    /// - Throws: ``HeadRefusal`` with the status of the response.
    init(_ connection: OpaquePointer, _ line: RequestLineLayout, _ target: RequestTarget) throws(HeadRefusal) {
        guard line.methodCount <= Self.methodBytesMax else { throw HeadRefusal(.notImplemented) }
        guard let method = HTTPRequest.Method(line.methodText) else { throw HeadRefusal(.badRequest) }
        var collected = CollectedHeaders(line.layout)
        withUnsafeMutablePointer(to: &collected) { collected in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameBytes, value, valueBytes in
                    let collected = context!.assumingMemoryBound(to: CollectedHeaders.self)
                    return collected.pointee.add(
                        UnsafeRawBufferPointer(start: name, count: nameBytes),
                        UnsafeRawBufferPointer(start: value, count: valueBytes)) ? .YES : .NO
                }, collected)
        }
        guard !collected.isMalformed, collected.layout.ends(after: tidegate_mhd_head_size(connection)),
            let framing = BodyFraming(collected.headers)
        else { throw HeadRefusal(.badRequest) }
        // HTTP/1.0 has no chunked coding, so an HTTP/1.0 proxy may see another end of the body (RFC 9112 §6.1).
        guard framing != .chunked || line.isHTTP11 else { throw HeadRefusal(.badRequest) }
        // A host in the request target must equal the Host header (RFC 9112 §3.2.2).
        if let authority = target.authority,
            authority.lowercased() != collected.headers.first(.hostName)?.lowercased()
        {
            throw HeadRefusal(.badRequest)
        }
        self.method = method
        headers = collected.headers
        self.framing = framing
        expectsContinue = headers.first(.expect)?.lowercased() == "100-continue"
    }
}

/// Thrown to refuse a request because of its head.
struct HeadRefusal: Error {
    /// The status of the response.
    let status: HTTPResponse.Status

    init(_ status: HTTPResponse.Status) { self.status = status }
}

/// Collects the headers that libmicrohttpd passes to a C callback.
private struct CollectedHeaders {
    var headers = HTTPFields()
    var isMalformed = false
    var layout: HeadLayout

    init(_ layout: HeadLayout) { self.layout = layout }

    /// Adds one header.
    /// - Returns: false for a malformed header. libmicrohttpd then passes no further header.
    mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        guard layout.accepts(name, value), value.allSatisfy(Self.isAllowed),
            let name = HTTPField.Name(String(decoding: name, as: UTF8.self))
        else {
            isMalformed = true
            return false
        }
        // A second Host header is malformed: a proxy and this server could use different ones (RFC 9112 §3.2).
        if name == .hostName, headers.contains(name) {
            isMalformed = true
            return false
        }
        headers.append(HTTPField(name: name, lenientValue: value))
        return true
    }

    /// Whether a byte may occur in a header value: no control characters except the tab (RFC 9110 §5.5).
    private static func isAllowed(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }
}
