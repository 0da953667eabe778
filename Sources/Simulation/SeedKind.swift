/// The kind of a run: the situations that are frequent in it. Each kind uses separate random streams, so a new kind does not
/// change the runs of other kinds.
package enum SeedKind: String, Sendable, CaseIterable {
    case usual
    /// Relations with many owners. Replicas read the relations member by member, in time slices. Pushes and pulls run between the
    /// slices.
    case relations
    /// Writes of users on the server are committed long after their timestamps.
    case lateCommits
    /// The server fails on certain changes every time.
    case failingWrites
    /// Creates with lost answers, client-chosen ids and equal values, while users go on working with the objects.
    case creates
    /// Users save changes that are based on older states of the objects.
    case openForms
    /// Users correct their latest changes repeatedly over a network that delivers writes late.
    case haste
    /// Processes end during syncs, while users on the server make many changes.
    case crashes
    /// The server has versions, conditional writes and tombstones, but no files and no relations.
    case tables
    /// The engines schedule their own syncs: at the start, after writes, on the interval and after failures.
    case timers
}
