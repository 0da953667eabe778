import Foundation
import GatewayAPI
import HTTPClient
import HTTPServer
import Logging
import ParseModel
import RemoteService
import ServiceLifecycle
import StoreService
import SyncEngine

/// One gateway: a store, the local API on a socket and, in a replica, the engine that keeps it in step with its remote.
package struct Gateway: Service {
    /// Where the local API is, for instance `http://127.0.0.1:1338`.
    package let url: String
    let store: any GatewayStore
    private let server: HTTPServer
    private let syncing: Syncing?
    /// A read has come upon a damaged object that no check has named.
    private let damage: AsyncStream<Void>
    private let logger: Logger
    private let environment: Environment
    /// How much room contents may take that the remote has too.
    private let fileCacheBytes: Int

    /// The parts of a replica beyond those of a standalone gateway.
    private struct Syncing: Sendable {
        let engine: SyncEngine
        let remote: any RemoteService
        let localWrites: AsyncStream<Void>
        /// Nil if the remote does not show its schemas.
        let schemas: RemoteSchemas?
        /// Nil if the remote keeps no files.
        let files: FileFetcher?
        /// A sync has come to its end, so the remote can be reached.
        let syncEnds: AsyncStream<Void>
    }

    /// How long requests in progress, local ones and those to the remote, may take to end after a signal to stop.
    private static let drainMax = Duration.seconds(3)

    /// Opens the data directory, binds the port and answers from then on; syncing begins with `run`.
    /// - Parameter remotes: makes the remote by its kind.
    /// - Throws: `GatewayError`.
    package init(
        configuration: GatewayConfiguration, stores: any StoreKind, remotes: RemoteFactory = .standard,
        logger: Logger, environment: Environment = .live
    ) async throws {
        do {
            if let remote = configuration.remote { try remotes.check(remote.kind) }
            let (localWrites, localWrite) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let (damage, damaged) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            var storing = configuration.store { localWrite.yield() }
            storing.onDamage = { objects in
                for object in objects { logger.error("\(object.line)") }
                damaged.yield()
            }
            let store = try stores.open(storing, environment: environment)
            let masterKey =
                try configuration.localKeys.masterKey
                ?? MasterKeyFile(directory: configuration.dataDirectory).key(environment)
            for name in configuration.classes {
                try await store.registerClass(
                    name, files: configuration.filesOfNewClasses, opField: configuration.opFieldOfClasses)
            }
            let isPaused = try await store.figures().isPaused
            let syncMetrics = SyncMetrics()
            let syncChanges = Observers()
            let listener = OwnListener()
            let syncing = try configuration.remote.map { settings in
                let remote = try remotes.remote(
                    RemoteSetup(
                        settings: settings, replicaId: store.replicaId, fileHosts: configuration.fileHosts,
                        isOwnAddress: listener.hasAddress))
                var options = configuration.syncOptions
                options.replicaId = store.replicaId
                let (syncEnds, syncEnd) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
                let engine = SyncEngine(
                    store: store, remote: remote, options: options, isPaused: isPaused,
                    environment: environment, logger: logger
                ) { event in
                    syncMetrics.note(event)
                    syncChanges.notify()
                    if case .syncEnded(.finished, _) = event { syncEnd.yield() }
                }
                return Syncing(
                    engine: engine, remote: remote, localWrites: localWrites,
                    schemas: remote.schemas.map {
                        RemoteSchemas($0, store: store, environment: environment, logger: logger)
                    },
                    files: remote.files.map { service in
                        FileFetcher(
                            store: store, service: service, bytesMax: configuration.fileDownloadBytesMax,
                            cacheBytes: configuration.fileCacheBytes, logger: logger
                        ) { await engine.status.state == .paused }
                    },
                    syncEnds: syncEnds)
            }
            var control: EngineControl?
            var forwarder: RemoteForwarder?
            if let syncing {
                control = EngineControl(
                    engine: syncing.engine, store: store, changes: syncChanges, schemas: syncing.schemas,
                    forwardWait: configuration.forwardWait, environment: environment)
                forwarder = syncing.remote.calls.map { service in
                    RemoteForwarder(service: service, masterKey: configuration.remote?.masterKey) {
                        [engine = syncing.engine] in await engine.status
                    }
                }
            }
            let storeMetrics = StoreMetrics(store: store, isReplica: syncing != nil)
            let api = GatewayAPI(
                store: store, sync: control, remote: forwarder, remoteFiles: syncing?.files,
                metrics: syncing == nil ? [storeMetrics] : [storeMetrics, syncMetrics],
                configuration: configuration.api(masterKey: masterKey), environment: environment, logger: logger)
            server = try HTTPServer(
                configuration: configuration.server, handler: api, uptime: environment.uptime,
                sleep: environment.sleep, refusal: api.refusal)
            listener.listens(at: configuration.listen.host, port: server.port)
            self.store = store
            self.damage = damage
            self.syncing = syncing
            self.logger = logger
            self.environment = environment
            fileCacheBytes = configuration.fileCacheBytes
            url = "http://\(ListenAddress(host: configuration.listen.host, port: server.port))"
        } catch {
            throw GatewayError(error)
        }
    }

    /// Serves and syncs until the task is cancelled or a graceful shutdown begins; then drains and stops.
    package func run() async throws {
        let engine = syncing.map { syncing in Task { await syncing.engine.run() } }
        let localWrites = syncing.map { syncing in
            Task { for await _ in syncing.localWrites { await syncing.engine.noteLocalWrite() } }
        }
        let schemas = syncing.map { syncing in
            Task {
                for await _ in syncing.syncEnds {
                    await syncing.schemas?.bringUpToDate()
                    await syncing.files?.fetchWanted()
                }
            }
        }
        let files = Task { await tendFiles() }
        let indexes = Task { await tendIndexes() }
        let check = Task { await tendDamage() }
        try? await gracefulShutdown()
        logger.info("stopping")
        indexes.cancel()
        check.cancel()
        files.cancel()
        localWrites?.cancel()
        schemas?.cancel()
        // A query that nobody will wait for keeps neither the server's threads nor the process.
        let interruption = Task {
            try await environment.sleep(Self.drainMax / 2)
            store.interruptReads()
        }
        await withTaskGroup { group in
            group.addTask { await server.stop(grace: Self.drainMax) }
            // A request to the remote that is cut off would be of unknown outcome at the next start, so it may end first.
            group.addTask {
                await syncing?.engine.stop()
                let deadline = Task {
                    try await environment.sleep(Self.drainMax)
                    engine?.cancel()
                }
                await engine?.value
                deadline.cancel()
            }
        }
        interruption.cancel()
        syncing?.remote.close()
        await schemas?.value
    }

    /// Looks for damage in the file, beside the first requests, and names it in the log; then mends the damage that reads come
    /// upon, until the task is cancelled.
    private func tendDamage() async {
        await attempt {
            for line in try await store.checkFile(isGentle: true).lines { logger.error("\(line)") }
        }
        for await _ in damage { await attempt { try await store.mendDamage() } }
    }

    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            // The gateway stops.
            if Task.isCancelled { return }
            logger.warning("the file cannot be checked for damage: \(error)")
        }
    }

    /// Every minute until the task is cancelled.
    private func tendIndexes() async {
        while (try? await environment.sleep(.seconds(60))) != nil {
            do {
                let (made, dropped) = try await store.tendIndexes()
                for index in made { logger.info("made an index on \(index)") }
                for index in dropped { logger.info("dropped the index on \(index)") }
            } catch {
                logger.warning("indexes cannot be made: \(error)")
            }
        }
    }

    /// How long a file stays that nothing refers to. At a hub a replica's object may be on its way to it for long: refused
    /// there, or in doubt, until somebody looks.
    private var fileGrace: Duration { .seconds((syncing == nil ? 30 : 1) * 24 * 3600) }

    /// At the start, and every hour until the task is cancelled.
    private func tendFiles() async {
        do { try await store.removeLooseContents(grace: fileGrace) } catch {
            logger.warning("files cannot be tended: \(error)")
        }
        repeat {
            do {
                let collected = try await store.collectFiles(grace: fileGrace)
                if collected > 0 { logger.info("collected \(collected) files that nothing refers to") }
                try await store.evictContents(bytesMax: fileCacheBytes)
            } catch {
                logger.warning("files cannot be tended: \(error)")
            }
        } while (try? await environment.sleep(.seconds(3600))) != nil
    }
}
