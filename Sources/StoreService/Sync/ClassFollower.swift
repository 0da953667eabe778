import ParseModel

/// Copies the gateway's classes and their options to the space of a user. A class whose options were changed in the space is no
/// longer copied.
package protocol ClassFollower: Sendable {
    /// Takes over the options and pulls of the gateway's classes, and ends the syncs of earlier classes of the gateway that are no
    /// longer among them. The objects of such a class stay.
    /// - Returns: a line for each class that cannot follow, for example because it has changes that are not on the remote. A later
    ///   call tries again.
    func follow(_ classes: [SyncClass]) async throws -> [String]

    /// Sets whether a class has options of its own, or is not synced here although the gateway syncs it.
    /// - Returns: whether this is a change.
    func setOwn(_ className: String, _ isOwn: Bool) async throws -> Bool
}
