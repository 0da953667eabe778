import ParseModel
import SyncModel

/// Pulled rows, cursors and the members of pulls.
package protocol PullStore: Sendable {
    /// Applies one page and moves the pull's cursor.
    /// - Parameter began: the server time at which the pull began.
    func apply(
        _ changes: [RemoteChange], of pull: PullId, cursor: PullCursor?, began: ParseDate, isLast: Bool
    ) async throws -> PullTally

    /// Applies rows that were read for another reason than a pull; no cursor moves. The named objects that are not among
    /// `records` are gone.
    func apply(_ records: [RemoteRecord], gone: [String], of className: String) async throws -> PullTally

    /// A row was left out because it is too large. The record of it ends when the row arrives or no longer exists.
    func noteSkipped(_ row: SkippedRow, of pull: PullId) async throws

    /// The rows of a pull that were left out: all of them, and those without an older state here.
    func skippedIds(of pull: PullId) async throws -> (all: Set<String>, missing: Set<String>)

    func forgetSkipped(_ objectIds: [String], of className: String) async throws

    /// How many objects the pulls of a class hold together. For classes that are pulled in subsets.
    func pulledCount(of className: String) async throws -> Int

    /// The remote refuses the pull. Its next answer to the pull ends this state.
    /// - Parameter refusal: the remote's message.
    func setRefusal(_ refusal: String, of pull: PullId) async throws

    /// The next pull reads all rows of the class once more.
    func pullAnew(_ className: String) async throws

    /// Adds the objects to the pull.
    func join(_ objectIds: [String], _ pull: PullId) async throws

    /// Removes the objects from the pull. They stay in the store.
    func leave(_ objectIds: [String], _ pull: PullId) async throws

    /// Drops objects that no pull of the class holds and that have no pending changes or open decisions.
    /// - Returns: how many were dropped.
    func evictStrays(of className: String) async throws -> Int

    /// A sample of objects that together have each field of the newest and of the oldest rows of the class.
    /// - Returns: at most so many ids.
    func samples(of className: String, max: Int) async throws -> [String]

    /// Fields that unchanged objects have here and no longer have in their remote rows.
    func lostFields(in records: [RemoteRecord]) async throws -> [String]
}
