/// Reads from a remote's change feed which objects were deleted. The feed may lack deletions, and may name objects that
/// exist. The engine therefore confirms each deletion by a read by id.
package protocol RemoteDeletionFeed: Sendable {
    /// Reads the ids of the deleted objects of a class, from a position in the feed on.
    /// - Parameter position: the `next` of an earlier answer. If it is nil, the answer has no ids, and its `next` is
    ///   the end of the feed.
    /// - Returns: nil if the remote has no change feed, or if its feed no longer has all entries since the position.
    func deletions(in className: String, since position: String?) async throws(RemoteError) -> RemoteDeletions?
}

/// Deletions in a class, from a change feed.
package struct RemoteDeletions: Sendable, Hashable {
    /// The ids of the deleted objects.
    package let objectIds: Set<String>
    /// The position after the last entry that was read.
    package let next: String

    package init(objectIds: Set<String>, next: String) {
        self.objectIds = objectIds
        self.next = next
    }
}
