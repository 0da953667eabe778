/// Tells the contents of one object apart, for conditional writes. Two marks of an object are the same only if its content has not
/// changed between them.
package struct ContentMark: Sendable, Hashable {
    /// The key of the object's row.
    package let key: Int64
    /// The number of the content. Each change of a content gives a new one.
    package let number: Int64

    package init(key: Int64, number: Int64) {
        self.key = key
        self.number = number
    }

    /// The mark of an object that a store does not keep in a row.
    package static let none = ContentMark(key: 0, number: 0)

    /// The strong entity tag (RFC 9110 §8.8.1) of the content, including the quotation marks.
    package var tag: String { "\"\(key)-\(number)\"" }
}
