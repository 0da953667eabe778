/// The position up to which a class has been pulled. Only the implementation of the remote makes and reads its text.
package struct PullCursor: Sendable, Hashable {
    package let text: String
    package init(text: String) { self.text = text }
}
