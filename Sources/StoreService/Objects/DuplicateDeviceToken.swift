/// The action on an installation when another installation gets its device token (Parse Server's
/// `installation.duplicateDeviceTokenAction`).
package enum DuplicateDeviceToken: String, Sendable, CaseIterable {
    /// The earlier installation is deleted.
    case delete
    /// The earlier installation loses its device token.
    case update
}
