import HTTPServer
import ParseModel
import StoreService

/// Functions that make the routes and parts of an API. Each product, for example `Standalone` or `Site`, combines them.
extension APIParts {
    /// - Parameter signing: signs the URLs of files that are not on the remote yet; nil for URLs without signatures.
    func addresses(_ signing: FileAddresses.Signing? = nil) -> FileAddresses {
        FileAddresses(
            store: store.files,
            applicationId: configuration.keys.applicationId ?? configuration.remote?.applicationId ?? "tidegate",
            signing: signing)
    }

    func reads(_ coverage: StoreCoverage, _ readiness: any Readiness = AlwaysReady()) -> ObjectReads {
        ObjectReads(
            store: store, limits: limits, dialect: configuration.dialect, complexity: configuration.complexity,
            coverage: coverage, readiness: readiness)
    }

    func lists(_ reads: ObjectReads) -> ListRunner {
        ListRunner(
            reads: reads, threads: threads, quickLists: QuickLists(uptime: uptime), responses: responses,
            timeMax: limits.queryTimeMax)
    }

    /// - Parameter control: the sync engine; nil in a standalone gateway.
    func lives(_ control: (any SyncControl)?) -> ObjectLives {
        ObjectLives(store: store, control: control, threads: threads, responses: responses)
    }

    func aggregate(_ remote: (control: any SyncControl, calls: ForwardedCalls)?) -> AggregateRoute {
        AggregateRoute(
            store: store, responses: responses, limits: limits, reads: threads, remote: remote, now: environment.now,
            uptime: uptime)
    }

    func files(
        _ addresses: FileAddresses, _ remote: FileRoutes.Remote, _ readers: any FileReadRights
    ) -> FileRoutes {
        FileRoutes(
            store: store.files, addresses: addresses, applicationId: configuration.keys.applicationId,
            responses: responses,
            environment: environment, bytesMax: limits.fileBytesMax,
            extensions: configuration.fileExtensions, remote: remote, readers: readers, waits: waits,
            thumbnails: thumbnails)
    }

    /// The routes of exports and imports.
    /// - Parameters:
    ///   - hasUsers: whether the gateway has users of its own.
    ///   - schemas: exports and imports schemas and the global config; nil in a gateway whose remote has them.
    ///   - foreignNames: checks the pointers and files of imported objects; nil to check none.
    func transfer(
        _ reads: ObjectReads, _ addresses: FileAddresses, hasUsers: Bool = false, schemas: SchemaTransfer? = nil,
        _ foreignNames: ForeignNames? = nil
    ) -> [Route] {
        let limits = ImportLimits(nestingMax: limits.nestingMax)
        let run = ImportRun(
            store: store, threads: threads, limits: limits, hasUsers: hasUsers, schemas: schemas,
            readiness: reads.readiness, foreignNames: foreignNames)
        let exports = ExportRoutes(
            reads: reads, threads: threads, responses: responses, addresses: addresses, hasUsers: hasUsers,
            schemas: schemas)
        let files = ImportFileRoute(
            files: store.files, hasRemote: configuration.remote != nil, responses: responses)
        return exports.routes + files.routes
            + ImportRoutes(run: run, responses: responses, errors: errors, uptime: uptime).routes
    }

    var fileReader: FileReader { FileReader(rights: store.files.rights, keyCheck: keyCheck) }

    func sync(_ control: (any SyncControl)?, _ people: any SyncPeople) -> SyncRoutes {
        SyncRoutes(
            control: control, store: store, reads: threads, responses: responses, remote: configuration.remote,
            fileBytesMax: limits.fileBytesMax, remoteWaits: waits, people: people, errors: errors
        ) { [report] isMaster in isMaster ? report?.backups?.json : report?.backups?.publicJSON }
    }

    func calls(
        _ remote: (any RemoteCalls)?, _ control: (any SyncControl)?, _ sessions: (any SessionObserver)?,
        besides spaces: (any UserSpaces)? = nil
    ) -> ForwardedCalls {
        ForwardedCalls(
            remote: remote, responses: responses, keyCheck: keyCheck, control: control,
            names: CallNames(store: store, spaces: spaces), waits: waits, lostSignUps: LostSignUps(uptime: uptime),
            answerBytesMax: limits.answerBytesMax, sessions: sessions)
    }

    func deliveries(_ remote: RemoteWays) -> RemoteDeliveries {
        RemoteDeliveries(delivery: remote.delivery, store: store, waits: waits)
    }

    func forwarding(
        _ calls: ForwardedCalls, _ sessions: ForwardingRules.Sessions
    ) -> (rules: ForwardingRules, calls: ForwardedCalls) {
        (
            ForwardingRules(store: store, remoteAnswersCalls: calls.remote != nil, sessions: sessions), calls
        )
    }

    /// The streams of the change feed, which also send the sync state that `sync` shows.
    func feed(_ sync: SyncRoutes, _ positions: FeedPositions = FeedPositions(ofStore: nil)) -> ChangeStreams {
        let readers = FeedReaders(store: store, limits: limits, environment: environment)
        let feed = ChangeStreams(
            store: store, readers: readers, positions: positions, limits: limits, environment: environment,
            logger: logger
        ) { try await sync.status(for: .public) }
        sync.control?.onChange { [weak feed] in feed?.refreshSync() }
        return feed
    }

    /// The live queries, which are in one list of readers with the streams of `feed`.
    /// - Parameters:
    ///   - isOpen: whether a session is open; nil if subscriptions have no sessions that can end.
    func live(
        _ feed: ChangeStreams, _ reads: ObjectReads, _ addresses: FileAddresses,
        positions: FeedPositions = FeedPositions(ofStore: nil), isOpen: (@Sendable (_ token: String) -> Bool)? = nil
    ) -> LiveQueries {
        let finds = LiveFind(reads: reads, threads: threads, timeMax: limits.queryTimeMax)
        return LiveQueries(
            store: store, readers: feed.readers, positions: positions,
            links: LiveQueries.Links(
                addressed: { try addresses.addressed($0, base: $1, for: $2) },
                find: { try await finds.results(of: $0, for: $1, $2) },
                whenReady: { className, check in try await reads.readiness.reading(className) { _ in try check() } },
                isOpen: isOpen),
            lifetime: configuration.liveResume, environment: environment, logger: logger)
    }

    func changes(
        _ feed: ChangeStreams, _ addresses: FileAddresses, isOpen: (@Sendable (_ token: String) -> Bool)? = nil
    ) -> ChangesRoute {
        ChangesRoute(store: store, feed: feed, responses: responses, addresses: addresses, isOpen: isOpen)
    }

    /// The routes about the gateway itself. The last one matches every path.
    /// - Parameters:
    ///   - calls: forwards requests to the remote; nil in a standalone gateway.
    ///   - control: the sync engine; nil in a standalone gateway.
    func ownRoutes(
        _ feed: ChangeStreams, _ live: LiveQueries, _ calls: ForwardedCalls?, _ control: (any SyncControl)?
    ) -> [Route] {
        MetricsRoute(
            sources: [requestMetrics, feed, live] + metrics, responses: responses, configuration: configuration,
            startedAt: environment.now()
        ).routes + SystemRoutes(configuration: configuration, responses: responses, forwarded: calls).routes
            + ReadyRoute(store: store, control: control, when: configuration.readyWhen, responses: responses).routes
            + ReportRoutes(
                report: report, requests: requestMetrics.latest, store: store, environment: environment,
                responses: responses
            ).routes
            + SetupRoutes(setup: setup, responses: responses).routes
            + PageRoutes(configuration: configuration, responses: responses).routes
    }

    func dispatcher(
        _ forwarding: (rules: ForwardingRules, calls: ForwardedCalls)?, _ guards: OperatorGuards,
        sessionRefusal: ParseError?, readiness: any Readiness = AlwaysReady()
    ) -> Dispatcher {
        Dispatcher(
            forwarding: forwarding, sessionRefusal: sessionRefusal, guards: guards,
            allowList: configuration.routeAllowList.map(RouteAllowList.init),
            requestIds: configuration.idempotencyTTL.map { RequestIdCheck(store: store, lifetime: $0) },
            readiness: readiness, errors: errors)
    }

    /// The given routes and `/batch`. The given routes answer the items of a batch.
    /// - Parameter hasEnded: whether a session has ended; nil if the end of the session does not affect the remaining
    ///   items.
    func batched(
        _ routes: [[Route]], _ dispatcher: Dispatcher, _ reads: ObjectReads, _ writes: ObjectWrites,
        hasEnded: (@Sendable (_ token: String) throws -> Bool)? = nil
    ) -> RouteTable {
        let routes = routes.flatMap(\.self)
        let run = BatchRun(
            store: store, reads: reads, writes: writes, dispatcher: dispatcher, limits: limits, threads: threads,
            uptime: uptime, answerBudget: ByteBudget(bytesMax: limits.batchBytesMax), hasEnded: hasEnded, audit: audit)
        let batch = BatchRoute(
            table: RouteTable(routes: routes), dispatcher: dispatcher, writes: writes, limits: limits,
            complexity: configuration.complexity, run: run,
            responses: responses)
        return RouteTable(routes: routes + batch.routes)
    }
}
