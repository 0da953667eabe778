import HTTPServer
import HTTPTypes
import HeaderNames
import Logging
import ParseModel
import Passwords
import StoreService

/// The local API: checks a request, finds its route, runs the route's handler, and turns errors into HTTP.
///
/// Each kind of route has its own file. `init` collects all routes in one list.
package final class GatewayAPI: HTTPHandler, SpaceAPI {
    private let originGuard: OriginGuard
    private let router: Router
    private let dispatcher: Dispatcher
    private let stages: ResponseStages
    private let responses: ResponseBuilder
    private let errors: ErrorResponder
    private let uploads: UploadBodies
    private let feed: ChangeFeed
    private let threads: BlockingReads
    private let uptime: @Sendable () -> Duration
    /// Hands requests with a session on to the spaces of their users; nil if sessions have no spaces.
    private let spaces: SpaceReplies?
    /// The user of the space; nil for the API of everybody.
    private let user: SignedInUser?
    /// The sync engine; nil in standalone mode.
    package let control: (any SyncControl)?
    /// The size in bytes up to which a body is parsed on the server's thread. A larger body is parsed on a separate thread.
    private static let bodyBytesAtOnceMax = 256 << 10

    /// Whether a stream of the change feed is open.
    package var hasStreams: Bool { feed.hasStreams }

    /// Lets each open stream check whether its client may still read.
    package func wakeStreams() { feed.wakeAll() }

    /// All routes.
    package var table: RouteTable { router.table }

    /// - Parameters:
    ///   - accounts: the users and sessions of a standalone gateway; nil in a replica.
    ///   - sync: the sync engine; nil in standalone mode.
    ///   - remote: sends the requests that only the remote can answer; nil in standalone mode, and for a kind of remote that
    ///     answers no such requests.
    ///   - remoteFiles: downloads the remote's files; nil in standalone mode, and for a kind of remote without files.
    ///   - spaces: the spaces of a replica's users; nil if it has none.
    ///   - audit: the audit log; nil for none.
    ///   - metrics: the sources of `/metrics` besides the API itself.
    ///   - requestMetrics: counts the requests. The spaces of a gateway share it.
    package init(
        store: any ObjectStore, accounts: (any AccountStore)? = nil, sync: (any SyncControl)?,
        remote: (any RemoteCalls)? = nil,
        remoteFiles: (any RemoteFiles)? = nil, spaces: (any UserSpaces)? = nil,
        audit: (any AuditTrail)? = nil, metrics: [any MetricsSource] = [],
        requestMetrics: RequestMetrics = RequestMetrics(), configuration: APIConfiguration, environment: Environment,
        logger: Logger
    ) {
        let limits = configuration.limits
        let isReplica = configuration.mode == .replica
        let uptime = environment.uptime
        let threads = BlockingReads(runOnCaller: !environment.hasThreads)
        let responses = ResponseBuilder(mode: configuration.mode)
        let errors = ErrorResponder(responses: responses, logger: logger)
        let keyCheck = KeyCheck(
            configuration.keys, accessKey: configuration.accessKey, refusals: RefusedMasterKeys(logger: logger))
        let waits = RemoteWaits()
        let firstReads =
            configuration.user == nil ? nil : sync.map { FirstReads(control: $0, store: store, waits: waits) }
        let forwarded = ForwardedCalls(
            remote: remote, responses: responses, keyCheck: keyCheck, control: sync, names: CallNames(store: store),
            waits: waits, lostSignUps: LostSignUps(uptime: uptime), sessions: spaces)
        let dispatcher = Dispatcher(
            rules: ForwardingRules(
                store: store, isReplica: isReplica, remoteAnswersCalls: remote != nil,
                hasSessions: accounts != nil || configuration.user != nil || configuration.isSite,
                servedUserId: configuration.user?.objectId, isSite: configuration.isSite,
                hasSpaces: spaces != nil),
            forwarded: forwarded,
            requestIds: configuration.idempotencyTTL.map { RequestIds(store: store, lifetime: $0) },
            firstReads: firstReads, errors: errors,
            descriptions: configuration.isSite ? sync.map { ClassDescriptions(control: $0, waits: waits) } : nil)
        var addresses = FileAddresses(
            store: store,
            applicationId: configuration.keys.applicationId ?? configuration.remote?.applicationId ?? "tidegate")
        let signed = SignedAddresses(signer: configuration.signer, now: environment.now)
        addresses.signing = configuration.user.map { (signed, $0.objectId) }
        if configuration.isSite { addresses.signing = (signed, nil) }

        let reads = ObjectReads(store: store, limits: limits, isReplica: isReplica, firstReads: firstReads)
        let sessions = accounts.map {
            Sessions(store: $0, settings: configuration.accounts, environment: environment)
        }
        let hasher = PasswordHasher(
            strength: configuration.accounts.passwordStrength,
            threads: environment.hasThreads ? PasswordHasher.threadsStandard : 0)
        let writes = ObjectWrites(
            store: store,
            accounts: sessions.map {
                AccountPreparation(
                    sessions: $0, objects: store,
                    rules: PasswordRules(policy: configuration.accounts.passwordPolicy, hasher: hasher),
                    environment: environment)
            }, refusesChosenIds: configuration.refusesChosenIds,
            foreignNames: configuration.user == nil ? nil : spaces.map(ForeignNames.init))
        let lists = ListRunner(
            reads: reads, threads: threads, quickLists: QuickLists(uptime: uptime), responses: responses,
            timeMax: limits.queryTimeMax)
        let objects = ObjectRoutes(
            reads: reads, writes: writes, responses: responses, lists: lists,
            forwarded: sync.map {
                ForwardedQueries(control: $0, store: store, waits: waits, isSite: configuration.isSite)
            })
        let aggregate = AggregateRoute(
            store: store, responses: responses, limits: limits, reads: threads, control: sync, forwarded: forwarded,
            now: environment.now, uptime: uptime)
        let files = FileRoutes(
            store: store, addresses: addresses, applicationId: configuration.keys.applicationId, responses: responses,
            environment: environment, bytesMax: limits.fileBytesMax, remote: remoteFiles,
            takesUploads: sync == nil || remoteFiles != nil, forwarded: forwarded, waits: waits,
            users: configuration.user == nil && !configuration.isSite ? spaces.map { ($0, signed) } : nil,
            siteAddresses: configuration.isSite ? signed : nil, isOfUser: configuration.user != nil)
        let syncRoutes = SyncRoutes(
            control: sync, store: store, reads: threads, responses: responses, remote: configuration.remote,
            fileBytesMax: limits.fileBytesMax, remoteWaits: waits, spaces: spaces, user: configuration.user)
        let feed = ChangeFeed(
            store: store, positions: FeedPositions(ofStore: configuration.user == nil ? nil : configuration.storeId),
            limits: limits, environment: environment, logger: logger
        ) { try await syncRoutes.status(for: .public) }
        sync?.onChange { [weak feed] in feed?.refreshSync() }
        let metricsRoute = MetricsRoute(
            sources: [requestMetrics, feed] + metrics, responses: responses, configuration: configuration,
            startedAt: environment.now())

        let accountRoutes =
            sessions.map { sessions in
                let logIns = LogIns(sessions: sessions, hasher: hasher, now: environment.now)
                return UserRoutes(sessions: sessions, logIns: logIns, responses: responses).routes
                    + SessionRoutes(sessions: sessions, objects: store, writes: writes, responses: responses).routes
            }
            ?? AccountRoutes(
                store: store, user: configuration.user, isSite: configuration.isSite, sessions: spaces,
                responses: responses
            ).routes

        // If two routes of one method match a path, the earlier one is used. Object routes come first, because most
        // requests use them.
        let routes = [
            objects.routes, aggregate.routes, CloudRoutes(responses: responses).routes,
            accountRoutes, objects.specialRoutes, AudienceRoutes(objects: objects).routes,
            ConfigRoute(store: store, responses: responses).routes,
            SchemaRoutes(store: store, responses: responses).routes, files.routes, syncRoutes.routes,
            UserDataRoutes(data: configuration.user == nil ? spaces : nil, responses: responses).routes,
            ChangesRoute(
                store: store, feed: feed, responses: responses, addresses: addresses,
                sessions: configuration.user == nil && !configuration.isSite ? nil : spaces
            ).routes,
            metricsRoute.routes,
            SystemRoutes(configuration: configuration, responses: responses, forwarded: forwarded).routes,
            PageRoutes(configuration: configuration, responses: responses).routes,
        ].flatMap { $0 }
        let auditStage = audit.map { AuditStage(trail: $0) }
        let batch = BatchRoute(
            table: RouteTable(routes: routes), dispatcher: dispatcher, writes: writes, limits: limits,
            run: BatchRun(
                store: store, reads: reads, writes: writes, dispatcher: dispatcher, limits: limits, threads: threads,
                uptime: uptime, answerBudget: ByteBudget(bytesMax: limits.batchBytesMax),
                sessions: configuration.user == nil ? nil : spaces, audit: auditStage),
            responses: responses)
        let table = RouteTable(routes: routes + batch.routes)

        let router = Router(
            table: table, keyCheck: keyCheck, limits: limits, sessions: sessions, owners: configuration.owners)
        self.spaces =
            configuration.user == nil ? spaces.map { SpaceReplies(spaces: $0, waits: waits, addresses: signed) } : nil
        self.router = router
        self.threads = threads
        user = configuration.user?.signedIn
        control = sync
        originGuard = OriginGuard(
            allowedHosts: configuration.allowedHosts, allowedOrigins: configuration.allowedOrigins, table: table)
        stages = ResponseStages(
            addresses: addresses, errors: errors,
            log: RequestLog(metrics: requestMetrics, logger: logger, uptime: uptime),
            audit: auditStage)
        uploads = UploadBodies(store: store, bytesMax: limits.fileBytesMax)
        self.feed = feed
        self.dispatcher = dispatcher
        self.responses = responses
        self.errors = errors
        self.uptime = uptime
    }

    package func handle(_ request: HTTPServerRequest) -> HTTPReply {
        // A log-out needs no space, and the remote is not asked whether the session is valid.
        let isLogOut = request.path.hasSuffix("/logout") && router.lineRoute(request)?.name == "logOut"
        guard !isLogOut, let spaces, let token = spaces.token(in: request), mayUseSpaces(request) else {
            return handleHere(request)
        }
        let reply = spaces.reply(
            to: request, token, here: { [self] in handleHere(request, as: $0) },
            otherwise: { [self] in replyWithoutSession(to: request, $0) })
        guard request.path.contains("/files/"), router.lineRoute(request)?.name == "getFile" else { return reply }
        return .later { [self] in
            let response = await reply.response()
            guard response.status == .notFound else { return response }
            // The name of a file on the remote is the right to read it, also if the space of the user does not know the file.
            var open = request
            open.headers[.parseSessionToken] = nil
            return await handleHere(open).response()
        }
    }

    /// The reply to a request with an unusable session.
    /// - Parameter error: why the session is unusable.
    private func replyWithoutSession(to request: HTTPServerRequest, _ error: any Error) -> HTTPReply {
        // A log-in ignores an ended session, and the page and files need none.
        let policy = router.lineRoute(request)?.policy
        if policy == nil || policy?.access == .open || policy?.ignoresSession == true { return handleHere(request) }
        return refused(request, error)
    }

    /// Whether the origin and the keys in the headers are right. Otherwise nobody is asked about the session.
    private func mayUseSpaces(_ request: HTTPServerRequest) -> Bool {
        refusal(originGuard.check(request), request) == nil && refusalOfKeys(of: request) == nil
    }

    /// The reply to a request that carries an unusable session.
    private func refused(_ request: HTTPServerRequest, _ error: any Error) -> HTTPReply {
        var exchange = Exchange(request, arrivedAt: uptime())
        let verdict = originGuard.check(request)
        exchange.allowedOrigin = verdict.allowedOrigin
        exchange.route = router.lineRoute(request)
        return stages.finish(.now(refusal(verdict, request) ?? errors.response(to: error, request)), of: exchange)
    }

    package func handleHere(_ request: HTTPServerRequest) -> HTTPReply { handleHere(request, as: user) }

    /// - Parameter user: the user of the request's session; nil if the session is not known.
    private func handleHere(_ request: HTTPServerRequest, as user: SignedInUser?) -> HTTPReply {
        var exchange = Exchange(request, arrivedAt: uptime())
        exchange.user = user
        let verdict = originGuard.check(request)
        exchange.allowedOrigin = verdict.allowedOrigin
        if let refusal = refusal(verdict, request) { return stages.finish(.now(refusal), of: exchange) }
        if uploads.isUpload(request) { return uploadReply(exchange) }
        return request.body.count > Self.bodyBytesAtOnceMax ? separateThreadReply(exchange) : immediateReply(exchange)
    }

    /// The response to a request that the HTTP server itself refuses, in the API's error format.
    /// - Parameter head: the request without its body; nil if its headers are unreadable.
    package func refusal(_ status: HTTPResponse.Status, of head: HTTPServerRequest?) -> HTTPServerResponse {
        var refusal = responses.error(ErrorAnswer(refused: status))
        guard let head else { return refusal }
        var exchange = Exchange(head, arrivedAt: .zero)
        exchange.allowedOrigin = originGuard.check(head).allowedOrigin
        CrossOriginResponses.open(&refusal, exchange)
        return refusal
    }

    package func bodyPlace(for head: HTTPServerRequest) -> HTTPBodyPlace {
        if let spaces, let token = spaces.token(in: head) {
            // The space may have to be opened first. Its upload then stays in memory.
            switch spaces.spaces.openPlace(of: token) {
            case .space(let api): return api.bodyPlace(for: head)
            case nil: return .memory(bytesMax: nil)
            case .here: break
            }
        }
        if refusal(originGuard.check(head), head) == nil {
            guard uploads.isUpload(head) else { return .memory(bytesMax: nil) }
            // The session of a JSON upload may be in the body, and decides whose file it is.
            if spaces != nil, let bytesMax = uploads.envelopeBytesMax(of: head) { return .memory(bytesMax: bytesMax) }
            if refusalOfKeys(of: head) == nil { return .sink(uploads.sink(for: head)) }
            // The key of a JSON upload may be in the body, so the body stays in memory until the key is checked.
            if let bytesMax = uploads.envelopeBytesMax(of: head) { return .memory(bytesMax: bytesMax) }
        }
        // Three kinds of requests are answered before their body is read: preflights, requests that the origin guard refuses, and
        // uploads that have no valid key in the headers and cannot have a key in the body.
        guard case .now(let refusal) = handle(head) else { return .memory(bytesMax: nil) }
        return .refused(refusal)
    }

    // MARK: Responses

    /// The response to a preflight, or to a request that the origin guard refuses; nil for any other request.
    private func refusal(_ verdict: OriginGuard.Verdict, _ request: HTTPServerRequest) -> HTTPServerResponse? {
        switch verdict {
        case .passed, .passedFrom: nil
        case .preflight: CrossOriginResponses.preflight(request, headers: responses.commonHeaders)
        case .refused(let reason): errors.response(to: APIError.forbidden(reason: reason), request)
        case .refusedVisit: CrossOriginResponses.refusedVisit(headers: responses.commonHeaders)
        }
    }

    /// Calls the handler of the request's route on the calling thread, and passes the reply through the response stages.
    private func immediateReply(_ exchange: Exchange) -> HTTPReply {
        var exchange = exchange
        let reply: HTTPReply
        do {
            if exchange.request.method == .options {
                reply = .now(responses.methods(try router.options(exchange.request)))
            } else {
                let request = try router.route(&exchange)
                if let spaces, let token = spaces.token(of: request) {
                    return spaces.reply(
                        to: exchange.request, token,
                        here: { [self, request = exchange.request] in handleHere(request, as: $0) },
                        otherwise: { [self, exchange] error in
                            stages.finish(.now(errors.response(to: error, exchange.request)), of: exchange)
                        })
                }
                if let spaces, let userId = request.namedUser, request.route.policy.isOfSpace {
                    try request.requireMaster()
                    return spaces.reply(to: exchange.request, ofUser: userId) { [self, exchange] error in
                        stages.finish(.now(errors.response(to: error, exchange.request)), of: exchange)
                    }
                }
                reply = try dispatcher.reply(to: request)
            }
        } catch {
            if case APIError.noRoute = error { exchange.route = nil }
            reply = .now(errors.response(to: error, exchange.request))
        }
        return stages.finish(reply, of: exchange)
    }

    /// The reply to a request with a large body, which is parsed on a separate thread.
    private func separateThreadReply(_ exchange: Exchange) -> HTTPReply {
        .later { [self] in
            let reply = await threads.run(.body, for: exchange.request.client) { [self] in immediateReply(exchange) }
            switch reply {
            case .success(let reply): return await reply.response()
            case .failure(let error):
                var exchange = exchange
                exchange.route = router.lineRoute(exchange.request)
                return stages.finish(errors.response(to: error, exchange.request), of: exchange)
            }
        }
    }

    /// The reply to an upload. A JSON upload is decoded in a task, not on the server's thread.
    private func uploadReply(_ exchange: Exchange) -> HTTPReply {
        var exchange = exchange
        exchange.route = router.lineRoute(exchange.request)
        let request = exchange.request
        if request.sink == nil, let refusal = refusalOfKeys(of: request),
            uploads.envelopeBytesMax(of: request) == nil
        {
            return stages.finish(.now(errors.response(to: refusal, request)), of: exchange)
        }
        return .later { [self, exchange] in
            do {
                // An upload without a sink is in memory. It is only stored if its headers or its body contain a valid key.
                if request.sink == nil, exchange.user == nil {
                    let credentials = try uploads.credentials(of: request)
                    if let refusal = refusalOfKeys(of: request, credentials) { throw refusal }
                    if let spaces, let token = credentials.sessionToken, credentials.masterKey == nil {
                        return await spaces.reply(
                            to: request, token, here: { [self] in immediateUpload(exchange, as: $0) },
                            otherwise: { [self] error in
                                stages.finish(.now(errors.response(to: error, request)), of: exchange)
                            }
                        ).response()
                    }
                }
                var exchange = exchange
                exchange.request = try uploads.unwrapped(request)
                return await immediateReply(exchange).response()
            } catch {
                return stages.finish(errors.response(to: error, request), of: exchange)
            }
        }
    }

    /// The reply to an upload in memory, with the rights of a user.
    private func immediateUpload(_ exchange: Exchange, as user: SignedInUser) -> HTTPReply {
        var exchange = exchange
        exchange.user = user
        do {
            exchange.request = try uploads.unwrapped(exchange.request)
            return immediateReply(exchange)
        } catch {
            return stages.finish(.now(errors.response(to: error, exchange.request)), of: exchange)
        }
    }

    /// The error if a request to a route of Parse lacks a key; nil if it does not.
    /// - Parameter credentials: nil to use the credentials in the headers.
    private func refusalOfKeys(of request: HTTPServerRequest, _ credentials: Credentials? = nil) -> APIError? {
        do throws(APIError) {
            _ = try router.keyCheck.principal(
                credentials ?? (try? Credentials(request.headers)), isParse: true,
                isFromPage: request.headers.contains(.tidegatePage), peer: request.peer)
            return nil
        } catch {
            return error
        }
    }
}
