import ParseModel

/// The settings of the sync engine.
package struct SyncOptions: Sendable {
    /// The interval between two syncs if nothing else starts one.
    package var interval: Duration = .seconds(60)
    /// The delay between a local write and the sync that sends the write. This sync also sends the writes made during the delay.
    package var debounce: Duration = .milliseconds(300)
    /// The time by which a pull reaches back before the start of the previous complete pull. The server sets the
    /// timestamp of a write before its commit, so a write may become visible late.
    package var overlap: Duration = .seconds(10)
    /// The grace period of an interrupted request: the time during which the request may still be executed.
    package var grace: Duration = .seconds(10)
    /// The largest removal that is carried out without a user's decision, as a share of the class's objects, from 0 to
    /// 1. Larger removals wait for a decision.
    package var removalShareMax = 0.5
    /// The minimum number of objects in a class for `removalShareMax` to apply. In a smaller class, no removal waits
    /// for a decision because of its size.
    package var removalCheckMin = 4
    /// The longest time between the timestamp of a write and its commit. A remote row may have a timestamp that is
    /// earlier than the local copy's by up to this time, and still be the newer one.
    package var lateStampMax: Duration = .seconds(10)
    /// The minimum time between two reads by id of an object that the remote has acknowledged and never listed. If both
    /// reads find nothing, the object counts as deleted. The time is longer than the delay of a lagging database node.
    package var absenceTime: Duration = .seconds(10)
    /// The minimum number of syncs that search for a write that the remote has acknowledged and does not show
    /// (`UnseenWriteCheck`).
    package var unseenLooksMin = 3
    /// The minimum duration of the search for a write that the remote has acknowledged and does not show, in server
    /// time.
    package var unseenTime: Duration = .seconds(300)
    /// The minimum number of missing objects that shows a restored backup, if only the newest objects are missing. Only
    /// objects count that this gateway has written with an acknowledgement, or that were edited after their creation.
    package var rollbackCheckMin = 3
    /// The number of failed attempts after which a change becomes a rejection, if the change itself is the cause.
    /// `AttemptLimit` decides this, and may allow more attempts while several changes fail.
    package var attemptsMax = 5
    /// The minimum time from the first temporary refusal of a change to its rejection. A Parse Server may refuse a
    /// change because of a schema cache that is outdated for up to five seconds.
    package var temporaryRefusalTime: Duration = .seconds(15)
    /// The maximum delay before the next sync if the remote is unreachable or unusable, or if changes remain to be sent. A longer
    /// `Retry-After` of the remote takes precedence, up to `retryAfterMax`.
    package var retryDelayMax: Duration = .seconds(30)
    /// The maximum delay that a `Retry-After` of the remote causes. A proxy can name any time, a year for example.
    package var retryAfterMax: Duration = .seconds(300)

    /// The interval between two full audits of a pull (`Audit`), which find changes that the pulls missed.
    package var auditInterval: Duration = .seconds(24 * 3600)
    /// The interval between two audits of the newest rows (`RecentAudit`), which find changes that the server committed
    /// late.
    package var recentAuditInterval: Duration = .seconds(300)
    /// The age of the rows that `RecentAudit` compares: their `updatedAt` lies within this time before the pull.
    package var recentAuditWindow: Duration = .seconds(3600)
    /// The number of syncs in which the watch (the check whether the remote still shows the known objects) covers all
    /// objects of a class, as far as `scrubBounds` allows.
    package var scrubSyncs = 60
    /// The minimum and the maximum number of objects of a class that the watch (the check whether the remote still
    /// shows the known objects) compares in one sync.
    package var scrubBounds = 300...1000
    /// The maximum number of ACLs for which one sync checks whether the remote still shows their objects.
    package var watchedACLsMax = 200
    /// The maximum number of whole rows of a class that one sync reads to detect added and lost fields.
    package var fieldCanariesMax = 12
    /// The maximum time for which one sync reads relations, after its pushes. If relations remain, the next sync
    /// continues.
    package var relationSlice: Duration = .seconds(2)
    /// The maximum number of waiting relations of one relation field that are read object by object. If more relations wait, a
    /// `RelationSurvey` reads them, if possible.
    package var relationsReadSinglyMax = 250
    /// The maximum number of remote objects of a class that are stored locally. Above it, the pulls of the class stop.
    package var classObjectsMax = 10_000_000
    /// The minimum number of free bytes on the disk. Below it, all pulls stop.
    package var diskFreeMin = 0
    /// The maximum number of values that the engine reads as the result of an inner query in the conditions of a pull.
    /// An inner query with more values is sent to the remote as it is.
    package var innerQueryValuesMax = 10_000
    /// The number of free bytes on the disk; nil if unknown.
    package var freeBytes: @Sendable () -> Int? = { nil }
    /// The gateway's unique id among all replicas of the same remote.
    package var replicaId = ""

    package init() {}
}
