import ParseModel
import SyncModel

/// Stores held removals (removals that wait for a user's decision), and signs that the remote was restored from a
/// backup.
package protocol RemovalStore: Sendable {
    /// The ids of the objects in the class's removal with the reason `tooMany` (implausibly many objects) that waits
    /// for a decision; empty if there is none.
    func heldRemoval(in className: String) async throws -> Set<String>

    /// Selects the ids of the class's objects whose removal waits for a user's decision.
    func heldRemoval(of objectIds: [String], in className: String) async throws -> Set<String>

    /// The number of the class's objects whose removal waits for a user's decision.
    func heldRemovalCount(in className: String) async throws -> Int

    /// Stores a removal of implausibly many objects, which then waits for a user's decision. It replaces an earlier
    /// such removal of the class.
    /// - Parameter total: the number of objects of the class that the remote is known to have.
    func holdRemoval(of objectIds: [String], in className: String, total: Int) async throws

    /// The ids of withheld objects in ascending order: objects that clients do not see, because the remote no longer
    /// shows them.
    /// - Parameter last: the id after which the list begins; nil to begin with the first id.
    func withheldIds(of className: String, after last: String?, max: Int) async throws -> [String]

    /// Hides objects from clients until the remote shows them again.
    func withhold(_ objectIds: [String], of className: String) async throws

    /// Deletes the entry of the class's removal of implausibly many objects, without a decision. The objects stay.
    func dropHeldRemoval(in className: String) async throws

    /// Finds the stored objects of `rows` that are newer than their row, or that `holdLost` has stored as lost. The
    /// keys are object ids.
    func objectsNewer(than rows: [RemoteRecord], of className: String) async throws -> [String: KnownObject]

    /// The most recently changed objects, newest first. Objects that the remote may hide from this gateway are left
    /// out.
    /// - Parameters:
    ///   - gone: by class, the ids of missing objects, which are left out.
    ///   - knownBefore: by class, a server time. Objects that changed later are left out. Classes without a time are left out.
    func mostRecentlyChanged(
        besides gone: [String: Set<String>], knownBefore: [String: ParseDate], max: Int
    ) async throws -> [Pointer]

    /// Compares missing objects with the newest objects of their classes, to find out whether the remote was restored
    /// from a backup.
    /// - Parameter knownBefore: by class, the server time at which the last complete pull of an earlier sync began.
    ///   Objects created after this time count only if they are missing.
    func rollbackShape(
        of gone: [String: Set<String>], knownBefore: [String: ParseDate]
    ) async throws -> RollbackShape

    /// Whether objects wait for a user's decision because the remote was restored from a backup.
    func holdsRestoredBackup() async throws -> Bool

    /// Whether a sync still has to compare all objects with the remote, because of a restored backup.
    func comparesAllAfterRestore() async throws -> Bool

    func setComparedAllAfterRestore() async throws

    /// The ids of objects that wait for a decision because the remote was restored from a backup, and that clients can
    /// see.
    func lostIds(of className: String, max: Int) async throws -> [String]

    func holdLost(_ lost: [LostObject], of className: String, because reason: RemovalReason) async throws
}
