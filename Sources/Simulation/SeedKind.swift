/// The emphasis of a run. A seed of one kind leaves the runs of the others as they are.
package enum SeedKind: String, Sendable, CaseIterable {
    case usual
    /// Relations of many objects, read by their members and in slices between which pushes and pulls go on.
    case relations
    /// The server shows writes of its own long after it has stamped them.
    case lateCommits
    /// The server fails for ever over some changes.
    case failingWrites
    /// Creates whose answers get lost, with ids that clients choose, equal values, and users who go on with the objects.
    case creates
    /// Users save changes of objects as they were a while ago.
    case openForms
    /// Users correct their latest changes, again and again, over a network that delivers writes late.
    case haste
    /// Processes end in the midst of their syncs, and much changes on the server meanwhile.
    case crashes
    /// The server has versions, conditional writes and tombstones, and no files and relations.
    case tables
    /// The engines sync by themselves: at the start, after writes, on the interval and after failures.
    case timers
}
