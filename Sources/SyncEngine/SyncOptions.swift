import ParseModel

/// What may be set about syncing.
package struct SyncOptions: Sendable {
    /// Time between two syncs when nothing calls for one.
    package var interval: Duration = .seconds(60)
    /// How long a local write waits for others to go with it.
    package var debounce: Duration = .milliseconds(300)
    /// How far a pull looks back before the last one began, because the server stamps a write before it commits.
    package var overlap: Duration = .seconds(10)
    /// How long a request of unknown outcome may still come to be executed.
    package var grace: Duration = .seconds(10)
    /// The share of a class that may vanish at once and be believed; of classes of `removalCheckMin` objects or more.
    package var removalShareMax = 0.5
    package var removalCheckMin = 4
    /// How much older the stamp of a later state of a row may be, because the server stamps a write before it commits.
    package var lateStampMax: Duration = .seconds(10)
    /// How many syncs look for an acknowledged write that is not shown, for how long at least, until it counts as hidden.
    package var unseenLooksMin = 3
    package var unseenTime: Duration = .seconds(300)
    /// How many objects that were acknowledged here or edited have to be gone at once, and no older one, to be held back as
    /// the work of a restored backup.
    package var rollbackCheckMin = 3
    /// How often an operation may fail alone, while others succeed, before it counts as refused.
    package var attemptsMax = 5
    /// The longest wait between two tries to reach a remote that cannot be reached.
    package var retryDelayMax: Duration = .seconds(30)

    /// How often all that a pull covers is compared with the remote, to find what slipped through.
    package var auditInterval: Duration = .seconds(24 * 3600)
    /// How often ids and times of the newest rows are compared with the remote, to find late commits.
    package var recentAuditInterval: Duration = .seconds(300)
    /// How far back those rows were updated.
    package var recentAuditWindow: Duration = .seconds(3600)
    /// How long relations are read in one sync, after its pushes, before another one begins.
    package var relationSlice: Duration = .seconds(2)
    /// How many relations of a column are read object by object; where more wait, their members are asked who has them.
    package var relationsReadSinglyMax = 250
    /// A class of so many objects is not pulled any further.
    package var classObjectsMax = 10_000_000
    /// With fewer bytes free on the disk nothing is pulled any further.
    package var diskFreeMin = 0
    /// How many bytes are free on the disk; nil where that is not known.
    package var freeBytes: @Sendable () -> Int? = { nil }
    /// This gateway among all that serve the same remote.
    package var replicaId = ""

    package init() {}
}
