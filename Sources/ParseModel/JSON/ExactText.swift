/// A string that compares by its UTF-8 bytes. Swift's `==` treats a precomposed é and a decomposed é as equal; JSON and
/// SQLite do not.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: ExactText, b: ExactText) -> Bool { a.text.isExactly(b.text) }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension String {
    /// Whether both strings have equal UTF-8 bytes.
    package func isExactly(_ other: String) -> Bool {
        // Canonically equivalent strings are equal by Swift's `==`, but their bytes can differ.
        guard utf8.count == other.utf8.count, self == other else { return false }
        return utf8.elementsEqual(other.utf8)
    }
}
