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
        var rest = path.utf8[...]
        guard rest.first == UInt8(ascii: "/") else { throw .malformedPath }
        var segments: [String] = []
        segments.reserveCapacity(4)
        while rest.popFirst() != nil, !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            guard let text = PercentCoding.decodedPathSegment(rest[..<end]) else { throw .malformedPath }
            segments.append(text)
            rest = rest[end...]
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
