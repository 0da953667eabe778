/// A setting that cannot be used. Its description is one line that names the setting and where it stands.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
