/// A key whose text form is `•••`, so that it never reaches a log, an error or the page.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The key. Use it only for its purpose, never in a text.
    package let value: String

    package init(_ value: String) { self.value = value }

    package var description: String { "•••" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
