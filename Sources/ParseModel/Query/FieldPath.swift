/// Names a field, or a place inside a field's value: `name`, `address.city`, `tags.0`.
///
/// A first segment is a letter and then letters, digits and `_`; further ones may also begin with `_` or be digits.
/// Nothing else gets through, so that a segment can stand in a path expression without being quoted.
package struct FieldPath: Sendable, Hashable {
    package let segments: [String]

    package static let segmentsMax = 32
    /// How long a path may be, in bytes.
    package static let bytesMax = 1000

    /// - Throws: 105 with the name where it is no path.
    package init(_ dotted: String) throws(ParseError) {
        guard dotted.utf8.count <= Self.bytesMax else {
            throw ParseError(.invalidFieldName, "A key name is longer than \(Self.bytesMax) bytes.")
        }
        let segments = dotted.split(separator: ".", maxSplits: Self.segmentsMax, omittingEmptySubsequences: false)
        guard segments.count <= Self.segmentsMax, segments.allSatisfy(Self.isSegment),
            dotted.utf8.first?.isLetter == true
        else { throw ParseError(.invalidFieldName, "Invalid key name: \(dotted)") }
        self.segments = segments.map(String.init)
    }

    package var dotted: String { segments.joined(separator: ".") }

    private static func isSegment(_ segment: Substring) -> Bool {
        guard let first = segment.utf8.first else { return false }
        if first.isDigit { return segment.utf8.allSatisfy(\.isDigit) }
        return segment.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }
}
