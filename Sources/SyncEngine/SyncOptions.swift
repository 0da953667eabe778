import ParseModel

/// The settings of the sync engine.
package struct SyncOptions: Sendable {
    /// The time between two syncs without another trigger.
    package var interval: Duration = .seconds(60)
    /// The time that a local write waits for others to be sent together with it.
    package var debounce: Duration = .milliseconds(300)
    /// The time by which a pull starts before the previous pull's start, because the server stamps a write before its commit.
    package var overlap: Duration = .seconds(10)
    /// The grace period: the time during which an interrupted request may still be executed.
    package var grace: Duration = .seconds(10)
    /// The largest plausible share of a class in one removal, for classes with at least `removalCheckMin` objects.
    package var removalShareMax = 0.5
    package var removalCheckMin = 4
    /// The tolerance between the timestamps of two states of a row: the later state may have the older timestamp, because the
    /// server stamps a write before its commit.
    package var lateStampMax: Duration = .seconds(10)
    /// The number of syncs, and the shortest time, that search for an acknowledged but unshown write. After both its object
    /// counts as hidden.
    package var unseenLooksMin = 3
    package var unseenTime: Duration = .seconds(300)
    /// The number of attested objects that must be missing at once, with no older one missing, to suspect a restored backup. An
    /// object is attested if it was acknowledged to this gateway or edited.
    package var rollbackCheckMin = 3
    /// The number of failures of a change, while others succeed, after which it becomes a rejection.
    package var attemptsMax = 5
    /// The longest delay between two attempts to reach an unreachable remote.
    package var retryDelayMax: Duration = .seconds(30)

    /// The time between two full audits of a pull, which find missed changes.
    package var auditInterval: Duration = .seconds(24 * 3600)
    /// The time between two audits of the newest rows, which find late commits.
    package var recentAuditInterval: Duration = .seconds(300)
    /// The range of update times that a recent audit covers.
    package var recentAuditWindow: Duration = .seconds(3600)
    /// The time for which one sync reads relations, after its pushes. Another sync continues.
    package var relationSlice: Duration = .seconds(2)
    /// The largest number of relations of a column that are read object by object. More are read by a survey.
    package var relationsReadSinglyMax = 250
    /// The number of local objects at which pulls of a class stop.
    package var classObjectsMax = 10_000_000
    /// The number of free bytes on the disk below which all pulls stop.
    package var diskFreeMin = 0
    /// The number of free bytes on the disk; nil if unknown.
    package var freeBytes: @Sendable () -> Int? = { nil }
    /// The gateway's unique id among all replicas of the same remote.
    package var replicaId = ""

    package init() {}
}
