import CMicroHTTPD
import HTTPTypes
import HeaderNames

/// A request's method and headers, checked.
struct RequestHead: Sendable {
    let method: HTTPRequest.Method
    let headers: HTTPFields
    let framing: BodyFraming
    /// The client waits for a word before it sends the body.
    let expectsContinue: Bool

    /// Longer than every method that is registered.
    private static let methodBytesMax = 32

    /// - Throws: the status of the refusal.
    init(_ connection: OpaquePointer, _ line: RequestLine, _ target: RequestTarget) throws(HeadRefusal) {
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
        // HTTP/1.0 knows no chunks, so a proxy may see the end of the body elsewhere (RFC 9112 §6.1).
        guard framing != .chunked || line.isHTTP11 else { throw HeadRefusal(.badRequest) }
        // Likewise for a host that the target names (RFC 9112 §3.2.2).
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

/// Why a request is refused before the handler sees it.
struct HeadRefusal: Error {
    let status: HTTPResponse.Status

    init(_ status: HTTPResponse.Status) { self.status = status }
}

private struct CollectedHeaders {
    var headers = HTTPFields()
    var isMalformed = false
    var layout: HeadLayout

    init(_ layout: HeadLayout) { self.layout = layout }

    /// - Returns: whether to go on.
    mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        guard layout.takes(name, value), value.allSatisfy(Self.isAllowed),
            let name = HTTPField.Name(String(decoding: name, as: UTF8.self))
        else {
            isMalformed = true
            return false
        }
        // Two names of the host could be understood as one here and as the other by somebody else (RFC 9112 §3.2).
        if name == .hostName, headers.contains(name) {
            isMalformed = true
            return false
        }
        headers.append(HTTPField(name: name, lenientValue: value))
        return true
    }

    /// A bare CR, for instance, leaves a control character in a value (RFC 9110 §5.5).
    private static func isAllowed(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }
}
