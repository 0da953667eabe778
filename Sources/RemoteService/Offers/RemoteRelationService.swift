import SyncModel

/// Reads the members of relations from a remote. The remote's rows do not contain them.
package protocol RemoteRelationService: Sendable {
    /// The ids of all members of each relation, with as few requests as possible.
    func members(of relations: [RelationPull]) async throws(RemoteError) -> [[String]]

    /// One page of owners for each `OwnersRequest`, in as few round trips as possible. An owner is an object whose relation has
    /// at least one of the members in the request.
    func owners(_ requests: [OwnersRequest]) async throws(RemoteError) -> [OwnersPage]
}
