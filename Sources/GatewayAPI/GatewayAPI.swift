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
    private let requestGuard: RequestGuard
    private let answers: Answers
    private let objects: ObjectRoutes
    private let batch: BatchRoute
    private let sync: SyncRoutes
    private let changes: ChangesRoute
    private let system: SystemRoutes
    private let files: StaticFiles?
    private let reads = SlowReads()
    /// How long the server's own thread may be kept by a query before it is carried out elsewhere.
    private static let patienceAtOnce = Duration.milliseconds(40)

    /// - Parameter sync: the sync engine; nil in standalone mode.
    package init(
        store: any ObjectStore, sync: (any SyncControl)?, configuration: Configuration, environment: Environment,
        logger: Logger
    ) {
        self.configuration = configuration
        self.environment = environment
        self.logger = logger
        requestGuard = RequestGuard(
            allowedHosts: configuration.allowedHosts, allowedOrigins: configuration.allowedOrigins,
            accessKey: configuration.accessKey)
        let answers = Answers(mode: configuration.mode)
        self.answers = answers
        objects = ObjectRoutes(store: store, limits: configuration.limits)
        batch = BatchRoute(store: store, objects: objects, limits: configuration.limits, reads: reads)
        self.sync = SyncRoutes(control: sync, store: store, answers: answers)
        changes = ChangesRoute(store: store)
        system = SystemRoutes(configuration: configuration, answers: answers)
        files = configuration.webDirectory.map { StaticFiles(directory: $0, commonHeaders: answers.commonHeaders) }
    }

    package func handle(_ request: HTTPServerRequest) -> HTTPReply {
        let reply: HTTPReply
        switch requestGuard.check(request) {
        case .refused(let reason): reply = .now(answer(to: APIError.forbidden(reason: reason), request))
        case .preflight(let origin):
            reply = .now(CrossOriginAnswers.preflight(request, headers: answers.commonHeaders, origin: origin))
        case .passed: reply = answer(request)
        case .passedFrom(let origin): reply = CrossOriginAnswers.opened(answer(request), to: origin)
        }
        return logger.logLevel <= .debug ? logged(reply, request) : reply
    }

    /// The answer to a request that the server itself refuses, in the shape of the API's errors.
    package func refusal(_ status: HTTPResponse.Status) -> HTTPServerResponse {
        answers.error(ErrorAnswer(refused: status))
    }

    private func answer(_ request: HTTPServerRequest) -> HTTPReply {
        do {
            return try route(request)
        } catch {
            return .now(answer(to: error, request))
        }
    }

    private func route(_ request: HTTPServerRequest) throws -> HTTPReply {
        let path = try RoutePath(request.path)
        let read = Result { () throws(APIError) in try ParseRequest(request, limits: configuration.limits) }
        let method = (try? read.get())?.method
        let match = method.flatMap { RouteTable.match($0, path) }
        if match?.endpoint.isOpen != true {
            // A body that cannot be read must not tell more to those who have no key.
            let bodyKeys = (try? read.get())?.bodyKeys ?? []
            guard requestGuard.accepts(keys: ParseRequest.headerKeys(request.headers) + bodyKeys) else {
                throw APIError.unauthorized
            }
        }
        // Where there is nothing to ask, it matters little how the question was put.
        guard RouteTable.knows(path) || match != nil else { throw APIError.noRoute }
        let parsed = try read.get()
        guard let match else { throw APIError.noRoute }
        if match.endpoint.isParse, parsed.sessionToken != nil {
            throw ParseError(.invalidSessionToken, "Invalid session token")
        }
        return try dispatch(Call(match.endpoint, match.parameters, parsed, path, request))
    }

    private func dispatch(_ call: Call) throws -> HTTPReply {
        switch call.endpoint {
        case .getObject: return .now(answers.json(try objects.read(call, patience: Self.patienceAtOnce)))
        case .listObjects:
            do {
                return .now(answers.json(try objects.read(call, patience: Self.patienceAtOnce)))
            } catch StoreError.tookTooLong {
                return later(call) { [reads, objects, answers, limits = configuration.limits] in
                    let text = await reads.run { try objects.read(call, patience: limits.queryTimeMax) }
                    return answers.json(try text.get())
                }
            }
        case .createObject:
            let write = try objects.write(call)
            let base = "http://\(call.http.headers[.hostName] ?? "")\(call.path.prefix)"
            return later(call) { [objects, answers] in try await objects.create(write, answers: answers, base: base) }
        case .updateObject, .deleteObject:
            let write = try objects.write(call)
            return later(call) { [objects, answers] in answers.json(try await objects.perform(write)) }
        case .batch:
            let plan = try batch.plan(call)
            return later(call) { [self] in
                answers.json(try await batch.run(plan) { [self] in errorAnswer($0, request: call.http) })
            }
        case .listChanges: return .now(answers.json(try changes.list(call)))
        case .getHealth, .getServerInfo, .getOpenAPI: return .now(try system.answer(call))
        case .page:
            return .now(try files.map { try $0.file(["index.html"], call.http) } ?? system.pageless())
        case .pageFile:
            guard let files else { throw APIError.noRoute }
            return .now(try files.file(call.parameters, call.http))
        case .startSync, .getSyncStatus, .pauseSync, .resumeSync, .listPending, .undoPending, .listRejections,
            .retryRejection, .giveUpRejection, .listConflicts, .resolveConflict, .listRemovals, .confirmRemoval,
            .keepRemoval, .listSyncedClasses, .getSyncedClass, .registerClass, .unregisterClass,
            .purgeObjects:
            return later(call) { [sync] in try await sync.answer(call) }
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

    private func answer(to error: any Error, _ request: HTTPServerRequest) -> HTTPServerResponse {
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

    /// Notes each answer where the log level asks for it: never a query, a header or a body.
    private func logged(_ reply: HTTPReply, _ request: HTTPServerRequest) -> HTTPReply {
        let start = environment.uptime()
        let note = { @Sendable [logger, environment] (response: HTTPServerResponse) in
            logger.debug(
                "answered",
                metadata: [
                    "method": "\(request.method)", "path": "\(request.path)", "status": "\(response.status.code)",
                    "duration": "\(environment.uptime() - start)",
                ])
        }
        switch reply {
        case .now(let response):
            note(response)
            return reply
        case .later(let response):
            return .later {
                let response = await response()
                note(response)
                return response
            }
        }
    }
}
