import ParseModel
import SyncModel

/// The queries of sweeps (searches for objects that no longer exist remotely) and audits (comparisons of ids and times
/// with the remote).
package protocol SweepStore: Sendable {
    /// The number of objects of the pull that the remote is expected to show.
    func baseCount(of pull: PullId) async throws -> Int

    /// The number of objects of the pull that the remote is expected to list, without the withheld objects of a single
    /// user's store. Each sync reads withheld objects by their ids, so they are known to be missing.
    func listedCount(of pull: PullId) async throws -> Int

    /// Splits a range into at most `parts` parts with about equal numbers of objects of the pull. Counts the objects as `listedCount(of:)`.
    func split(_ range: CreatedRange, of pull: PullId, into parts: Int) async throws -> [CountedRange]

    /// The ids of the pull's objects that the remote is known to have. `seen` are the objects that the remote is
    /// expected to list. `hidden` are the objects that can be missing in the remote's lists, for example because of an
    /// ACL.
    func baseIds(
        of pull: PullId, created range: CreatedRange
    ) async throws -> (seen: Set<String>, hidden: Set<String>)

    /// The ids among `objectIds` of the objects that the remote is expected to list, as in `seen` of
    /// `baseIds(of:created:)`.
    func baseIds(of pull: PullId, among objectIds: [String]) async throws -> [String]

    /// The ids among `objectIds` of the objects that `listedCount(of:)` counts.
    func listedIds(of pull: PullId, among objectIds: [String]) async throws -> [String]

    /// Stores the position in the remote's change feed after which the next sync reads deletions; nil for none.
    func setDeletionsSince(_ position: String?, of pull: PullId) async throws

    /// Canaries: a few objects that the remote is known to have, of the class and of another pulled class. A sync reads
    /// them together with missing objects. If the remote shows no canary, its answers about missing objects are not
    /// trusted.
    /// - Parameter objectIds: excluded objects.
    /// - Returns: at most two groups of one class each; empty if there are no other objects.
    func canaries(of className: String, besides objectIds: [String], max: Int) async throws -> [[Pointer]]

    /// The `updatedAt` of the objects in their last known remote states. Objects that the remote has never shown are
    /// left out.
    func stamps(of objectIds: [String], in className: String) async throws -> [String: ParseDate]

    /// The ids of objects with an acknowledged change that no row of the remote has shown yet. Objects that the remote
    /// is not expected to list are left out: objects that stayed unshown for a long time, and objects whose present ACL
    /// gives no public read access and was never shown.
    func provisionalIds(of className: String) async throws -> [String]

    func setAudited(_ pull: PullId, at serverTime: ParseDate) async throws

    func setRecentlyAudited(_ pull: PullId, at serverTime: ParseDate) async throws

    /// The `updatedAt` of the object at position `place` among the class's objects, sorted from newest to oldest; nil
    /// if the class has fewer objects.
    /// - Parameter place: 0 for the most recently changed object.
    func updateTime(of className: String, newest place: Int) async throws -> ParseDate?
}
