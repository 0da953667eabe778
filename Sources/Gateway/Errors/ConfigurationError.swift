/// An error that ends a command, as one line. For an invalid setting, the line names the setting and its source: the option, the
/// variable or the file.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
