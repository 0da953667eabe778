import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel
import StoreService

/// The local API of one gateway, from an HTTP request to its answer.
///
/// Each request is first checked and routed: its origin is checked, it is parsed, its route is found, and its caller is
/// found by its keys or its session. Then this gateway, or the user's space to which the caller belongs, answers it.
/// The folder `Compositions` builds the API of each product.
package final class GatewayAPI: HTTPHandler, SpaceAPI {
    private let parts: APIParts
    private let router: Router
    private let callers: any Callers
    private let dispatcher: Dispatcher
    private let stages: ResponseStages
    private let uploads: UploadBodies
    /// The live queries on the data of this API.
    package let live: LiveQueries
    private let liveDoor: LiveDoor
    /// The routes, by name.
    private let routes: [String: Route]
    /// The sync engine; nil in standalone mode.
    package let control: (any SyncControl)?
    /// The size in bytes up to which a body is parsed on the server's thread. A larger body is parsed on a separate thread.
    private static let bodyBytesAtOnceMax = 256 << 10

    init(
        _ parts: APIParts, _ table: RouteTable, callers: any Callers, dispatcher: Dispatcher, addresses: FileAddresses,
        live: LiveQueries, control: (any SyncControl)?
    ) {
        self.parts = parts
        self.callers = callers
        self.dispatcher = dispatcher
        self.live = live
        liveDoor = LiveDoor(parts, callers: callers, queries: live)
        self.control = control
        router = Router(
            table: table, keyCheck: parts.keyCheck, limits: parts.limits, owners: parts.configuration.owners)
        routes = Dictionary(uniqueKeysWithValues: table.routes.map { ($0.name, $0) })
        stages = ResponseStages(addresses: addresses, errors: parts.errors, log: parts.log, audit: parts.audit)
        uploads = UploadBodies(store: parts.store.files, bytesMax: parts.limits.fileBytesMax)
    }

    /// All routes.
    package var table: RouteTable { router.table }

    /// Whether a stream of the change feed or a live query is open.
    package var hasStreams: Bool { !live.readers.isEmpty }

    /// Ends the streams of the change feed and the live queries whose sessions have ended.
    package func endStreamsWithoutSession() { live.readers.checkSessions() }

    package func hasFile(_ name: String, for user: SignedInUser) -> Bool {
        do { return try parts.store.files.file(name, as: .user(user)) != nil } catch { return true }
    }

    // MARK: Checking and routing requests

    package func handle(_ request: HTTPServerRequest) -> HTTPReply {
        var exchange = Exchange(request, router.line(of: request), arrivedAt: parts.uptime())
        if let refusal = admit(&exchange) { return stages.finish(.now(refusal), of: exchange) }
        if liveDoor.takes(exchange) { return stages.finish(.now(liveDoor.response(to: exchange)), of: exchange) }
        if exchange.line.route?.policy.body == .file { return replyToUpload(exchange) }
        if let route = exchange.line.route, case .rows = route.policy.body {
            do {
                if request.sink == nil { _ = try router.principal(beforeBodyOf: exchange, route) }
                exchange.request = try uploads.rowsInSink(request)
            } catch {
                return refused(error, exchange)
            }
            return reply(to: exchange)
        }
        guard request.body.count > Self.bodyBytesAtOnceMax else { return reply(to: exchange) }
        return .later { [self, exchange] in
            switch await parts.threads.run(.body, for: request.client, { [self] in reply(to: exchange) }) {
            case .success(let reply): return await reply.response()
            case .failure(let error): return await refused(error, exchange).response()
            }
        }
    }

    /// Checks the origin of a request.
    /// - Returns: the response to a preflight and to a request that is refused; nil for any other request.
    private func admit(_ exchange: inout Exchange) -> HTTPServerResponse? {
        let verdict = parts.originGuard.check(exchange.request, exchange.line)
        exchange.allowedOrigin = verdict.allowedOrigin
        switch verdict {
        case .passed, .passedFrom: return nil
        case .preflight:
            return CrossOriginResponses.preflight(exchange.request, headers: parts.responses.commonHeaders)
        case .refused(let reason):
            return parts.errors.response(to: APIError.forbidden(reason: reason), exchange.request)
        case .refusedVisit: return CrossOriginResponses.refusedVisit(headers: parts.responses.commonHeaders)
        }
    }

    /// Parses a request, finds its caller, and answers it from the caller's data.
    private func reply(to exchange: Exchange) -> HTTPReply {
        var exchange = exchange
        do {
            if exchange.request.method == .options {
                return stages.finish(.now(parts.responses.methods(try router.options(exchange.line))), of: exchange)
            }
            let request = try router.route(&exchange)
            let claim = CallerClaim(
                (request.route, request.parameters), request.parse.credentials, principal: request.principal,
                parameters: request.parse.parameters, peer: request.http.peer,
                hasKeys: (try? router.principal(of: request.http, request.parse.credentials)) != nil)
            switch try callers.caller(of: claim) {
            case .known(let caller): return answer(request, exchange, of: caller)
            case .asking(let ask):
                return .later { [self, exchange] in
                    do { return await answer(request, exchange, of: try await ask()).response() } catch {
                        return await refused(error, exchange).response()
                    }
                }
            }
        } catch {
            return refused(error, exchange)
        }
    }

    private func answer(_ request: RoutedRequest, _ exchange: Exchange, of caller: Caller) -> HTTPReply {
        switch caller {
        case .here(let principal): return dispatch(request.acting(as: principal), exchange)
        case .space(let api, let principal): return api.answer(request, exchange, as: principal)
        }
    }

    private func refused(_ error: any Error, _ exchange: Exchange) -> HTTPReply {
        var exchange = exchange
        if case APIError.noRoute = error { exchange.route = nil }
        return stages.finish(.now(parts.errors.response(to: error, exchange.request)), of: exchange)
    }

    /// The response to a request that the HTTP server itself refuses, in the API's error format.
    /// - Parameter head: the request without its body; nil if its headers are unreadable.
    package func refusal(_ status: HTTPResponse.Status, of head: HTTPServerRequest?) -> HTTPServerResponse {
        guard let head else { return parts.responses.error(ErrorAnswer(refused: status)) }
        var exchange = Exchange(head, router.line(of: head), arrivedAt: .zero)
        let isTooLongFile = status == .contentTooLarge && exchange.line.route?.policy.body == .file
        var refusal = parts.responses.error(
            isTooLongFile
                ? ErrorAnswer(
                    UploadMode(head).tooLong(
                        bytesMax: uploads.sizeMax(of: head, (try? router.principal(of: head)) ?? .public)))
                : ErrorAnswer(refused: status))
        exchange.allowedOrigin = parts.originGuard.check(head, exchange.line).allowedOrigin
        CrossOriginResponses.open(&refusal, exchange)
        return refusal
    }

    // MARK: Answering requests

    /// Answers a request whose origin, keys and session are already checked.
    package func answer(_ request: RoutedRequest, _ exchange: Exchange, as principal: Principal) -> HTTPReply {
        guard let route = routes[request.route.name] else { return refused(APIError.noRoute, exchange) }
        return dispatch(request.on(route, as: principal), exchange)
    }

    private func dispatch(_ request: RoutedRequest, _ exchange: Exchange) -> HTTPReply {
        var exchange = exchange
        exchange.principal = request.principal
        do {
            return stages.finish(try dispatcher.reply(to: request), of: exchange)
        } catch {
            return refused(error, exchange)
        }
    }

    // MARK: Uploads

    package func bodyPlace(for head: HTTPServerRequest) -> HTTPBodyPlace {
        var exchange = Exchange(head, router.line(of: head), arrivedAt: parts.uptime())
        if admit(&exchange) == nil {
            if let route = exchange.line.route, case .rows = route.policy.body {
                guard let principal = try? router.principal(beforeBodyOf: exchange, route) else {
                    return refusedBody(of: head)
                }
                return .sink(uploads.rowsSink(of: principal))
            }
            guard let match = exchange.line.match, match.route.policy.body == .file else {
                return .memory(bytesMax: nil)
            }
            if let principal = try? router.principal(of: head), let credentials = try? Credentials(head.headers) {
                let claim = CallerClaim(
                    match, credentials, principal: principal, parameters: [:], peer: head.peer, hasKeys: true)
                switch try? callers.caller(of: claim) {
                case .known(.space(let api, _)): return .sink(api.sink(for: head))
                // The user's space must be opened first. The upload stays in memory until then.
                case .asking, nil: return .memory(bytesMax: nil)
                case .known(.here):
                    // The session of a JSON upload may be in the body, and decides whose file it is.
                    if callers.readsSessionsOfUploads, let bytesMax = uploads.envelopeBytesMax(of: head) {
                        return .memory(bytesMax: bytesMax)
                    }
                    return .sink(uploads.sink(for: head, of: principal))
                }
            }
            // The key of a JSON upload may be in the body, so the body stays in memory until the key is checked.
            if let bytesMax = uploads.envelopeBytesMax(of: head) { return .memory(bytesMax: bytesMax) }
        }
        return refusedBody(of: head)
    }

    /// Three kinds of requests are answered before their body is read: preflights, requests that the origin guard refuses, and
    /// uploads that have no valid key in the headers and cannot have a key in the body.
    private func refusedBody(of head: HTTPServerRequest) -> HTTPBodyPlace {
        guard case .now(let refusal) = handle(head) else { return .memory(bytesMax: nil) }
        return .refused(refusal)
    }

    package func sink(for head: HTTPServerRequest) -> any HTTPBodySink { uploads.sink(for: head) }

    /// The reply to an upload. A JSON upload is decoded in a task, not on the server's thread.
    private func replyToUpload(_ exchange: Exchange) -> HTTPReply {
        var exchange = exchange
        exchange.route = exchange.line.route
        let request = exchange.request
        do {
            // An upload without a sink is in memory. It is only stored if its headers or its body contain a valid key.
            if request.sink == nil, uploads.envelopeBytesMax(of: request) == nil {
                _ = try router.principal(of: request)
            }
        } catch {
            return refused(error, exchange)
        }
        return .later { [self, exchange] in
            do {
                switch try await callerOfUpload(exchange) {
                case .here(let principal): return try await answerUpload(exchange, as: principal).response()
                case .space(let api, let principal):
                    return try await api.answerUpload(exchange, as: principal).response()
                }
            } catch {
                return await refused(error, exchange).response()
            }
        }
    }

    private func callerOfUpload(_ exchange: Exchange) async throws -> Caller {
        let request = exchange.request
        let credentials = try uploads.credentials(of: request)
        let principal = try router.principal(of: request, credentials)
        guard let match = exchange.line.match else { throw APIError.noRoute }
        let claim = CallerClaim(
            match, credentials, principal: principal, parameters: [:], peer: request.peer, hasKeys: true)
        switch try callers.caller(of: claim) {
        case .known(let caller): return caller
        case .asking(let ask): return try await ask()
        }
    }

    package func answerUpload(_ exchange: Exchange, as principal: Principal) throws -> HTTPReply {
        var exchange = exchange
        exchange.request = try uploads.unwrapped(exchange.request)
        return answer(try router.route(&exchange), exchange, as: principal)
    }
}
