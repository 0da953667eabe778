/// The position up to which a class has been pulled. Only the remote that made the cursor can interpret its text.
package struct PullCursor: Sendable, Hashable {
    package let text: String
    package init(text: String) { self.text = text }
}
