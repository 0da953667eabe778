import SyncModel

/// The relations of a remote. Rows do not contain their members.
package protocol RemoteRelationService: Sendable {
    /// The ids of all members of each relation, in few round trips.
    func members(of relations: [RelationPull]) async throws(RemoteError) -> [[String]]

    /// One page of owners for each request, in few round trips. An owner has at least one of the given members.
    func owners(_ requests: [OwnersRequest]) async throws(RemoteError) -> [OwnersPage]
}
