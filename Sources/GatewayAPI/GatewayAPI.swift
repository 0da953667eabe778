import HTTPServer
import HTTPTypes
import LocalStore
import Logging
import ParseModel

/// The local API: checks a request, finds its route, lets that route's handler answer, and turns errors into HTTP.
package final class GatewayAPI: HTTPHandler {
    private let configuration: Configuration
    private let environment: Environment
    private let logger: Logger
    let requestGuard: RequestGuard
    let keyCheck: KeyCheck
    private let answers: Answers
    private let objects: ObjectRoutes
    private let batch: BatchRoute
    private let aggregate: AggregateRoute
    private let sync: SyncRoutes
    private let forwarded: ForwardedQueries?
    private let calls: ForwardedCalls
    private let standaloneCalls: StandaloneCalls
    private let config: ConfigRoute
    private let schemas: SchemaRoutes
    private let changes: ChangesRoute
    private let system: SystemRoutes
    private let metrics: MetricsRoute
    private let requests = RequestMetrics()
    private let addresses: FileAddresses
    let files: FileRoutes
    private let page: StaticFiles?
    private let reads = SlowReads()
    private let quickLists: QuickLists
    private let requestIds: RequestIds?
    /// How large an object may be that the server's own thread makes the tag of.
    private static let taggedAtOnceMax = 64 << 10
    /// How large a body may be that the server's own thread reads.
    private static let bodyBytesAtOnceMax = 256 << 10

    /// - Parameters:
    ///   - sync: the sync engine; nil in standalone mode.
    ///   - remote: the way to the remote for calls that only it can answer; nil in standalone mode.
    ///   - remoteFiles: the way to its files; nil in standalone mode.
    ///   - metrics: what `/metrics` shows besides the API's own figures.
    package init(
        store: any ObjectStore, sync: (any SyncControl)?, remote: (any RemoteCalls)? = nil,
        remoteFiles: (any RemoteFiles)? = nil, metrics: [any MetricsSource] = [],
        configuration: Configuration, environment: Environment, logger: Logger
    ) {
        self.configuration = configuration
        self.environment = environment
        quickLists = QuickLists(uptime: environment.uptime)
        self.logger = logger
        requestGuard = RequestGuard(
            allowedHosts: configuration.allowedHosts, allowedOrigins: configuration.allowedOrigins)
        keyCheck = KeyCheck(configuration.keys, accessKey: configuration.accessKey)
        let answers = Answers(mode: configuration.mode)
        let remoteWaits = RemoteWaits()
        self.answers = answers
        objects = ObjectRoutes(
            store: store, limits: configuration.limits, isReplica: configuration.mode == .replica)
        batch = BatchRoute(
            store: store, objects: objects, limits: configuration.limits, reads: reads, uptime: environment.uptime)
        let calls = ForwardedCalls(
            remote: remote, answers: answers, keyCheck: keyCheck, control: sync, names: CallNames(store: store),
            waits: remoteWaits)
        self.calls = calls
        aggregate = AggregateRoute(
            store: store, answers: answers, limits: configuration.limits, reads: reads, control: sync,
            forwarded: calls, now: environment.now, uptime: environment.uptime)
        let syncRoutes = SyncRoutes(
            control: sync, store: store, answers: answers, fileBytesMax: configuration.limits.fileBytesMax,
            remoteWaits: remoteWaits)
        self.sync = syncRoutes
        let feed = ChangeFeed(
            store: store, limits: configuration.limits, environment: environment, logger: logger,
            status: syncRoutes.status)
        sync?.onChange { [weak feed] in feed?.refreshSync() }
        addresses = FileAddresses(
            store: store,
            applicationId: configuration.keys.applicationId ?? configuration.remote?.applicationId ?? "tidegate")
        changes = ChangesRoute(store: store, feed: feed, answers: answers, addresses: addresses)
        forwarded = sync.map { ForwardedQueries(control: $0, store: store, waits: remoteWaits) }
        standaloneCalls = StandaloneCalls(answers: answers)
        config = ConfigRoute(store: store, answers: answers)
        requestIds = configuration.idempotencyTTL.map { RequestIds(store: store, lifetime: $0) }
        schemas = SchemaRoutes(store: store, answers: answers)
        system = SystemRoutes(configuration: configuration, answers: answers)
        self.metrics = MetricsRoute(
            sources: [requests, feed] + metrics, answers: answers, configuration: configuration,
            startedAt: environment.now())
        files = FileRoutes(
            store: store, addresses: addresses, applicationId: configuration.keys.applicationId, answers: answers,
            environment: environment, bytesMax: configuration.limits.fileBytesMax, remote: remoteFiles,
            forwarded: calls, waits: remoteWaits)
        page = configuration.webDirectory.map { StaticFiles(directory: $0, commonHeaders: answers.commonHeaders) }
    }

    package func handle(_ request: HTTPServerRequest) -> HTTPReply {
        let begin = environment.uptime()
        var endpoint: Endpoint?
        let reply: HTTPReply
        switch requestGuard.check(request) {
        case .refused(let reason): reply = .now(answer(to: APIError.forbidden(reason: reason), request))
        case .refusedVisit: reply = .now(CrossOriginAnswers.refusedVisit(headers: answers.commonHeaders))
        case .preflight(let origin):
            reply = .now(CrossOriginAnswers.preflight(request, headers: answers.commonHeaders, origin: origin))
        case .passed: reply = answer(request, &endpoint)
        case .passedFrom(let origin): reply = CrossOriginAnswers.opened(answer(request, &endpoint), to: origin)
        }
        return noted(CrossOriginAnswers.embeddable(reply, at: request.path), request, endpoint, since: begin)
    }

    /// The answer to a request that the server itself refuses, in the shape of the API's errors.
    /// - Parameter head: the request without its body; nil where its headers cannot be read.
    package func refusal(_ status: HTTPResponse.Status, of head: HTTPServerRequest?) -> HTTPServerResponse {
        let refusal = answers.error(ErrorAnswer(refused: status))
        guard let head else { return refusal }
        guard case .passedFrom(let origin) = requestGuard.check(head) else {
            return CrossOriginAnswers.embeddable(refusal, at: head.path)
        }
        return CrossOriginAnswers.embeddable(CrossOriginAnswers.opened(refusal, to: origin), at: head.path)
    }

    /// - Parameter endpoint: set to what the request asks for; nil where there is no such thing.
    private func answer(_ request: HTTPServerRequest, _ endpoint: inout Endpoint?) -> HTTPReply {
        if files.isUpload(request) {
            endpoint = .uploadFile
            if request.sink == nil, !isUnlocked(request), files.envelopeBytesMax(of: request) == nil {
                return .now(answer(to: APIError.unauthorized, request))
            }
            return .later { [self] in await upload(request) }
        }
        return request.body.count > Self.bodyBytesAtOnceMax
            ? answerApart(request, &endpoint) : answerWhole(request, &endpoint)
    }

    /// A large body takes longer to read than the server's own thread may be kept.
    private func answerApart(_ request: HTTPServerRequest, _ endpoint: inout Endpoint?) -> HTTPReply {
        endpoint = (try? RoutePath(request.path)).flatMap { path in
            Route.Method(rawValue: request.method.rawValue).flatMap { RouteTable.match($0, path)?.endpoint }
        }
        return .later { [self] in
            let reply = await reads.run(.body, for: request.client) { [self] in
                var endpoint: Endpoint?
                return answerWhole(request, &endpoint)
            }
            switch reply {
            case .success(let reply): return await reply.response()
            case .failure(let error): return answer(to: error, request)
            }
        }
    }

    func answerWhole(_ request: HTTPServerRequest, _ endpoint: inout Endpoint?) -> HTTPReply {
        do {
            return try route(request, &endpoint)
        } catch {
            if case APIError.noRoute = error { endpoint = nil }
            return .now(answer(to: error, request))
        }
    }

    private func route(_ request: HTTPServerRequest, _ endpoint: inout Endpoint?) throws -> HTTPReply {
        let path = try RoutePath(request.path)
        if request.method == .options { return .now(try answers.options(of: path)) }
        // Some SDKs ask by POST, and Parse Server answers every method.
        if path.segments == ["health"], request.method != .get, request.method != .head {
            endpoint = .getHealth
            return .now(system.health)
        }
        let read = Result { () throws(APIError) in try ParseRequest(request, limits: configuration.limits) }
        let method = (try? read.get())?.method
        let match = method.flatMap { RouteTable.match($0, path) }
        // A request whose body cannot be read counts for the route that its first line names.
        endpoint =
            match?.endpoint
            ?? Route.Method(rawValue: request.method.rawValue).flatMap { RouteTable.match($0, path)?.endpoint }
        var isMaster = false
        if match?.endpoint.isOpen != true {
            // A body that cannot be read must not tell more to those who have no key.
            let verdict = keyCheck.check(
                (try? read.get())?.credentials ?? (try? Credentials(request.headers)),
                isParse: match?.endpoint.isParse != false, isFromPage: request.headers.contains(.tidegatePage))
            guard verdict != .refused else { throw APIError.unauthorized }
            isMaster = verdict == .master
        }
        if path.segments == ["files"], request.method == .post { throw FileRoutes.nameless }
        // Where there is nothing to ask, it matters little how the question was put.
        guard RouteTable.knows(path) || match != nil else { throw APIError.noRoute }
        let parsed = try read.get()
        guard let match else { throw APIError.noRoute }
        let call = Call(match.endpoint, match.parameters, parsed, path, request, isMaster: isMaster)
        let reply = addresses.addressed(try reply(to: call), to: call)
        return Delivery(request, isRead: method == .get).delivered(reply)
    }

    private func reply(to call: Call) throws -> HTTPReply {
        let hasSession = call.parse.credentials.sessionToken != nil
        guard try !objects.isRemotes(call.endpoint, call.parameters, hasSession: hasSession) else {
            if call.onObjects.endpoint.isObjects, call.parse.method != .get, call.namesState {
                throw Self.unconditional
            }
            return later(call) { [calls] in try await calls.answer(call) }
        }
        // The remote knows its users; here nobody has a session yet.
        if hasSession, call.endpoint.isParse, !call.endpoint.overlooksSession {
            throw objects.sessionRefusal
        }
        guard let requestIds, let id = RequestIds.id(of: call) else { return try dispatch(call.onObjects) }
        return later(call) { [self] in
            try await requestIds.take(id)
            return try await dispatch(call.onObjects).response()
        }
    }

    /// A Parse Server would carry out such a write in any state of the object.
    private static let unconditional = ParseError(
        .commandUnavailable,
        "If-Match and _base are for objects that are kept here: this request is the remote's to answer.")

    private func dispatch(_ call: Call) throws -> HTTPReply {
        switch call.endpoint {
        case .getObject:
            let found = try objects.get(call)
            guard found.storedBytes > Self.taggedAtOnceMax else {
                return .now(answers.object(found.text, tag: try found.tag()))
            }
            return later(call) { [answers] in answers.object(found.text, tag: try found.tag()) }
        case .listObjects:
            if let forwarded, let relation = try ForwardedQueries.relation(in: call) {
                return later(call) { [reads, objects, answers, limits = configuration.limits] in
                    if let answer = try await forwarded.answer(call, about: relation) { return answers.json(answer) }
                    let text = await reads.run(for: call.http.client) {
                        try objects.read(call, within: limits.queryTimeMax)
                    }
                    return answers.json(try text.get())
                }
            }
            return try list(call)
        case .createObject:
            let write = try objects.write(call)
            return later(call) { [objects, answers] in
                try await objects.create(write, answers: answers, base: call.base)
            }
        case .updateObject, .deleteObject:
            let write = try objects.write(call)
            return later(call) { [objects, answers] in
                answers.json(try await objects.perform(write, isMaster: call.isMaster))
            }
        case .batch:
            let plan = try batch.plan(call)
            return later(call) { [self] in
                answers.json(
                    try await batch.run(plan) { [self] in
                        try await reply(to: $0).response()
                    } errorAnswer: { [self] in
                        errorAnswer($0, request: call.http)
                    })
            }
        case .aggregate: return later(call, try aggregate.answer(call))
        case .uploadFile: return later(call, try files.upload(call))
        case .getFile: return later(call, try files.get(call))
        // No metadata are kept of files, as by most of the places where a Parse Server keeps them.
        case .getFileMetadata: return .now(answers.json([:]))
        case .deleteFile: return later(call, files.delete(call))
        case .listChanges: return .now(try changes.answer(call))
        case .getMetrics: return later(call) { [metrics] in try await metrics.answer() }
        // Another master key than this gateway's may be the remote's, and then so is the question.
        case .getServerInfo
        where configuration.mode == .replica && !call.isMaster && call.parse.credentials.masterKey != nil:
            return later(call) { [calls] in try await calls.answer(call) }
        case .getHealth, .getServerInfo, .getOpenAPI: return .now(try system.answer(call))
        case .page:
            return .now(try page.map { try $0.file(["index.html"], call.http) } ?? system.pageless())
        case .pageFile:
            guard let page else { throw APIError.noRoute }
            return .now(try page.file(call.parameters, call.http))
        case .startSync, .getSyncStatus, .pauseSync, .resumeSync, .listPending, .undoPending, .listRejections,
            .retryRejection, .giveUpRejection, .listConflicts, .resolveConflict, .listRemovals, .confirmRemoval,
            .keepRemoval, .listSyncedClasses, .getSyncedClass, .registerClass, .unregisterClass,
            .purgeObjects:
            return later(call) { [sync] in try await sync.answer(call) }
        case .getConfig: return .now(try config.get(call))
        case .updateConfig: return later(call, try config.change(call))
        case .listSchemas, .getSchema: return .now(try schemas.show(call))
        case .createSchema, .createNamedSchema, .updateSchema, .deleteSchema, .purgeClass:
            return later(call, try schemas.change(call))
        default: return .now(try standaloneCalls.answer(call))
        }
    }

    /// Begins a list where it keeps no other request waiting, and carries it out apart where it takes long.
    private func list(_ call: Call) throws -> HTTPReply {
        let timeMax = configuration.limits.queryTimeMax
        let patience = quickLists.patience(call.parse.searchParameters, timeMax: timeMax)
        if let patience {
            do {
                let text = try quickLists.watching { try objects.read(call, within: patience) }
                return .now(answers.json(text))
            } catch StoreError.tookTooLong {
                quickLists.noteSlowOne()
            }
        }
        return later(call) { [reads, objects, answers, quickLists] in
            let client = call.http.client
            if patience == nil {
                do {
                    let text = await reads.run(.quick, for: client) {
                        try objects.read(call, within: QuickLists.patience)
                    }
                    return answers.json(try text.get())
                } catch StoreError.tookTooLong {
                    quickLists.noteSlowOne()
                }
            }
            let text = await reads.run(for: client) { try objects.read(call, within: timeMax) }
            return answers.json(try text.get())
        }
    }

    private func later(
        _ call: Call, _ work: @escaping @Sendable () async throws -> HTTPServerResponse
    ) -> HTTPReply {
        .later { [self] in
            do {
                return try await work()
            } catch {
                return answer(to: error, call.http)
            }
        }
    }

    func answer(to error: any Error, _ request: HTTPServerRequest) -> HTTPServerResponse {
        answers.error(errorAnswer(error, request: request))
    }

    private func errorAnswer(_ error: any Error, request: HTTPServerRequest) -> ErrorAnswer {
        let answer = ErrorAnswer(error)
        if answer.belongsInLog {
            logger.error(
                "request failed",
                metadata: ["method": "\(request.method)", "path": "\(request.path)", "error": "\(error)"])
        }
        return answer
    }

    /// Counts the answer when it is there.
    private func noted(
        _ reply: HTTPReply, _ request: HTTPServerRequest, _ endpoint: Endpoint?, since begin: Duration
    ) -> HTTPReply {
        switch reply {
        case .now(let response):
            note(response, request, endpoint, since: begin)
            return reply
        case .later(let response):
            return .later { [self] in
                let response = await response()
                note(response, request, endpoint, since: begin)
                return response
            }
        }
    }

    /// Counts an answer, and logs it where the log level asks for that: never a query, a header or a body.
    private func note(
        _ response: HTTPServerResponse, _ request: HTTPServerRequest, _ endpoint: Endpoint?, since begin: Duration
    ) {
        let duration = environment.uptime() - begin
        requests.note(endpoint, request.method, status: response.status.code, duration: duration)
        guard logger.logLevel <= .debug else { return }
        logger.debug(
            "answered",
            metadata: [
                "method": "\(request.method)", "path": "\(request.path)", "status": "\(response.status.code)",
                "duration": "\(duration)",
            ])
    }
}
