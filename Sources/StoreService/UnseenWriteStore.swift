import ParseModel
import SyncModel

/// Acknowledged writes that the remote does not show.
package protocol UnseenWriteStore: Sendable {
    /// Classes with acknowledged creates that the remote never showed, or with acknowledged edits whose remote row is still the older one.
    func classesWithUnseenWrites() async throws -> Set<String>

    /// The objects of such writes, without hidden ones.
    func unseenWrites(of className: String, max: Int) async throws -> [KnownObject]

    /// Filters the ids to acknowledged creates that the remote has never shown, including hidden objects.
    func unshownIds(among objectIds: [String], of className: String) async throws -> Set<String>

    /// Records that a sync has looked for the objects and not found their acknowledged state.
    func noteLooks(at objectIds: [String], of className: String, at serverTime: ParseDate) async throws

    /// Marks unshown objects as hidden: the remote is no longer expected to show them.
    func hide(_ objectIds: [String], of className: String) async throws
}
