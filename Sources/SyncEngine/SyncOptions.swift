import ParseModel

/// The settings of syncing.
package struct SyncOptions: Sendable {
    /// The time between two syncs when nothing else starts one.
    package var interval: Duration = .seconds(60)
    /// How long a local write waits for others that are sent together with it.
    package var debounce: Duration = .milliseconds(300)
    /// How far a pull looks back before the begin of the last one, because the server stamps a write before it commits.
    package var overlap: Duration = .seconds(10)
    /// The grace period: how long a request without an answer may still be executed.
    package var grace: Duration = .seconds(10)
    /// The largest plausible share of a class that is removed at once, for classes of `removalCheckMin` objects or more.
    package var removalShareMax = 0.5
    package var removalCheckMin = 4
    /// How much older the stamp of a row's later state may be, because the server stamps a write before it commits.
    package var lateStampMax: Duration = .seconds(10)
    /// How many syncs, and for how long at least, look for an acknowledged write that is not shown. Then it counts as hidden.
    package var unseenLooksMin = 3
    package var unseenTime: Duration = .seconds(300)
    /// How many attested objects have to be missing at once, and no older one, to be held back as the work of a restored backup.
    /// Attested objects were acknowledged here or edited.
    package var rollbackCheckMin = 3
    /// How often an operation may fail while others succeed. Then it becomes a rejection.
    package var attemptsMax = 5
    /// The longest wait between two tries to reach an unreachable remote.
    package var retryDelayMax: Duration = .seconds(30)

    /// How often everything that a pull covers is compared with the remote, to find missed changes.
    package var auditInterval: Duration = .seconds(24 * 3600)
    /// How often ids and times of the newest rows are compared with the remote, to find late commits.
    package var recentAuditInterval: Duration = .seconds(300)
    /// How far back the updates of those rows reach.
    package var recentAuditWindow: Duration = .seconds(3600)
    /// How long one sync reads relations, after its pushes. Another sync continues.
    package var relationSlice: Duration = .seconds(2)
    /// How many relations of a column are read object by object. More are read by a survey of the column.
    package var relationsReadSinglyMax = 250
    /// A class with so many objects here is not pulled any further.
    package var classObjectsMax = 10_000_000
    /// With fewer free bytes on the disk no class is pulled any further.
    package var diskFreeMin = 0
    /// The free bytes on the disk; nil if they are not known.
    package var freeBytes: @Sendable () -> Int? = { nil }
    /// Identifies this gateway among all replicas of the same remote.
    package var replicaId = ""

    package init() {}
}
