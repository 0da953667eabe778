/// The target of a request, split into its parts. Percent escapes are kept.
struct RequestTarget: Sendable, Hashable {
    /// The path; it begins with `/`.
    var path: String
    /// The text after the first `?`; nil without a `?`.
    var query: String?
    /// The authority (host and port); nil if the target has only a path and a query.
    var authority: String?

    /// Parses a target of the form `/a?b` or `http://host/a?b`.
    /// - Returns: nil for any other form (RFC 9112 §3.2), and if a byte is a space, a control character or not ASCII.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        var rest = text.utf8[...]
        if rest.first != UInt8(ascii: "/") {
            guard let afterScheme = Self.dropScheme(rest) else { return nil }
            rest = afterScheme.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            authority = String(afterScheme[..<rest.startIndex]) ?? ""
        }
        let end = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        let path = String(rest[..<end]) ?? ""
        self.path = path.isEmpty ? "/" : path
        query = end == rest.endIndex ? nil : String(rest[rest.index(after: end)...])
    }

    private static func dropScheme(_ text: Substring.UTF8View) -> Substring.UTF8View? {
        for scheme in ["http://", "https://"] {
            let start = text.prefix(scheme.utf8.count)
            // Setting bit 5 makes ASCII letters lower case and keeps `:` and `/`.
            if start.map({ $0 | 0x20 }).elementsEqual(scheme.utf8) { return text.dropFirst(scheme.utf8.count) }
        }
        return nil
    }
}
