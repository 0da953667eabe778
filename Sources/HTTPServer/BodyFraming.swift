import HTTPTypes

/// The rule that determines the length of a request body (RFC 9112 §6).
enum BodyFraming: Sendable, Hashable {
    /// The length in bytes; 0 for a request without a body.
    case length(Int)
    case chunked

    /// Reads the rule from the request headers.
    /// - Returns: nil for an invalid Content-Length, for a Transfer-Encoding other than `chunked`, if a request has both headers,
    ///   and if it has one of them twice. A proxy could take a part of such a body for a second request (RFC 9112 §6.3).
    init?(_ headers: HTTPFields) {
        guard headers.contains(where: { $0.name == .contentLength || $0.name == .transferEncoding }) else {
            self = .length(0)
            return
        }
        let codings = headers[values: .transferEncoding]
        let lengths = headers[values: .contentLength]
        if let coding = codings.first {
            guard codings.count == 1, lengths.isEmpty, coding.lowercased() == "chunked" else { return nil }
            self = .chunked
        } else if let text = lengths.first {
            let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard lengths.count == 1, isDigits, let length = Int(text) else { return nil }
            self = .length(length)
        } else {
            self = .length(0)
        }
    }
}
