/// The position up to which a class has been pulled. Only the remote client that made it can read it.
package struct PullCursor: Sendable, Hashable {
    package let text: String
    package init(text: String) { self.text = text }
}
