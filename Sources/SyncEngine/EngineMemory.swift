import RemoteService
import StoreService

/// The engine's memory from one sync to the next. It is lost at a restart.
struct EngineMemory: Sendable {
    /// The server's clock, and the page sizes of classes with large pages.
    var remote = RemoteReader.Memory()
    /// Count mismatches that remained after a search, by pull.
    var countMismatches: [PullId: CountMismatch] = [:]
    /// An incomplete reading of relations; nil if all relations are read.
    var relations: RelationReading?
    /// The answered entries of the latest push request. If storing the answer failed, the next sync still knows that
    /// these requests are no longer in flight.
    var answered: Set<Int64> = []
    /// Whether the remote executed a change in the latest sync.
    var hasPushed = false
}
