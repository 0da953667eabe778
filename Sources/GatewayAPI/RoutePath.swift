import ParseModel

/// A request's path, taken apart and decoded.
struct RoutePath: Hashable {
    /// `/parse`, `/1` or nothing: what goes before `/classes` in a `Location`.
    let prefix: String
    /// What stands between slashes after the prefix, percent-decoded. A slash at the end makes no segment.
    var segments: [String]

    var isPrefixed: Bool { !prefix.isEmpty }

    /// - Throws: `APIError.malformedPath` where an escape is not one, or decodes to a NUL.
    init(_ path: some StringProtocol) throws(APIError) {
        var raw = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !path.isEmpty, raw.first?.isEmpty == true else { throw .malformedPath }
        raw.removeFirst()
        if raw.last?.isEmpty == true { raw.removeLast() }
        var segments: [String] = []
        segments.reserveCapacity(raw.count)
        for bytes in raw {
            guard let text = PercentCoding.decodedPathSegment(bytes) else { throw .malformedPath }
            segments.append(text)
        }
        if let first = segments.first, first == "parse" || first == "1" {
            prefix = "/" + first
            segments.removeFirst()
        } else {
            prefix = ""
        }
        self.segments = segments
    }
}
