import ParseModel
import SyncModel

/// Stores pulled rows, the cursors of pulls, and which objects belong to which pull.
package protocol PullStore: Sendable {
    /// Applies a page of a pull, or a part of a page. The last part has the pull's new `cursor`; nil leaves the cursor unchanged.
    /// - Parameter began: the server time at which the pull began.
    func apply(
        _ changes: [RemoteChange], of pull: PullId, cursor: PullCursor?, began: ParseDate, isLast: Bool
    ) async throws -> PullTally

    /// The recommended number of rows of a pull in one call of `apply`, at least 1. It is smaller while clients write,
    /// because their writes wait for the call.
    var rowsTogether: Int { get }

    /// Applies rows that were read outside a pull; no cursor moves.
    /// - Parameter gone: the ids of objects that no longer exist on the remote.
    func apply(_ records: [RemoteRecord], gone: [String], of className: String) async throws -> PullTally

    /// Records a row that was skipped because it is too large. The record is deleted when a row of the object is applied, or when
    /// the object no longer exists.
    func noteSkipped(_ row: SkippedRow, of pull: PullId) async throws

    /// The ids of a pull's skipped rows. `missing` contains only the ids of objects that have no base in the store.
    func skippedIds(of pull: PullId) async throws -> (all: Set<String>, missing: Set<String>)

    func forgetSkipped(_ objectIds: [String], of className: String) async throws

    /// The number of objects that belong to any pull of the class. Used for classes that are pulled in subsets.
    func pulledCount(of className: String) async throws -> Int

    /// Records that the remote refuses the requests of the pull. The record is deleted when the remote answers the pull
    /// again.
    /// - Parameters:
    ///   - refusal: the remote's message.
    ///   - hidesObjects: whether clients stop seeing the objects of the pull. False if the remote has refused the
    ///     gateway's keys or token, because such a refusal says nothing about the rights of the user.
    func setRefusal(_ refusal: String, of pull: PullId, hidesObjects: Bool) async throws

    /// Resets the cursors of the class, so that the next pull reads all rows again.
    func pullAnew(_ className: String) async throws

    /// Records that the objects belong to the pull. Does nothing for a pull of a whole class.
    func join(_ objectIds: [String], _ pull: PullId) async throws

    /// Records that the objects no longer belong to the pull. The objects stay in the store.
    func leave(_ objectIds: [String], _ pull: PullId) async throws

    /// The ids of the objects that `evictStrays` would evict and that this gateway has created or changed on the
    /// remote.
    func pushedStrays(of className: String) async throws -> [String]

    /// The ids of the stored objects that belong to no pull of the class and that `evictStrays` keeps because of a
    /// pending change or an open decision. Left out are objects whose deletion is known, objects of which a missing row
    /// proves nothing, and objects that wait for a decision because of a restored backup.
    func keptStrays(of className: String) async throws -> [String]

    /// Evicts strays: stored objects that belong to no pull of the class. Keeps objects with pending changes, with open
    /// decisions, or with an acknowledged write that the remote has not shown.
    /// - Parameter missing: objects that stay, because the remote does not have them.
    /// - Returns: the number of evicted objects.
    func evictStrays(of className: String, besides missing: Set<String>) async throws -> Int

    /// The ids of at most `max` sample objects of a class. Together, the samples have all fields of the class's most
    /// recently and least recently changed rows.
    func samples(of className: String, max: Int) async throws -> [String]

    /// The names of fields that the remote has dropped. A field counts as dropped if the last known remote state of an
    /// object has it and the given row lacks it, although both have the same `updatedAt`.
    func lostFields(in records: [RemoteRecord]) async throws -> [String]
}

/// A row of the remote that a pull skipped, because the row is too large. After its next change, the row is requested again.
package struct SkippedRow: Sendable, Hashable {
    package let className: String
    package let objectId: String
    /// The row's `updatedAt` on the remote.
    package let updatedAt: ParseDate
    /// The limit that the row exceeds, in words.
    package let reason: String

    package init(className: String, objectId: String, updatedAt: ParseDate, reason: String) {
        self.className = className
        self.objectId = objectId
        self.updatedAt = updatedAt
        self.reason = reason
    }
}
