import Foundation

/// A string that is compared by its UTF-8 bytes. Swift's `==` treats a precomposed é and a decomposed é as equal, but
/// JSON and SQLite do not.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: ExactText, b: ExactText) -> Bool { a.text.isExactly(b.text) }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension String {
    /// Whether both strings have equal UTF-8 bytes.
    package func isExactly(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        if isEmpty { return true }
        // Compares the bytes in place, because the generic comparison of two sequences takes several times as long.
        let isEqual = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable {
                memcmp(bytes.baseAddress!, $0.baseAddress!, bytes.count) == 0
            }
        }
        return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
