import Foundation
import GatewayAPI
import HTTPClient
import Logging
import ParseModel
import Passwords
import RemoteHTTP
import RemoteService
import StoreService
import SyncEngine
import Synchronization

/// One store with the API for it and, in a replica, the sync engine that keeps it in step with the remote.
///
/// `start` begins its background work, `stop` ends it. `Space+Work.swift` has the work.
final class Space: Sendable {
    /// The maximum number of log lines about the damage that one read finds.
    private static let damageLinesMax = 20
    let store: any GatewayStore
    let api: GatewayAPI
    let syncing: Syncing?
    /// Emits when a read finds damaged objects that were not known to be damaged.
    let damage: AsyncStream<Void>
    /// Emits when the store should create an index at once.
    let dueIndexes: AsyncStream<Void>
    let logger: Logger
    let environment: Environment
    /// The size limit of the cache for files of the remote, in bytes.
    let fileCacheBytes: Int
    /// The running tasks; nil before `start` and after `stop`.
    let work = Mutex<Work?>(nil)

    /// The users of a replica; only in the gateway's own space.
    let people: (any ServedPeople)?

    /// The user to whom a space belongs.
    struct Owner: Sendable {
        let user: SpaceUser
        let sessions: UserSessions
        let registry: any UserSpaces
        /// The classes of the gateway, with their options and pulls.
        let classes: @Sendable () async throws -> [SyncClass]
        /// Whether syncing is paused for the whole gateway.
        let isPaused: @Sendable () async throws -> Bool
        /// The contents that the gateway keeps for all its users.
        let files: SharedFiles?
    }

    /// The parts that all spaces of a gateway share.
    struct Common: Sendable {
        /// Counts the requests.
        let requestMetrics = RequestMetrics()
        /// Signs addresses of files.
        let signer = AddressSigner()
        /// The circuit breaker of the remote.
        let circuit: RemoteCircuit

        init(environment: Environment) { circuit = RemoteCircuit(environment: environment) }
    }

    /// The parts that only a replica has.
    struct Syncing: Sendable {
        let engine: SyncEngine
        let remote: any RemoteService
        let localWrites: AsyncStream<Void>
        /// Updates the store's copy of the remote's schemas; nil if the remote does not show its schemas.
        let schemas: RemoteSchemas?
        /// Downloads files; nil if the remote keeps no files.
        let files: FileFetcher?
        /// Emits after each sync that has finished without an error.
        let syncEnds: AsyncStream<Void>
        /// The sessions under which the engine works; nil for the space of the gateway itself.
        let sessions: UserSessions?
        /// The users of the replica; nil in the space of one user, and if the replica serves no users.
        let people: (any ServedPeople)?
    }

    /// Opens the data directory, and makes the API. Nothing is sent to the remote before `start`.
    /// - Parameters:
    ///   - configuration: names the kind of the remote, the data directory and the master key.
    ///   - owner: the user to whom the space belongs, with the sessions and the classes of the space; nil for the gateway's own.
    ///   - makePeople: makes the service of the users from the gateway's own store and remote.
    ///   - audit: the audit log of the gateway.
    ///   - isOwnAddress: whether an address is this gateway's listening address.
    /// - Throws: `StoreError`, `GatewayError`.
    init(
        _ configuration: GatewayConfiguration, owner: Owner? = nil, stores: any StoreKind, remotes: RemoteFactory,
        isOwnAddress: @escaping @Sendable (SocketAddress) -> Bool, environment: Environment, audit: any AuditTrail,
        logger: Logger, common: Common,
        makePeople: (any GatewayStore, any RemoteService) throws -> (any ServedPeople)? = { _, _ in nil }
    ) async throws {
        let (localWrites, localWrite) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (damage, damaged) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let token = configuration.remote?.token?.source
        let named = await token?.token().flatMap(TokenSubject.subject)
        let subject = owner?.user.objectId ?? named
        var storing = configuration.store(subject: subject) { localWrite.yield() }
        storing.reader = owner?.user.objectId
        let (dueIndexes, indexDue) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        storing.onIndexDue = { indexDue.yield() }
        storing.onDamage = { findings in
            let lines = findings.lines
            for line in lines.prefix(Self.damageLinesMax) { logger.error("\(line)") }
            if lines.count > Self.damageLinesMax {
                logger.error("… and \(lines.count - Self.damageLinesMax) more: tidegate doctor --check-file lists them")
            }
            damaged.yield()
        }
        let remoteValues = RemoteValues()
        if configuration.remote != nil { storing.valueRules = remoteValues }
        // With the remote's master key, all clients see everything.
        if owner == nil, configuration.remote?.masterKey == nil {
            storing.hasObjectsOfSite = try stores.remoteOutline(in: configuration.dataDirectory)?.wasSite == true
        }
        let store = try stores.open(storing, environment: environment)
        let masterKey =
            try configuration.localKeys.masterKey
            ?? KeyFile.masterKey(in: configuration.dataDirectory).key(orNew: environment.secret)
        for name in configuration.classes + configuration.people.classes {
            try await store.registerClass(
                name, files: configuration.filesOfNewClasses, opField: configuration.opFieldOfClasses)
        }
        if let owner {
            let problems = try await store.classFollower.follow(try await owner.classes())
            for problem in problems { logger.warning("a class of the user \(owner.user.objectId): \(problem)") }
        }
        let isPaused = try await store.figures().isPaused
        let isPausedByGateway = try await owner?.isPaused() ?? false
        let syncMetrics = SyncMetrics()
        let syncChanges = Observers()
        let dialect = configuration.remote == nil ? nil : try await store.sync(as: .gateway).recorded(.dialect)
        let syncing = try configuration.remote.map { settings in
            var setup = RemoteSetup(
                settings: settings,
                token: token.map {
                    OneUserToken(
                        $0, logger: logger, record: Self.subjectRecorder(of: store, logger: logger))
                },
                sessions: owner?.sessions, replicaId: store.replicaId,
                fileHosts: configuration.fileHosts,
                isOwnAddress: isOwnAddress, mapping: Self.mapping(in: store, logger: logger),
                dialect: dialect,
                recordDialect: Self.dialectRecorder(of: store, logger: logger))
            setup.readsSchemas = configuration.people.mode == .site && owner == nil
            let remote = try remotes.remote(setup)
            remoteValues.belong(to: remote)
            let people = try makePeople(store, remote)
            var options = configuration.syncOptions
            options.replicaId = store.replicaId
            let (syncEnds, syncEnd) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let engine = SyncEngine(
                store: store.sync(as: .gateway), remote: remote, authors: people?.authors, circuit: common.circuit,
                options: options,
                isPaused: isPaused, isPausedByGateway: isPausedByGateway,
                hasSession: { [sessions = owner?.sessions] in await sessions?.isThere() ?? true },
                environment: environment, logger: logger
            ) { event in
                syncMetrics.note(event)
                syncChanges.notify()
                if case .syncEnded = event { remote.schemas?.pulledSchemas?.expectNext() }
                if case .syncEnded(.finished, _) = event { syncEnd.yield() }
            }
            return Syncing(
                engine: engine, remote: remote, localWrites: localWrites,
                schemas: remote.schemas.map {
                    RemoteSchemas(
                        $0, store: store, closesUnknownClasses: configuration.people.mode == .site,
                        environment: environment, logger: logger)
                },
                files: remote.files.map { service in
                    FileFetcher(
                        store: store, service: service, bytesMax: configuration.fileDownloadBytesMax,
                        cacheBytes: configuration.fileCacheBytes, logger: logger, shared: owner?.files
                    ) { await engine.status.state == .paused }
                },
                syncEnds: syncEnds, sessions: owner?.sessions, people: people)
        }
        let people = syncing?.people
        if let syncing { people?.setEngine(syncing.engine) }
        people?.setFiles(syncing?.files.map { SharedFiles(store: store, fetcher: $0) })
        var control: EngineControl?
        var forwarder: RemoteForwarder?
        if let syncing {
            control = EngineControl(
                engine: syncing.engine, store: store, circuit: common.circuit, changes: syncChanges,
                schemas: syncing.schemas,
                forwardWait: configuration.forwardWait, environment: environment,
                owner: owner == nil ? .ofGateway { await people?.followGateway() } : .ofUser)
            forwarder = syncing.remote.calls.map { service in
                RemoteForwarder(
                    service: service, masterKey: configuration.remote?.masterKey, circuit: common.circuit
                ) { [engine = syncing.engine] in await engine.status.state == .paused }
            }
        }
        if syncing == nil {
            for line in try store.accounts.findings().lines { logger.warning("\(line)") }
            for line in try await store.takeNewRights()?.lines ?? [] {
                logger.warning("this version enforces rights that earlier ones only stored: \(line)")
            }
        }
        let storeMetrics = StoreMetrics(store: store, isReplica: syncing != nil)
        api = GatewayAPI(
            store: store, accounts: syncing == nil ? store.accounts : nil, sync: control, remote: forwarder,
            remoteFiles: syncing?.files, spaces: owner?.registry ?? people, audit: audit,
            metrics: ([storeMetrics] as [any MetricsSource]) + (syncing == nil ? [] : [syncMetrics])
                + (people.map { [$0] } ?? []),
            requestMetrics: common.requestMetrics,
            configuration: configuration.api(
                signer: common.signer, masterKey: masterKey, user: owner?.user, storeId: store.replicaId),
            environment: environment,
            logger: logger)
        people?.setAPI(api)
        self.people = people
        self.store = store
        self.damage = damage
        self.dueIndexes = dueIndexes
        self.syncing = syncing
        self.logger = logger
        self.environment = environment
        fileCacheBytes = configuration.fileCacheBytes
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
}
