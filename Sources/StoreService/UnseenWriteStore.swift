import ParseModel
import SyncModel

/// Acknowledged writes that the remote has not shown yet.
package protocol UnseenWriteStore: Sendable {
    /// The classes with acknowledged writes that the remote has not shown. For such a write, the remote has never shown the
    /// created object, or it shows a row that is older than the edit.
    func classesWithUnseenWrites() async throws -> Set<String>

    /// The objects of the class with acknowledged writes that the remote has not shown. Hidden objects are left out.
    func unseenWrites(of className: String, max: Int) async throws -> [KnownObject]

    /// Selects the ids of objects that the remote has acknowledged, but never shown. Hidden objects are included.
    func unshownIds(among objectIds: [String], of className: String) async throws -> Set<String>

    /// Records that a sync has searched for the objects and not found their acknowledged state.
    func noteLooks(at objectIds: [String], of className: String, at serverTime: ParseDate) async throws

    /// Marks unshown objects as hidden. The remote is no longer expected to show them.
    func hide(_ objectIds: [String], of className: String) async throws
}
