import ParseModel
import SyncModel

/// Acknowledged writes that the remote does not show.
package protocol UnseenWriteStore: Sendable {
    /// Classes with acknowledged creates that were never shown, or with acknowledged edits whose row is still the older one.
    func classesWithUnseenWrites() async throws -> Set<String>

    /// The objects of such writes, without hidden ones.
    func unseenWrites(of className: String, max: Int) async throws -> [KnownObject]

    /// The ids among these with an acknowledged create that was never shown. Includes hidden objects.
    func unshownIds(among objectIds: [String], of className: String) async throws -> Set<String>

    /// A sync has looked for the objects and not found their acknowledged state.
    func noteLooks(at objectIds: [String], of className: String, at serverTime: ParseDate) async throws

    /// Marks unshown objects as hidden: the remote is no longer expected to show them.
    func hide(_ objectIds: [String], of className: String) async throws
}
