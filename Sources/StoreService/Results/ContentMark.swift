/// The version of an object's content, for conditional writes. Two equal marks of an object mean that its content is
/// the same.
package struct ContentMark: Sendable, Hashable {
    /// The key of the object's row.
    package let key: Int64
    /// The version number of the content. It changes with each change of the content.
    package let number: Int64

    package init(key: Int64, number: Int64) {
        self.key = key
        self.number = number
    }

    /// The mark of an object that has no row in a store.
    package static let none = ContentMark(key: 0, number: 0)

    /// The strong entity tag (RFC 9110 §8.8.1) of the content, including the quotation marks.
    package var tag: String { "\"\(key)-\(number)\"" }
}
