/// What a new installation with the device token of another one does to that one (Parse Server's
/// `installation.duplicateDeviceTokenAction`).
package enum DuplicateDeviceToken: String, Sendable, CaseIterable {
    /// The other installation is deleted.
    case delete
    /// The other installation loses its device token.
    case update
}
