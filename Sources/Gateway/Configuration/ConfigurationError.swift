/// An error that ends a command, mostly an invalid setting. The description is one line. The description of an invalid setting
/// names the setting and its source: the option, the variable or the file.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
