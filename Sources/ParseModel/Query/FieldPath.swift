/// A path to a field or to a value inside a field: `name`, `address.city`, `tags.0`.
///
/// A segment consists of letters, digits and `_`. The first segment begins with a letter. A later segment may also
/// begin with `_`, or consist only of digits. So no segment needs quotes in a JSON path of SQLite.
package struct FieldPath: Sendable, Hashable {
    package let segments: [String]

    /// The maximum number of segments.
    package static let segmentsMax = 32
    /// The maximum length of a path in bytes.
    package static let bytesMax = 1000

    /// Reads a path in dotted notation.
    /// - Throws: Parse error 105 (invalid field name) for an invalid path.
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

    /// The path in dotted notation.
    package var dotted: String { segments.joined(separator: ".") }

    private static func isSegment(_ segment: Substring) -> Bool {
        guard let first = segment.utf8.first else { return false }
        if first.isDigit { return segment.utf8.allSatisfy(\.isDigit) }
        return segment.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }
}

extension FieldPath {
    /// The value at the path; nil if absent. A numeric segment is an index of an array, or a member name of an object.
    package func value(in object: JSONObject) -> JSONValue? {
        var value = JSONValue.object(object)
        for segment in segments {
            let inner: JSONValue?
            switch value {
            case .object(let object): inner = object[segment]
            case .array(let elements):
                inner = Int(segment).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            default: inner = nil
            }
            guard let inner else { return nil }
            value = inner
        }
        return value
    }
}
