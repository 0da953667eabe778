import RemoteService
import StoreService

/// What the engine keeps in memory from one sync to the next. A restart may lose it.
struct EngineMemory: Sendable {
    /// The server's clock, and the page sizes of classes with large pages.
    var remote = RemoteReader.Memory()
    /// Counts that differ here and there after a search, by pull.
    var countMismatches: [PullId: CountMismatch] = [:]
    /// A reading of relations that is not complete; nil when none is left to read.
    var relations: RelationReading?
    /// The entries of the latest push request that were answered. If the answer could not be stored, the next sync knows at
    /// least that no request of theirs is on its way.
    var answered: Set<Int64> = []
    /// Whether the remote carried out a change in the latest sync.
    var hasPushed = false
}
