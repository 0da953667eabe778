/// Names the objects that were deleted on a remote with a change feed. The names are hints: the feed may lack deletions, and may name
/// objects that exist. So the engine confirms each deletion by a read by id.
package protocol RemoteDeletionFeed: Sendable {
    /// Reads the deletions in a class.
    /// - Parameter position: the `next` of an earlier answer. Nil for an answer without ids, whose `next` is the end of the feed.
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
