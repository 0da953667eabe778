import Foundation
import GatewayAPI
import HTTPClient
import HTTPServer
import Logging
import ParseModel
import RemoteHTTP
import RemoteService
import ServiceLifecycle
import StoreService
import SyncEngine

/// One gateway: a store, the local API on a socket, and in a replica the sync engine.
package struct Gateway: Service {
    /// The base URL of the local API, such as `http://127.0.0.1:1338`.
    package let url: String
    let store: any GatewayStore
    private let server: HTTPServer
    private let syncing: Syncing?
    /// Emits when a read finds damaged objects that were not known to be damaged.
    private let damage: AsyncStream<Void>
    private let logger: Logger
    private let environment: Environment
    /// The size limit of the cache for files of the remote, in bytes.
    private let fileCacheBytes: Int

    /// The parts that only a replica has.
    private struct Syncing: Sendable {
        let engine: SyncEngine
        let remote: any RemoteService
        let localWrites: AsyncStream<Void>
        /// Updates the store's copy of the remote's schemas; nil if the remote does not show its schemas.
        let schemas: RemoteSchemas?
        /// Downloads files; nil if the remote keeps no files.
        let files: FileFetcher?
        /// Emits after each sync that has finished without an error.
        let syncEnds: AsyncStream<Void>
    }

    /// The maximum time that running requests of clients, and requests to the remote, may take after a stop signal.
    private static let drainMax = Duration.seconds(3)

    /// Opens the data directory, binds the port and starts to serve. Sync starts with `run`.
    /// - Throws: `GatewayError`.
    package init(
        configuration: GatewayConfiguration, stores: any StoreKind, remotes: RemoteFactory = .standard,
        logger: Logger, environment: Environment = .live
    ) async throws {
        do {
            var configuration = configuration
            if let remote = configuration.remote {
                configuration.remote = try await RemoteDetection(remotes: remotes, stores: stores).complete(
                    remote, classes: configuration.classes, directory: configuration.dataDirectory)
            }
            let (localWrites, localWrite) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let (damage, damaged) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let token = configuration.remote?.token?.source
            let subject = await token?.token().flatMap(TokenSubject.subject)
            var storing = configuration.store(subject: subject) { localWrite.yield() }
            storing.onDamage = { objects in
                for object in objects { logger.error("\(object.line)") }
                damaged.yield()
            }
            let remoteValues = RemoteValues()
            if configuration.remote != nil { storing.valueRules = remoteValues }
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
            let dialect = configuration.remote == nil ? nil : try await store.sync(as: .gateway).recorded(.dialect)
            let syncing = try configuration.remote.map { settings in
                let remote = try remotes.remote(
                    RemoteSetup(
                        settings: settings,
                        token: token.map {
                            OneUserToken(
                                $0, logger: logger, record: Self.subjectRecorder(of: store, logger: logger))
                        },
                        replicaId: store.replicaId,
                        fileHosts: configuration.fileHosts,
                        isOwnAddress: listener.hasAddress, mapping: Self.mapping(in: store, logger: logger),
                        dialect: dialect,
                        recordDialect: Self.dialectRecorder(of: store, logger: logger)))
                remoteValues.belong(to: remote)
                var options = configuration.syncOptions
                options.replicaId = store.replicaId
                let (syncEnds, syncEnd) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
                let engine = SyncEngine(
                    store: store.sync(as: .gateway), remote: remote, options: options, isPaused: isPaused,
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
            if syncing == nil {
                for line in try store.accounts.findings().lines { logger.warning("\(line)") }
                for line in try await store.takeNewRights()?.lines ?? [] {
                    logger.warning("this version enforces rights that earlier ones only stored: \(line)")
                }
            }
            let storeMetrics = StoreMetrics(store: store, isReplica: syncing != nil)
            let api = GatewayAPI(
                store: store, accounts: syncing == nil ? store.accounts : nil, sync: control, remote: forwarder,
                remoteFiles: syncing?.files,
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

    /// The reader of mappings for the remote. The store refers to the remote, so the reader does not keep the store.
    private static func mapping(in store: any GatewayStore, logger: Logger) -> RemoteSetup.Mapping {
        { [weak store] className throws(RemoteError) in
            do {
                guard let store else { throw CancellationError() }
                return try await store.sync(as: .gateway).mapping(of: className)
            } catch {
                logger.error("the mapping of \(className) cannot be read: \(error)")
                throw .unreachable(reason: "the mapping of \(className) cannot be read")
            }
        }
    }

    private static func dialectRecorder(of store: any GatewayStore, logger: Logger) -> RemoteSetup.RecordDialect {
        { [weak store] dialect throws(RemoteError) in
            do {
                guard let store else { throw CancellationError() }
                return try await store.sync(as: .gateway).record(.dialect, dialect)
            } catch {
                logger.error("the dialect of the remote cannot be recorded: \(error)")
                throw .unreachable(reason: "the dialect of the remote cannot be recorded")
            }
        }
    }

    private static func subjectRecorder(of store: any GatewayStore, logger: Logger) -> OneUserToken.Record {
        { [weak store] subject in
            do {
                return try await store?.sync(as: .gateway).record(.subject, subject)
            } catch {
                logger.error("the user of the data directory cannot be recorded: \(error)")
                return nil
            }
        }
    }

    /// Serves and syncs until the task is cancelled or a graceful shutdown starts. Then waits up to `drainMax` for requests in
    /// progress, and stops.
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
        let files = Task { await cleanUpFiles() }
        let indexes = Task { await updateIndexes() }
        let check = Task { await repairDamage() }
        try? await gracefulShutdown()
        logger.info("stopping")
        indexes.cancel()
        check.cancel()
        files.cancel()
        localWrites?.cancel()
        schemas?.cancel()
        // Interrupts long queries after half of `drainMax`, so that no query delays the end of the server and of the process.
        let interruption = Task {
            try await environment.sleep(Self.drainMax / 2)
            store.interruptReads()
        }
        await withTaskGroup { group in
            group.addTask { await server.stop(grace: Self.drainMax) }
            // Gives the engine's running request `drainMax` to finish. The outcome of an aborted request would be unknown at the
            // next start.
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

    /// Checks the SQLite file, logs its damage and repairs it, concurrently with the first requests. Then repairs the damage that
    /// later reads find, until the task is cancelled.
    private func repairDamage() async {
        await attempt {
            for line in try await store.checkFile(isGentle: true).lines { logger.error("\(line)") }
        }
        for await _ in damage { await attempt { try await store.mendDamage() } }
    }

    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            // If the task is cancelled, the gateway is stopping, and the error is not logged.
            if Task.isCancelled { return }
            logger.warning("damage check failed: \(error)")
        }
    }

    /// Every minute until the task is cancelled, creates indexes that queries lack, and drops unused indexes.
    private func updateIndexes() async {
        while (try? await environment.sleep(.seconds(60))) != nil {
            do {
                let (made, dropped) = try await store.tendIndexes()
                for index in made { logger.info("created an index on \(index)") }
                for index in dropped { logger.info("dropped the index on \(index)") }
            } catch {
                logger.warning("index update failed: \(error)")
            }
        }
    }

    /// How long an unreferenced file is kept after its last use. The time is longer in a standalone gateway, which can be a hub:
    /// a replica uploads a file before the object that refers to the file, and a rejection or a conflict can delay the object.
    private var fileGrace: Duration { .seconds((syncing == nil ? 30 : 1) * 24 * 3600) }

    /// At the start, removes stored contents that belong to no file. At the start and every hour, deletes unreferenced files, and
    /// evicts cached contents beyond `fileCacheBytes`. Ends when the task is cancelled.
    private func cleanUpFiles() async {
        do { try await store.removeLooseContents(grace: fileGrace) } catch {
            logger.warning("file cleanup failed: \(error)")
        }
        repeat {
            do {
                let collected = try await store.collectFiles(grace: fileGrace)
                if collected > 0 { logger.info("deleted \(collected) unreferenced files") }
                try await store.evictContents(bytesMax: fileCacheBytes)
            } catch {
                logger.warning("file cleanup failed: \(error)")
            }
        } while (try? await environment.sleep(.seconds(3600))) != nil
    }
}
