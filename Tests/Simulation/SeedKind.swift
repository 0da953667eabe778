/// The kind of a run, which determines the situations that are frequent in it, such as lost creates or refused batches.
package enum SeedKind: String, Sendable, CaseIterable {
    case usual
    /// Relations have many owners. Replicas read the relations member by member, in time slices. Pushes and pulls run between the
    /// slices.
    case relations
    /// Writes of users on the server are committed long after their timestamps.
    case lateCommits
    /// Some writes of replicas fail on the server at every attempt.
    case failingWrites
    /// Answers to creates are lost, new objects look alike, and users edit objects whose create has an unknown outcome.
    case creates
    /// Users save changes that are based on older states of the objects.
    case openForms
    /// Users correct their latest changes repeatedly over a network that delivers writes late.
    case haste
    /// Processes end during syncs, while users on the server make many changes.
    case crashes
    /// As `crashes`, and the server has many objects before the first syncs. Pages are small, and one write stores several of them.
    case manyPages
    /// The server has versions, conditional writes and tombstones, but no files and no relations.
    case tables
    /// As `tables`, but deletions leave no tombstones.
    case plainTables
    /// The replicas use the tables protocol over HTTP. The seed draws the dialect. Deletions leave tombstones.
    case datasync
    /// As `datasync`, but deletions leave no tombstones.
    case plainDatasync
    /// The engines schedule their own syncs: at the start, after writes, on the interval and after failures.
    case timers
    /// The replicas have the server's master key and serve several users. The server revokes sessions, and changes roles and ACLs.
    case site
    /// The server refuses batches for their size, and single changes because its cache of schemas is outdated.
    case refusals
    /// The server has the limits of Parse Server 9 and 10, and hides the texts of its errors. See `StrictServer`.
    case strict
    /// People use whole gateways through the API, online and offline, in personal or site replicas. The seed chooses which.
    case people
}

extension SeedKind {
    /// Whether the server has tables, and no Parse API.
    var hasTables: Bool { self == .tables || self == .plainTables || speaksDatasync }
    /// Whether the replicas use the tables protocol over HTTP. Columns then store only texts, numbers and booleans.
    package var speaksDatasync: Bool { self == .datasync || self == .plainDatasync }
    /// Whether the server keeps tombstones of deleted rows.
    var keepsTombstones: Bool { self == .tables || self == .datasync }
}
