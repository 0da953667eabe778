import ParseModel

/// The text that a regular expression requires. A search for the text in the JSON of an object is much faster than
/// reading the object's fields, and excludes most objects.
struct LiteralPattern {
    /// The longest part of the text that the JSON contains unchanged, in lower case if `ignoresCase` is true.
    let text: String
    let ignoresCase: Bool

    /// - Returns: nil for a pattern that does not stand for one text, and for a text without a usable part.
    init?(_ pattern: String, options: String) {
        guard !options.contains("x"), let literal = Self.literal(pattern) else { return nil }
        let parts = literal.split { !Self.isUnchanged($0) }
        guard let longest = parts.max(by: { $0.count < $1.count }) else { return nil }
        ignoresCase = options.contains("i")
        let text = String(String.UnicodeScalarView(longest))
        self.text = ignoresCase ? text.lowercased() : text
    }

    /// Whether JSON contains the character unchanged. A slash may have an escape in the JSON of another program.
    private static func isUnchanged(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F && !["\"", "\\", "/"].contains(scalar)
    }

    /// The text for which a pattern stands: characters with and without backslashes, or a text between `\Q` and `\E`,
    /// at any place or, with `^`, at the beginning.
    private static func literal(_ pattern: String) -> [Unicode.Scalar]? {
        let body = pattern.hasPrefix("^") ? pattern.dropFirst() : pattern[...]
        if body.hasPrefix("\\Q"), body.hasSuffix("\\E"), body.count >= 4 {
            let quoted = Array(body.dropFirst(2).dropLast(2).unicodeScalars)
            // Compared by scalars, because a `\E` before a combining character is no `\E` for a comparison by characters.
            let ends = zip(quoted, quoted.dropFirst()).contains { $0 == "\\" && $1 == "E" }
            return ends ? nil : quoted
        }
        var literal: [Unicode.Scalar] = []
        var scalars = body.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            if scalar == "\\" {
                // A backslash before a letter or a digit has a meaning of its own.
                guard let next = scalars.next(), next.isASCII, !next.properties.isAlphabetic,
                    next.properties.numericType == nil
                else { return nil }
                literal.append(next)
            } else if "^$.|?*+()[]{}".unicodeScalars.contains(scalar) {
                return nil
            } else {
                literal.append(scalar)
            }
        }
        return literal
    }
}

/// Alternatives of a query that look for the same pattern in different fields, so that one search of the JSON excludes an
/// object for all of them.
struct SharedPattern {
    let pattern: String
    let options: String
    fileprivate(set) var columns: [FieldColumn]

    /// Collects the alternatives with patterns (`shared`), and returns the other ones (`rest`).
    static func ofAlternatives(_ parts: [Predicate]) -> (shared: [SharedPattern], rest: [Predicate]) {
        var shared: [SharedPattern] = []
        var places: [[String]: Int] = [:]
        var rest: [Predicate] = []
        for part in parts {
            guard case .field(let path, .regex(let pattern, let options)) = part,
                FieldColumn(path).storedColumn == nil
            else {
                rest.append(part)
                continue
            }
            if let place = places[[pattern, options]] {
                shared[place].columns.append(FieldColumn(path))
            } else {
                places[[pattern, options]] = shared.count
                shared.append(Self(pattern: pattern, options: options, columns: [FieldColumn(path)]))
            }
        }
        return (shared, rest)
    }
}
