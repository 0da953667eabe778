import ParseModel

/// A request's path, split and decoded.
package struct RoutePath: Sendable, Hashable {
    /// The mount paths of all routes except the page's. Parse Server's default is `/parse`; parse.com used `/1`.
    package static let prefixes = ["", "/parse", "/1"]

    /// The mount path that the path begins with: `/parse`, `/1` or nothing.
    let prefix: String
    /// The segments after the prefix, percent-decoded. A trailing slash adds no segment.
    var segments: [String]

    var isPrefixed: Bool { !prefix.isEmpty }

    /// - Throws: `APIError.malformedPath` if the path does not begin with `/`, or contains an invalid escape or a NUL.
    package init(_ path: String) throws(APIError) {
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
