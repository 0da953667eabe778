import RemoteService
import StoreService
import SyncEngine

/// The parts of a space that only a replica has.
struct SpaceSyncing: Sendable {
    let engine: SyncEngine
    let remote: any RemoteService
    let localWrites: AsyncStream<Void>
    /// Updates the store's copy of the remote's schemas; nil if the remote does not show its schemas.
    let schemas: RemoteSchemas?
    /// Downloads files; nil if the remote keeps no files.
    let files: FileFetcher?
    /// Emits after each sync that has finished without an error.
    let syncEnds: AsyncStream<Void>
    let metrics: SyncMetrics
    /// The observers to call at each event of the engine.
    let changes: Observers
}
