import ParseModel
import SyncModel

/// Held removals, and signs of a restored backup.
package protocol RemovalStore: Sendable {
    /// The ids of the held removal of the class; empty without one.
    func heldRemoval(in className: String) async throws -> Set<String>

    /// Filters the ids to held objects.
    func heldRemoval(of objectIds: [String], in className: String) async throws -> Set<String>

    /// The number of held objects of the class.
    func heldRemovalCount(in className: String) async throws -> Int

    /// Holds an implausibly large removal, in place of an earlier one of the class.
    func holdRemoval(of objectIds: [String], in className: String, total: Int) async throws

    /// Forgets the held removal of the class.
    func dropHeldRemoval(in className: String) async throws

    /// The objects whose base is newer than the given row, and held objects.
    func objectsNewer(than rows: [RemoteRecord], of className: String) async throws -> [String: KnownObject]

    /// The most recently changed objects among those known before, newest first.
    func mostRecentlyChanged(
        besides gone: [String: Set<String>], knownBefore: [String: ParseDate], max: Int
    ) async throws -> [Pointer]

    /// Compares missing objects with the newest ones of their classes.
    /// - Parameter knownBefore: by class, the server time before which each existing object was known.
    func rollbackShape(
        of gone: [String: Set<String>], knownBefore: [String: ParseDate]
    ) async throws -> RollbackShape

    /// Whether a decision about a restored backup is open.
    func holdsRestoredBackup() async throws -> Bool

    /// Whether a full comparison is due since the first sign of a restored backup.
    func comparesAllAfterRestore() async throws -> Bool

    func setComparedAllAfterRestore() async throws

    /// Objects held because of a restored backup.
    func lostIds(of className: String, max: Int) async throws -> [String]

    func holdLost(_ lost: [LostObject], of className: String, because reason: RemovalReason) async throws

    /// Releases objects that the remote shows again in the local state or a newer one.
    func releaseLost(_ objectIds: [String], of className: String) async throws
}
