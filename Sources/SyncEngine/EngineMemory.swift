import RemoteService
import StoreService

/// The state that the engine keeps in memory from one sync to the next. A restart loses it.
struct EngineMemory: Sendable {
    /// The server's clock, and the reduced page sizes of classes with large rows.
    var remote = RemoteReader.Memory()
    /// By pull, the difference between the local and remote counts in the latest comparison. Pulls with equal counts are left
    /// out.
    var countMismatches: [PullId: CountMismatch] = [:]
    /// The unfinished reading of relations; nil if the next sync begins a new reading.
    var relations: RelationReading?
    /// The ids of the outbox entries in the latest push request that were clearly answered or not sent. If their settlements
    /// could not be stored, the next sync still knows that these entries are no longer in flight.
    var answered: Set<Int64> = []
    /// Whether the latest sync counted any change as pushed, which shows that the remote executes changes.
    var hasPushed = false
}
