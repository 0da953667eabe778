/// The emphasis of a run. Each kind draws from its own random streams, so a new kind does not change the runs of others.
package enum SeedKind: String, Sendable, CaseIterable {
    case usual
    /// Relations with many owners, read member by member and in time slices with pushes and pulls between them.
    case relations
    /// The server commits its own writes long after their timestamps.
    case lateCommits
    /// The server fails on certain changes every time.
    case failingWrites
    /// Creates with lost answers, client-chosen ids and equal values, while users go on working with the objects.
    case creates
    /// Users save changes that are based on older states of the objects.
    case openForms
    /// Users correct their latest changes repeatedly over a network that delivers writes late.
    case haste
    /// Processes end during their syncs while much changes on the server.
    case crashes
    /// The server has versions, conditional writes and tombstones, but no files and no relations.
    case tables
    /// The engines schedule their own syncs: at the start, after writes, on the interval and after failures.
    case timers
}
