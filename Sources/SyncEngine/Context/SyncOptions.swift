import ParseModel

/// The settings of the sync engine.
package struct SyncOptions: Sendable {
    /// The interval between two syncs if nothing else starts one.
    package var interval: Duration = .seconds(60)
    /// The delay between a local write and the sync that sends the write. This sync also sends the writes made during the delay.
    package var debounce: Duration = .milliseconds(300)
    /// The time by which a pull reaches back before the start of the previous complete pull. The server stamps a write before its
    /// commit, so a write may become visible late.
    package var overlap: Duration = .seconds(10)
    /// The grace period of an interrupted request: the time during which the request may still be executed.
    package var grace: Duration = .seconds(10)
    /// The size of the largest plausible removal, as a share of the class's objects, from 0 to 1. Larger removals wait for a
    /// user's decision.
    package var removalShareMax = 0.5
    /// The minimum number of objects in a class for `removalShareMax` to apply. In a smaller class, a removal of any size is
    /// plausible.
    package var removalCheckMin = 4
    /// The longest time between the timestamp of a write and its commit. A row can therefore be newer than the base although its
    /// timestamp is earlier by up to this time.
    package var lateStampMax: Duration = .seconds(10)
    /// The minimum time between the two reads by id that show that an acknowledged object, which no list has shown, was deleted. It
    /// is longer than the answers of a remote lag.
    package var absenceTime: Duration = .seconds(10)
    /// The minimum number of syncs that search for an acknowledged write that the remote does not show (`UnseenWriteCheck`).
    package var unseenLooksMin = 3
    /// The minimum duration of the search for an acknowledged write that the remote does not show, in server time.
    package var unseenTime: Duration = .seconds(300)
    /// The minimum number of attested missing objects that shows a restored backup, if only the newest objects are missing. An
    /// attested object has an acknowledged write of this gateway, or was edited after its creation.
    package var rollbackCheckMin = 3
    /// The number of failed attempts after which a change at fault becomes a rejection. `AttemptLimit` decides whether a change
    /// is at fault, and may allow more attempts while several changes fail.
    package var attemptsMax = 5
    /// The minimum time from the first temporary refusal to the rejection of the change. The cache of a Parse Server's schemas may be
    /// outdated for five seconds.
    package var temporaryRefusalTime: Duration = .seconds(15)
    /// The maximum delay before the next sync if the remote is unreachable or unusable, or if changes remain to be sent. A longer
    /// `Retry-After` of the remote takes precedence, up to `retryAfterMax`.
    package var retryDelayMax: Duration = .seconds(30)
    /// The maximum delay that a `Retry-After` of the remote causes. A proxy can name any time, a year for example.
    package var retryAfterMax: Duration = .seconds(300)

    /// The interval between two full audits of a pull. They find changes that the pulls missed.
    package var auditInterval: Duration = .seconds(24 * 3600)
    /// The interval between two audits of the newest rows (`RecentAudit`). They find changes that the server committed late.
    package var recentAuditInterval: Duration = .seconds(300)
    /// `RecentAudit` compares rows whose `updatedAt` lies within this time before the pull.
    package var recentAuditWindow: Duration = .seconds(3600)
    /// The number of syncs in which the watch compares all objects of a class with the remote, as far as `scrubBounds` allows.
    package var scrubSyncs = 60
    /// The least and the greatest number of objects of a class that the watch compares in one sync.
    package var scrubBounds = 300...1000
    /// The maximum number of ACLs that the watch tests in one sync.
    package var watchedACLsMax = 200
    /// The maximum number of whole rows of a class that the watch reads in one sync.
    package var fieldCanariesMax = 12
    /// The maximum time in which one sync reads relations, after its pushes. If relations remain, the next sync continues.
    package var relationSlice: Duration = .seconds(2)
    /// The maximum number of waiting relations of one relation field that are read object by object. If more relations wait, a
    /// `RelationSurvey` reads them, if possible.
    package var relationsReadSinglyMax = 250
    /// The maximum number of remote objects of a class that are stored locally. Above it, the pulls of the class stop.
    package var classObjectsMax = 10_000_000
    /// The minimum number of free bytes on the disk. Below it, all pulls stop.
    package var diskFreeMin = 0
    /// The maximum number of values of an inner query that the engine reads itself. A query with more is sent as it is.
    package var innerQueryValuesMax = 10_000
    /// The number of free bytes on the disk; nil if unknown.
    package var freeBytes: @Sendable () -> Int? = { nil }
    /// The gateway's unique id among all replicas of the same remote.
    package var replicaId = ""

    package init() {}
}
