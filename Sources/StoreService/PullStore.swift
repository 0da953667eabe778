import ParseModel
import SyncModel

/// Pulled rows, cursors and the members of pulls.
package protocol PullStore: Sendable {
    /// Applies one page and moves the pull's cursor.
    /// - Parameter began: the server time at which the pull began.
    func apply(
        _ changes: [RemoteChange], of pull: PullId, cursor: PullCursor?, began: ParseDate, isLast: Bool
    ) async throws -> PullTally

    /// Applies rows that were read for another reason than a pull. No cursor moves. Objects in `gone` without a row in `records`
    /// no longer exist.
    func apply(_ records: [RemoteRecord], gone: [String], of className: String) async throws -> PullTally

    /// Records a row that was skipped as too large. The record is removed when the row arrives or no longer exists.
    func noteSkipped(_ row: SkippedRow, of pull: PullId) async throws

    /// The skipped rows of a pull: all of them, and those without a stored earlier state.
    func skippedIds(of pull: PullId) async throws -> (all: Set<String>, missing: Set<String>)

    func forgetSkipped(_ objectIds: [String], of className: String) async throws

    /// The number of objects that belong to any pull of a class. For classes that are pulled in subsets.
    func pulledCount(of className: String) async throws -> Int

    /// Records that the remote refuses the pull, until its next answer to the pull.
    /// - Parameter refusal: the remote's message.
    func setRefusal(_ refusal: String, of pull: PullId) async throws

    /// Makes the next pull read all rows of the class again.
    func pullAnew(_ className: String) async throws

    /// Adds the objects to the pull.
    func join(_ objectIds: [String], _ pull: PullId) async throws

    /// Removes the objects from the pull. They stay in the store.
    func leave(_ objectIds: [String], _ pull: PullId) async throws

    /// Drops objects that belong to no pull of the class and have no pending changes or open decisions.
    /// - Returns: the number of dropped objects.
    func evictStrays(of className: String) async throws -> Int

    /// A sample of objects that together have each field of the newest and of the oldest rows of the class.
    /// - Returns: at most `max` ids.
    func samples(of className: String, max: Int) async throws -> [String]

    /// Fields that unchanged objects have locally but no longer have in their remote rows.
    func lostFields(in records: [RemoteRecord]) async throws -> [String]
}
