import ParseModel
import SyncModel

/// Acknowledged writes that the remote has not shown yet.
package protocol UnseenWriteStore: Sendable {
    /// The id of the user under whose session the sync reads the remote; nil for none.
    var reader: String? { get }

    /// The classes with acknowledged writes that the remote has not shown: creates whose object the remote has never shown, and
    /// edits for which a sync found only an older row.
    func classesWithUnseenWrites() async throws -> Set<String>

    /// The objects of the class with acknowledged writes that the remote has not shown. Hidden objects are left out.
    func unseenWrites(of className: String, max: Int) async throws -> [KnownObject]

    /// Selects the ids of objects whose create is acknowledged, but which the remote has never shown. Includes hidden objects.
    func unshownIds(among objectIds: [String], of className: String) async throws -> Set<String>

    /// Records that the remote showed only older rows of the objects, so that later syncs search for their acknowledged state.
    func noteOlderRows(of objectIds: [String], of className: String, at serverTime: ParseDate) async throws

    /// Records that a sync has searched for the objects and not found their acknowledged state.
    func noteLooks(at objectIds: [String], of className: String, at serverTime: ParseDate) async throws

    /// Marks unshown objects as hidden. The remote is no longer expected to show them.
    func hide(_ objectIds: [String], of className: String) async throws
}
