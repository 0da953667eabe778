import RemoteService
import StoreService

/// The state that the engine keeps in memory from one sync to the next. A restart loses it.
struct EngineMemory: Sendable {
    /// The server's clock, and the reduced page sizes of classes with large rows.
    var remote = RemoteReader.Memory()
    /// By pull, the local and the remote number of objects in the latest comparison, if the numbers differ.
    var countMismatches: [PullId: CountMismatch] = [:]
    /// Whether the remote has a change feed with deletions; nil before it was asked.
    var hasDeletionFeed: Bool?
    var watch = WatchMemory()
    /// The unfinished reading of relations; nil if the next sync begins a new reading.
    var relations: RelationReading?
    /// The ids of outbox entries that are no longer in flight, because the latest push got a clear answer for them or
    /// did not send them. The store may not have recorded this yet.
    var answered: Set<Int64> = []
    /// By entry id: the uptime at which the remote first gave the change a temporary refusal.
    var refusedSince: [Int64: Duration] = [:]
    /// Whether the remote has accepted the key under which the gateway reads everything. Checked again at the start of
    /// the sync after a failed one.
    var hasFullAccess = false
    /// Whether the latest sync counted any change as pushed, which shows that the remote executes changes.
    var hasPushed = false
}
