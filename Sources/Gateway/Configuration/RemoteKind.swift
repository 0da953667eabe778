/// The kind of a remote, by its name in the settings: `--remote-kind parse`. Data directories store the name, so the name of a
/// kind never changes.
package struct RemoteKind: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// A Parse Server, or a standalone Tidegate.
    package static let parse = RemoteKind(rawValue: "parse")
    /// The tables of Azure Mobile Apps or Community Datasync.
    package static let datasync = RemoteKind(rawValue: "datasync")
}
