import ParseModel
import SyncModel

/// Records the writes that the remote has acknowledged, but that no row of the remote has shown yet.
package protocol UnseenWriteStore: Sendable {
    /// The id of the user under whose session the sync reads the remote; nil for none.
    var reader: String? { get }

    /// The classes with unseen writes: creates of objects that the remote has never shown, and edits for which a sync
    /// found only an older row.
    func classesWithUnseenWrites() async throws -> Set<String>

    /// The objects of the class with acknowledged writes that the remote has not shown yet. Objects that are marked as
    /// hidden by `hide` are left out.
    func unseenWrites(of className: String, max: Int) async throws -> [KnownObject]

    /// Selects the objects whose create is acknowledged, but which the remote has never shown. Includes objects that
    /// are marked as hidden by `hide`.
    func unshownIds(among objectIds: [String], of className: String) async throws -> Set<String>

    /// Records that the remote showed only older rows of the objects, so that later syncs search for their acknowledged state.
    func noteOlderRows(of objectIds: [String], of className: String, at serverTime: ParseDate) async throws

    /// Records that a sync has searched for the objects and not found their acknowledged state.
    func noteLooks(at objectIds: [String], of className: String, at serverTime: ParseDate) async throws

    /// Marks unshown objects as hidden: the remote is no longer expected to list them.
    func hide(_ objectIds: [String], of className: String) async throws
}
