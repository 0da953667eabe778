/// An error that ends a command, mostly an invalid setting. The description is one line. For an invalid setting, it names the
/// setting and its origin.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
