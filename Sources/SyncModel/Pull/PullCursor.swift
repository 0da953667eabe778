/// The position up to which a class has been pulled. Its text is made and read by the implementation of the remote only.
package struct PullCursor: Sendable, Hashable {
    package let text: String
    package init(text: String) { self.text = text }
}
