import ParseModel
import SyncModel

/// Removals that are held until a user decides, and signs of a restored backup of the remote.
package protocol RemovalStore: Sendable {
    /// The ids of the objects in the class's implausibly large removal, which waits for a decision; empty if there is none.
    func heldRemoval(in className: String) async throws -> Set<String>

    /// Selects those of the given ids whose objects are in a held removal of the class.
    func heldRemoval(of objectIds: [String], in className: String) async throws -> Set<String>

    /// The number of objects of the class in held removals.
    func heldRemovalCount(in className: String) async throws -> Int

    /// Holds an implausibly large removal until a user decides. This replaces an implausibly large removal of the class that is
    /// already held.
    /// - Parameter total: the number of objects of the class that the remote is known to have.
    func holdRemoval(of objectIds: [String], in className: String, total: Int) async throws

    /// The ids of objects of a class that clients do not see, because the remote did not show them any more, in their order.
    /// - Parameter last: the objects after this id; nil to begin with the first one.
    func withheldIds(of className: String, after last: String?, max: Int) async throws -> [String]

    /// Hides objects from clients until the remote shows them again.
    func withhold(_ objectIds: [String], of className: String) async throws

    /// Drops the class's implausibly large removal without a decision. The objects stay.
    func dropHeldRemoval(in className: String) async throws

    /// Finds the stored objects with a row in `rows` that meet one of two conditions: the object's base is newer than the row, or
    /// `holdLost` has held the object. The keys are object ids.
    func objectsNewer(than rows: [RemoteRecord], of className: String) async throws -> [String: KnownObject]

    /// The most recently changed objects, newest first. Objects that the remote may hide from this gateway are left out.
    /// - Parameters:
    ///   - gone: by class, the ids of missing objects, which are left out.
    ///   - knownBefore: by class, a server time. Objects that changed later are left out. Classes without a time are left out.
    func mostRecentlyChanged(
        besides gone: [String: Set<String>], knownBefore: [String: ParseDate], max: Int
    ) async throws -> [Pointer]

    /// Compares missing objects with the newest objects of their classes.
    /// - Parameter knownBefore: by class, the server time at which the last complete pull of an earlier sync began. Objects that
    ///   were created later count only if they are missing.
    func rollbackShape(
        of gone: [String: Set<String>], knownBefore: [String: ParseDate]
    ) async throws -> RollbackShape

    /// Whether a user still has to decide about a restored backup.
    func holdsRestoredBackup() async throws -> Bool

    /// Whether a sync still has to compare all objects with the remote, because of a restored backup.
    func comparesAllAfterRestore() async throws -> Bool

    func setComparedAllAfterRestore() async throws

    /// The ids of objects that are held because of a restored backup and that clients see.
    func lostIds(of className: String, max: Int) async throws -> [String]

    func holdLost(_ lost: [LostObject], of className: String, because reason: RemovalReason) async throws
}
