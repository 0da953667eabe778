import GatewayAPI
import HTTPClient
import Logging
import ParseModel
import Passwords
import RemoteHTTP
import RemoteService
import StoreService
import SyncEngine

/// The parts that all spaces of a gateway share, and the steps that build a space. A space is a store with its API and
/// sync engine: the gateway's own, or that of one user.
struct SpaceParts: Sendable {
    /// The settings of one space. The spaces of a personal replica differ in their directories.
    var configuration: GatewayConfiguration
    let stores: any StoreKind
    let remotes: RemoteFactory
    /// Whether an address is this gateway's listening address.
    let isOwnAddress: @Sendable (SocketAddress) -> Bool
    let environment: Environment
    let audit: any AuditTrail
    let logger: Logger
    /// The program that serves the gateway; nil without one.
    let program: ProgramParts?
    /// Counts the requests.
    let requestMetrics = RequestMetrics()
    /// Makes the small forms of pictures; nil without the program that scales them.
    let thumbnails: ThumbnailCache?
    /// Signs the URLs of files that are not on the remote yet.
    let signer = AddressSigner()
    /// The circuit breaker of the remote.
    let circuit: RemoteCircuit
    /// The limits that the remote has named.
    let limits = RemoteLimits()

    init(
        configuration: GatewayConfiguration, stores: any StoreKind, remotes: RemoteFactory,
        isOwnAddress: @escaping @Sendable (SocketAddress) -> Bool, environment: Environment,
        audit: any AuditTrail, logger: Logger, program: ProgramParts?
    ) {
        self.configuration = configuration
        self.stores = stores
        self.remotes = remotes
        self.isOwnAddress = isOwnAddress
        self.environment = environment
        self.audit = audit
        self.logger = logger
        self.program = program
        thumbnails = configuration.thumbnailProgram.map {
            ThumbnailCache(program: $0, directory: configuration.dataDirectory + "/thumbnails", logger: logger)
        }
        circuit = RemoteCircuit(environment: environment)
    }

    /// The parts of the API that every product has.
    /// - Parameters:
    ///   - metrics: the sources of `/metrics` besides the objects of the store and the API itself.
    ///   - setup: the first steps of a standalone gateway; nil for none.
    func api(
        _ opened: SpaceStore, metrics: [any MetricsSource] = [], setup: (any GatewaySetup)? = nil
    ) throws -> APIParts {
        let masterKey =
            try configuration.localKeys.masterKey
            ?? KeyFile.masterKey(in: configuration.dataDirectory).key(orNew: environment.secret)
        return APIParts(
            store: opened.store.objects, configuration: configuration.api(signer: signer, masterKey: masterKey),
            environment: environment, logger: logger, audit: audit,
            metrics: [StoreMetrics(store: opened.store)] + metrics + [program?.backups].compactMap(\.self),
            requestMetrics: requestMetrics,
            report: program?.report, setup: setup, thumbnails: thumbnails)
    }

    func space(
        _ opened: SpaceStore, api: GatewayAPI, syncing: SpaceSyncing?, people: (any ServedPeople)? = nil,
        sessions: UserSessions? = nil, fileGrace: Duration
    ) -> Space {
        Space(
            opened, fileCacheBytes: configuration.fileCacheBytes, environment: environment, logger: logger, api: api,
            syncing: syncing, people: people, sessions: sessions, fileGrace: fileGrace)
    }

    /// Registers the classes of the configuration.
    func registerClasses(in store: any GatewayStore) async throws {
        for name in configuration.classes + configuration.people.classes {
            try await store.classes.registerClass(
                name, files: configuration.filesOfNewClasses, opField: nil)
        }
    }

    func open(_ settings: StoreSettings) throws -> SpaceStore {
        try SpaceStore(settings, stores, environment: environment, logger: logger)
    }

    // MARK: Replicas

    /// The settings of the remote.
    /// - Throws: `GatewayError` in a standalone gateway.
    func remoteSettings() throws(GatewayError) -> GatewayConfiguration.Remote {
        guard let settings = configuration.remote else { throw GatewayError("the gateway has no remote") }
        return settings
    }

    /// Opens the store of a replica.
    /// - Parameter change: changes the settings of the store. `subject` is the user whom the remote's token names.
    func openReplica(_ change: (inout StoreSettings) throws -> Void = { _ in }) async throws -> SpaceStore {
        let subject = try await remoteSettings().token?.source.token().flatMap(TokenSubject.subject)
        var storing = configuration.store(subject: subject)
        try change(&storing)
        return try open(storing)
    }

    /// Connects a store with its remote.
    /// - Parameters:
    ///   - sessions: the sessions under which the engine works; nil for the configured keys.
    ///   - readsSchemas: whether each sync reads the schemas along with its pulls.
    func remote(
        of opened: SpaceStore, sessions: UserSessions? = nil, readsSchemas: Bool = false
    ) async throws -> any RemoteService {
        let (store, settings) = (opened.store, try remoteSettings())
        var setup = RemoteSetup(
            settings: settings,
            token: settings.token.map {
                OneUserToken($0.source, logger: logger, record: StoreRecorders.subject(in: store, logger: logger))
            },
            sessions: sessions, replicaId: store.replicaId, fileHosts: configuration.fileHosts,
            isOwnAddress: isOwnAddress, mapping: StoreRecorders.mapping(in: store, logger: logger),
            dialect: try await store.sync(as: .gateway).recorded(.dialect),
            recordDialect: StoreRecorders.dialect(in: store, logger: logger), limits: limits, wait: environment.sleep)
        try await limits.join(
            StoreRecorders.limits(in: store), recorder: StoreRecorders.limits(in: store, logger: logger))
        setup.readsSchemas = readsSchemas
        setup.listening = environment
        let remote = try remotes.remote(setup)
        opened.remoteValues.belong(to: remote)
        return remote
    }

    /// The sync engine of a store, with its downloads of files, schemas and events.
    /// - Parameters:
    ///   - authors: sends each user's changes to the remote under that user's session, in a site replica; nil if the
    ///     engine sends all changes itself.
    ///   - unknownClasses: whether users may use a class whose permissions are not read yet.
    ///   - gateway: the gateway to which the space of a user belongs; nil for the gateway itself.
    func syncing(
        _ opened: SpaceStore, _ remote: any RemoteService, authors: (any AuthorRemotes)? = nil,
        unknownClasses: RemoteSchemas.UnknownClasses = .open, of gateway: UserOfGateway? = nil
    ) async throws -> SpaceSyncing {
        let store = opened.store
        let (metrics, changes) = (SyncMetrics(), Observers())
        var options = configuration.syncOptions
        options.replicaId = store.replicaId
        let (syncEnds, syncEnd) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let stalls = configuration.stallAlarm.map {
            StallWatch(
                after: $0, store, authors: authors, circuit: circuit, userId: gateway?.user.objectId,
                environment: environment, logger: logger, changes: changes)
        }
        let hasSession = { @Sendable [sessions = gateway?.sessions] in await sessions?.isThere() ?? true }
        let engine = SyncEngine(
            store: store.sync(as: .gateway), remote: remote, authors: authors, signals: remote.changeSignals,
            circuit: circuit, options: options,
            isPaused: try await store.figures().isPaused, isPausedByGateway: try await gateway?.isPaused() ?? false,
            hasSession: hasSession, environment: environment, logger: logger
        ) { event in
            metrics.note(event)
            stalls?.note(event)
            changes.notify()
            if case .syncEnded = event { remote.schemas?.pulledSchemas?.expectNext() }
            if case .syncEnded(.finished, _) = event { syncEnd.yield() }
        }
        return SpaceSyncing(
            engine: engine, remote: remote, localWrites: opened.localWrites,
            schemas: remote.schemas.map {
                RemoteSchemas(
                    $0, store: store, unknownClasses: unknownClasses, environment: environment, logger: logger)
            },
            files: remote.files.map { service in
                FileFetcher(
                    store: store, service: service, cacheBytes: configuration.fileCacheBytes, logger: logger,
                    shared: gateway?.files
                ) { await engine.status.state == .paused }
            },
            syncEnds: syncEnds, metrics: metrics, changes: changes, stalls: stalls)
    }

    /// The connections of the API to the remote.
    /// - Parameter space: whether the engine and the classes are those of the gateway itself or of a user's space.
    func ways(_ syncing: SpaceSyncing, _ store: any GatewayStore, _ space: EngineControl.SpaceKind) throws -> RemoteWays
    {
        let settings = try remoteSettings()
        let control = EngineControl(
            engine: syncing.engine, store: store, circuit: circuit, changes: syncing.changes,
            limits: syncing.remote.limits, remoteProbe: syncing.remote.probe, schemas: syncing.schemas,
            stalls: syncing.stalls, environment: environment,
            space: space)
        let forwarder = syncing.remote.calls.map { service in
            RemoteForwarder(service: service, masterKey: settings.masterKey, circuit: circuit) {
                [engine = syncing.engine] in await engine.status.state == .paused
            }
        }
        return RemoteWays(
            control: control, delivery: EngineDelivery(control: control), calls: forwarder, files: syncing.files)
    }
}

/// The functions with which a remote reads and records facts in the store: the mapping of a class, the dialect and the
/// limits of the remote, and the user of the token. Their references to the store are weak, because the store refers to
/// the remote.
private enum StoreRecorders {
    static func mapping(in store: any GatewayStore, logger: Logger) -> RemoteSetup.Mapping {
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

    static func dialect(in store: any GatewayStore, logger: Logger) -> RemoteSetup.RecordDialect {
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

    /// The remote's limits as the store has recorded them before.
    static func limits(in store: any GatewayStore) async throws -> RemoteLimits.Values {
        .init(kept: try await store.sync(as: .gateway).recorded(.limits))
    }

    static func limits(in store: any GatewayStore, logger: Logger) -> RemoteLimits.Recorder {
        { [weak store] limits in
            do {
                try await store?.sync(as: .gateway).note(.limits, limits.json.jsonText)
            } catch {
                logger.error("the limits of the remote cannot be recorded: \(error)")
            }
        }
    }

    static func subject(in store: any GatewayStore, logger: Logger) -> OneUserToken.Record {
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
