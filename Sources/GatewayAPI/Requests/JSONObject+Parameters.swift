import ParseModel

extension JSONObject {
    /// A string, number or Boolean parameter as text. If a URL repeats the parameter's name, the value is an array, and the text
    /// is its last element. Nil if the parameter is absent, empty or of another type.
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

    /// A parameter as an integer, 0 or more; nil if `text(name)` is nil.
    /// - Throws: `ParseError` 102 (invalid query) for any other text.
    func wholeNumber(_ name: String) throws(ParseError) -> Int64? {
        guard let text = text(name) else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
            throw ParseError(.invalidQuery, "\(name) must be a whole number, 0 or more.")
        }
        return number
    }
}
