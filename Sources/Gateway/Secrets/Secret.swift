/// A key whose text form is `•••`, so that no log, error or page shows the key.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The key itself. Never put it into a log, an error or a page.
    package let value: String

    package init(_ value: String) { self.value = value }

    package var description: String { "•••" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
