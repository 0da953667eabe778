import ParseModel
import SyncModel

/// The queries of sweeps and audits, which compare the stored objects with the remote's.
package protocol SweepStore: Sendable {
    /// The number of objects of the pull that the remote is expected to show.
    func baseCount(of pull: PullId) async throws -> Int

    /// The same number without the withheld objects of a user's data. Each sync reads them by id, so they are known to be missing.
    func listedCount(of pull: PullId) async throws -> Int

    /// Splits a range into at most `parts` parts with about equal numbers of objects of the pull. Counts the objects as `listedCount(of:)`.
    func split(_ range: CreatedRange, of pull: PullId, into parts: Int) async throws -> [CountedRange]

    /// The ids of the pull's objects that the remote is known to have. The remote is expected to list the objects in `seen`. The
    /// remote is not expected to list the objects in `hidden`, for example because of an ACL.
    func baseIds(
        of pull: PullId, created range: CreatedRange
    ) async throws -> (seen: Set<String>, hidden: Set<String>)

    /// The ids among `objectIds` that are in `seen` of `baseIds(of:created:)`.
    func baseIds(of pull: PullId, among objectIds: [String]) async throws -> [String]

    /// The ids among `objectIds` of the objects that `listedCount(of:)` counts.
    func listedIds(of pull: PullId, among objectIds: [String]) async throws -> [String]

    /// Stores a position of the remote's change feed, from which the next sync reads deletions; nil for none.
    func setDeletionsSince(_ position: String?, of pull: PullId) async throws

    /// Canaries: a few objects that the remote is known to have, of the class and of another pulled class. If the remote shows
    /// no canary, its answers about missing objects are not trusted.
    /// - Parameter objectIds: excluded objects.
    /// - Returns: at most two groups of one class each; empty if there are no other objects.
    func canaries(of className: String, besides objectIds: [String], max: Int) async throws -> [[Pointer]]

    /// The latest known `updatedAt` of the objects on the remote. Objects that the remote has never shown are left out.
    func stamps(of objectIds: [String], in className: String) async throws -> [String: ParseDate]

    /// The ids of objects with an acknowledged change that no row of the remote has shown. Left out are objects that the remote is
    /// not expected to list: those with the standing `hidden`, and those not shown with their present ACL, which gives no public read
    /// access.
    func provisionalIds(of className: String) async throws -> [String]

    func setAudited(_ pull: PullId, at serverTime: ParseDate) async throws

    func setRecentlyAudited(_ pull: PullId, at serverTime: ParseDate) async throws

    /// The `updatedAt` of one object of the class; nil if the class has too few objects.
    /// - Parameter place: the number of objects that changed later; 0 for the most recently changed object.
    func updateTime(of className: String, newest place: Int) async throws -> ParseDate?
}
