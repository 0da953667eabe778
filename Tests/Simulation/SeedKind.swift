/// The kind of a run. It determines which situations are frequent in the run, such as lost creates or refused batches.
package enum SeedKind: String, Sendable, CaseIterable {
    case usual
    /// Relations have many owners. Replicas read the relations member by member, for a limited time in each sync, with
    /// pushes and pulls in between.
    case relations
    /// Writes of users on the server are committed long after their timestamps.
    case lateCommits
    /// Some writes of replicas fail on the server at every attempt.
    case failingWrites
    /// Answers to creates are lost, new objects look alike, and users edit objects before their create is answered.
    case creates
    /// Users save changes that are based on older states of objects.
    case openForms
    /// Users correct their latest changes again and again, over a network that delivers writes late.
    case haste
    /// Processes of replicas end during syncs, while users on the server make many changes.
    case crashes
    /// As in `crashes`, but the server has many objects before the first syncs. Pages are small, and one write stores
    /// several of them.
    case manyPages
    /// The server has row versions, conditional writes and tombstones, but no files and no relations.
    case tables
    /// As in `tables`, but deletions leave no tombstones.
    case plainTables
    /// The replicas use the tables protocol over HTTP, in a dialect that depends on the seed. Deletions leave
    /// tombstones.
    case datasync
    /// As in `datasync`, but deletions leave no tombstones.
    case plainDatasync
    /// The engines schedule their own syncs: at the start, after writes, at an interval and after failures.
    case timers
    /// The replicas have the server's master key and serve several users. The server revokes sessions, and changes roles and ACLs.
    case site
    /// The server refuses batches because of their size, and refuses single changes for a time, because its schema
    /// cache is outdated.
    case refusals
    /// The server has the limits of Parse Server 9 and 10, and hides the texts of its errors. See `StrictServer`.
    case strict
    /// Users want some changes on the server at once or nowhere, and such a change is sent once. Of other changes, they wait until
    /// the server has them.
    case once
    /// People use whole gateways through the API, online and offline, in personal or site replicas. The seed chooses which.
    case people
}

extension SeedKind {
    /// Whether the server has tables instead of a Parse API.
    var hasTables: Bool { self == .tables || self == .plainTables || speaksDatasync }
    /// Whether the replicas use the tables protocol over HTTP. Columns then store only texts, numbers and booleans.
    package var speaksDatasync: Bool { self == .datasync || self == .plainDatasync }
    /// Whether the server keeps tombstones of deleted rows.
    var keepsTombstones: Bool { self == .tables || self == .datasync }
}
