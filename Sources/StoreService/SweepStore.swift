import ParseModel
import SyncModel

/// Comparisons of all objects with the remote: sweeps and audits.
package protocol SweepStore: Sendable {
    /// How many objects of the pull the remote is expected to show.
    func baseCount(of pull: PullId) async throws -> Int

    /// Cuts a range into at most so many parts with about equal numbers of objects of the pull.
    func split(_ range: CreatedRange, of pull: PullId, into parts: Int) async throws -> [CountedRange]

    /// The ids of objects of the pull that the remote is known to have. `hidden` objects were pushed and are not expected in its
    /// lists, for example because of their ACL.
    func baseIds(
        of pull: PullId, created range: CreatedRange
    ) async throws -> (seen: Set<String>, hidden: Set<String>)

    /// A few objects that the remote is known to have, of the class and of another pulled class. If the remote shows none of them,
    /// its answers about missing objects are not believed.
    /// - Returns: at most two groups of one class each; empty if there are no other objects.
    func canaries(of className: String, besides objectIds: [String], max: Int) async throws -> [[Pointer]]

    /// The remote's latest known times of change of the objects, without objects that it is not known to have.
    func stamps(of objectIds: [String], in className: String) async throws -> [String: ParseDate]

    /// Objects that were pushed, were not read since, and are not hidden.
    func provisionalIds(of className: String) async throws -> [String]

    func setAudited(_ pull: PullId, at serverTime: ParseDate) async throws

    func setRecentlyAudited(_ pull: PullId, at serverTime: ParseDate) async throws

    /// The time of change of one object in the order from the newest.
    /// - Parameter place: 0 for the newest object.
    /// - Returns: nil if the class has fewer objects.
    func updateTime(of className: String, newest place: Int) async throws -> ParseDate?
}
