import RemoteService
import StoreService

/// The state that the engine keeps in memory from one sync to the next. A restart loses it.
struct EngineMemory: Sendable {
    /// The server's clock, and the reduced page sizes of classes with large rows.
    var remote = RemoteReader.Memory()
    /// For each pull, the difference between the local and the remote count that a search could not remove.
    var countMismatches: [PullId: CountMismatch] = [:]
    /// The unfinished reading of relations; nil if all relations are read.
    var relations: RelationReading?
    /// The ids of the outbox entries that the latest push request answered. If storing the answers failed, the next sync still
    /// knows that these entries are no longer in flight.
    var answered: Set<Int64> = []
    /// Whether the remote executed a change in the latest sync.
    var hasPushed = false
}
