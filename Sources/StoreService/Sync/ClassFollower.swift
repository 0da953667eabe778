import ParseModel

/// Copies the gateway's synced classes and their options to the separate store of one user (the user's space). A class
/// whose options were changed in this store is no longer copied.
package protocol ClassFollower: Sendable {
    /// Copies the options and pulls of the gateway's classes. Stops syncing a class that was copied earlier and is no
    /// longer among `classes`; its objects stay.
    /// - Returns: a line for each class that cannot be copied or stopped, for example because it has changes that are
    ///   not on the remote. A later call tries again.
    func follow(_ classes: [SyncClass]) async throws -> [String]

    /// Sets whether a class keeps options of its own in this store, instead of a copy of the gateway's options.
    /// - Returns: whether this is a change.
    func setOwn(_ className: String, _ isOwn: Bool) async throws -> Bool
}
