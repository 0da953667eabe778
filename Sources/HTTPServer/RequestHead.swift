import CMicroHTTPD
import HTTPTypes

/// A request's method and headers, checked.
struct RequestHead: Sendable {
    let method: HTTPRequest.Method
    let headers: HTTPFields
    let framing: BodyFraming
    /// The client waits for a word before it sends the body.
    let expectsContinue: Bool

    /// nil where the request is malformed.
    init?(_ connection: OpaquePointer, method: UnsafePointer<CChar>) {
        guard let method = HTTPRequest.Method(String(cString: method)) else { return nil }
        var collected = CollectedHeaders()
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
        guard !collected.isMalformed, let framing = BodyFraming(collected.headers) else { return nil }
        self.method = method
        headers = collected.headers
        self.framing = framing
        expectsContinue = headers.first(.expect)?.lowercased() == "100-continue"
    }
}

private struct CollectedHeaders {
    var headers = HTTPFields()
    var isMalformed = false

    /// - Returns: whether to go on.
    mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        guard let name = HTTPField.Name(String(decoding: name, as: UTF8.self)) else {
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
}
