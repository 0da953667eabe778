import GatewayAPI
import Logging
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import Synchronization

/// One store with the API for it and, in a replica, the sync engine that keeps it in step with the remote. The folder
/// `Compositions` makes it for each product.
///
/// `start` begins its background work, `stop` ends it. `Space+Work.swift` contains the background work.
final class Space: Sendable {
    let store: any GatewayStore
    let api: GatewayAPI
    let syncing: SpaceSyncing?
    /// The users of a replica; only in the gateway's own space.
    let people: (any ServedPeople)?
    /// The sessions of the space's user, under which the engine sends its requests; nil for the gateway's own space.
    let sessions: UserSessions?
    /// Emits when a read finds damaged objects that were not known to be damaged.
    let damage: AsyncStream<Void>
    /// Emits when the store should create an index at once.
    let dueIndexes: AsyncStream<Void>
    let logger: Logger
    let environment: Environment
    /// The size limit of the cache for files of the remote, in bytes.
    let fileCacheBytes: Int
    /// The time for which an unreferenced file is kept after its last use.
    let fileGrace: Duration
    /// The running tasks; nil before `start` and after `stop`.
    let work = Mutex<Work?>(nil)

    static let fileGraceOfReplica = Duration.seconds(24 * 3600)

    /// Nothing is sent to the remote before `start`.
    init(
        _ opened: SpaceStore, fileCacheBytes: Int, environment: Environment, logger: Logger, api: GatewayAPI,
        syncing: SpaceSyncing?,
        people: (any ServedPeople)? = nil, sessions: UserSessions? = nil, fileGrace: Duration
    ) {
        store = opened.store
        damage = opened.damage
        dueIndexes = opened.dueIndexes
        self.logger = logger
        self.environment = environment
        self.fileCacheBytes = fileCacheBytes
        self.api = api
        self.syncing = syncing
        self.people = people
        self.sessions = sessions
        self.fileGrace = fileGrace
    }
}

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
    /// Reports work that waits for a long time while the remote answers; nil if it is not reported.
    let stalls: StallWatch?

    /// The sources of metrics about syncs.
    var metricsSources: [any MetricsSource] { [metrics] + (stalls.map { [$0] } ?? []) }
}
