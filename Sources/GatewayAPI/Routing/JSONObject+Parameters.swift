import ParseModel

extension JSONObject {
    /// A parameter as text, as in a URL. If it occurs several times, the last value counts. Nil if absent or empty.
    func text(_ name: String) -> String? {
        let text =
            switch self[name] {
            case .string(let text): text
            case .number(let number): number.text
            case .bool(let bool): String(bool)
            case .array(let values): values.last?.string ?? ""
            default: ""
            }
        return text.isEmpty ? nil : text
    }

    /// Whether a parameter is `true` or `1`.
    func flag(_ name: String) -> Bool { ["true", "1"].contains(text(name)) }

    /// A parameter as an integer that is not negative; nil if it is absent or empty.
    /// - Throws: `ParseError` 102 (invalid query) for any other value.
    func wholeNumber(_ name: String) throws(ParseError) -> Int64? {
        guard let text = text(name) else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
            throw ParseError(.invalidQuery, "\(name) must be a whole number, 0 or more.")
        }
        return number
    }
}
