import SyncModel

/// Relations of a remote: their members are not part of the rows.
package protocol RemoteRelationService: Sendable {
    /// The ids of all members of each relation, in few round trips.
    func members(of relations: [RelationPull]) async throws(RemoteError) -> [[String]]

    /// One page of owners for each request, in few round trips: the owners that have any of the named members.
    func owners(_ requests: [OwnersRequest]) async throws(RemoteError) -> [OwnersPage]
}
