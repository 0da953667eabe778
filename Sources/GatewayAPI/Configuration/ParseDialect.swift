import ParseModel

/// What depends on the version of Parse Server whose answers a gateway gives.
///
/// A composition is made with one dialect, and passes each value to the part that needs it. No part asks for a version.
package struct ParseDialect: Sendable, Hashable {
    /// The text that a client sees for every denial; nil for the text of each denial itself.
    package var denialText: String?
    /// The release that `/serverInfo` names.
    package var serverVersion: String

    /// The answers of Parse Server 9.10.
    package static let nine = ParseDialect(denialText: "Permission denied", serverVersion: "9.10.3")
    /// The answers of Parse Server 7.1.0.
    package static let seven = ParseDialect(denialText: nil, serverVersion: "7.1.0")
    /// The answers of a replica, whose remote decides about most requests.
    package static let replica = seven
}
