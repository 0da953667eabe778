/// A key that must not reach a log, an error or the page: whatever prints it prints dots.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The key itself. Pass it to where it is needed and nowhere else.
    package let value: String

    package init(_ value: String) { self.value = value }

    package var description: String { "•••" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
