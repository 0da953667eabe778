import ParseModel
import SyncModel

/// Comparisons of all objects with the remote: sweeps and audits.
package protocol SweepStore: Sendable {
    /// The number of objects of the pull that the remote is expected to show.
    func baseCount(of pull: PullId) async throws -> Int

    /// Divides a range into at most `parts` parts with about equal numbers of objects of the pull.
    func split(_ range: CreatedRange, of pull: PullId, into parts: Int) async throws -> [CountedRange]

    /// The ids of objects of the pull that the remote is known to have. Lists of the remote are not expected to contain `hidden`
    /// objects, for example because of their ACL.
    func baseIds(
        of pull: PullId, created range: CreatedRange
    ) async throws -> (seen: Set<String>, hidden: Set<String>)

    /// Canaries: a few existing objects of the class and of another pulled class. If the remote shows none of them, its answers
    /// about missing objects are ignored.
    /// - Returns: at most two groups of one class each; empty if there are no other objects.
    func canaries(of className: String, besides objectIds: [String], max: Int) async throws -> [[Pointer]]

    /// The latest known remote `updatedAt` of the objects. Objects that the remote is not known to have are left out.
    func stamps(of objectIds: [String], in className: String) async throws -> [String: ParseDate]

    /// Pushed objects that no read has returned since, without hidden ones.
    func provisionalIds(of className: String) async throws -> [String]

    func setAudited(_ pull: PullId, at serverTime: ParseDate) async throws

    func setRecentlyAudited(_ pull: PullId, at serverTime: ParseDate) async throws

    /// The `updatedAt` of one of the most recently changed objects.
    /// - Parameter place: 0 for the newest object.
    /// - Returns: nil if the class has fewer objects.
    func updateTime(of className: String, newest place: Int) async throws -> ParseDate?
}
