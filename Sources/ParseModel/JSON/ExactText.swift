/// Text that is equal to another only where the bytes are: for Swift's own `==`, an é in one code point and an é in
/// two are the same, for JSON and SQLite they are not.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: ExactText, b: ExactText) -> Bool { a.text.isExactly(b.text) }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension String {
    /// Whether both have the same bytes in UTF-8.
    package func isExactly(_ other: String) -> Bool {
        // Swift's own comparison is the quicker one, and settles all cases but those of equivalent texts.
        guard utf8.count == other.utf8.count, self == other else { return false }
        return utf8.elementsEqual(other.utf8)
    }
}
