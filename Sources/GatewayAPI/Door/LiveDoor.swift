import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel
import StoreService
import Synchronization

/// Accepts the connections of live query clients, and finds the caller of each subscription: the principal whose rights
/// count, and the data (the gateway's own or a user's) whose changes it gets.
final class LiveDoor: Sendable {
    /// What a subscription needs to begin.
    struct Start: Sendable {
        let queries: LiveQueries
        let query: LiveQuery
        let reader: LiveReader
        let place: LiveSubscription.Start
        let memory: LiveMemory
        /// The session token; nil without a session.
        let session: String?
        /// Whether the session has not ended.
        let mayContinue: @Sendable () -> Bool
    }

    let environment: Environment
    private let parts: APIParts
    private let callers: any Callers
    private let queries: LiveQueries
    /// The routes that clients may use. A live query uses the route that lists the objects of its class. Nil for all routes.
    private let allowList: RouteAllowList?
    private let count = Mutex(0)
    /// The memory of all subscriptions.
    private let memory: ByteBudget

    /// The maximum length in bytes of an installation id. A longer one is stored as its digest.
    private static let installationBytesMax = 100
    /// Sessions count for a subscription as for a query by REST.
    private static let route = Route(.get, "/", "subscribeLive", .parse) { _ in
        throw APIError.noRoute
    }

    /// - Parameter queries: the live queries on the gateway's own data.
    init(_ parts: APIParts, callers: any Callers, queries: LiveQueries) {
        (self.parts, self.callers, self.queries) = (parts, callers, queries)
        environment = parts.environment
        allowList = parts.configuration.routeAllowList.map(RouteAllowList.init)
        memory = ByteBudget(bytesMax: parts.limits.liveMemoryMax)
    }

    /// Whether a request asks for a connection: for a WebSocket at one of the gateway's mount paths.
    func takes(_ exchange: Exchange) -> Bool {
        guard exchange.request.asksForWebSocket, let path = try? exchange.line.path.get() else { return false }
        return path.segments.isEmpty
    }

    /// Accepts a connection.
    func response(to exchange: Exchange) -> HTTPServerResponse {
        let isFull = count.withLock { count in
            guard count < parts.limits.liveConnectionsMax else { return true }
            count += 1
            return false
        }
        guard !isFull else { return parts.errors.response(to: APIError.busy, exchange.request) }
        let prefix = (try? exchange.line.path.get().prefix) ?? ""
        return .webSocket(
            exchange.request,
            handler: LiveConnection(
                door: self, head: exchange.request, base: Exchange.base(of: exchange.request, prefix: prefix)))
    }

    func closed(_ connection: LiveConnection) { count.withLock { $0 -= 1 } }

    /// The principal of a client's keys.
    /// - Throws: `APIError` for a missing or wrong key.
    func principal(of credentials: Credentials, _ head: HTTPServerRequest) throws(APIError) -> Principal {
        try parts.keyCheck.principal(
            credentials, isParse: true, isFromPage: head.headers.contains(.tidegatePage), peer: head.peer)
    }

    /// Checks a subscription, and finds where it starts.
    /// - Parameters:
    ///   - since: the position that the client has named; nil for none.
    ///   - token: the session token of the subscription; nil for the token of the connection.
    /// - Throws: `LiveError`, `ParseError`, `APIError`, `StoreError`.
    func start(
        _ query: JSONObject, _ id: JSONValue, _ since: JSONValue?, of client: LiveConnection.Client, token: String?,
        _ head: HTTPServerRequest
    ) async throws -> Start {
        let (queries, principal, token) = try await caller(of: client, token: token, head)
        let configuration = parts.configuration
        let query = try LiveQuery(
            query,
            QueryTerms(
                unknownOperator: configuration.dialect.unknownOperator,
                bounds: configuration.complexity.query(of: principal)))
        try allowList?.check(.get, "classes/\(query.className)", principal)
        let reader = LiveReader(principal: principal, reading: query.reading)
        if query.className == "_Session", principal == .public { throw ParseError.invalidSession }
        try RoutedRequest.checkUse(of: query.className, to: .list, by: principal)
        guard ClassName.isValid(query.className) else { throw ParseError.invalidClassName(query.className) }
        let memory = try LiveMemory(of: query, in: client.memory, memory)
        try await queries.check(query, reader)
        let key = key(of: client, id, query, principal)
        return Start(
            queries: queries, query: query, reader: reader,
            place: try await queries.start(of: query, reader, key, since: since), memory: memory, session: token,
            mayContinue: { [isOpen = queries.links.isOpen] in token.map { isOpen?($0) ?? true } ?? true })
    }

    private func key(
        of client: LiveConnection.Client, _ id: JSONValue, _ query: LiveQuery, _ principal: Principal
    ) -> LiveSubscriptionKey? {
        guard queries.lifetime > .zero, let installation = client.credentials.installationId, !installation.isEmpty
        else { return nil }
        let user = principal.user?.objectId ?? (principal.readsEverything ? "*" : "")
        let isShort = installation.utf8.count <= Self.installationBytesMax
        return LiveSubscriptionKey(
            installation: isShort ? installation : ContentDigest.text(of: installation), requestId: id.jsonText,
            query: ContentDigest.text(of: "\(user)\n\(query.text)"))
    }

    /// - Returns: the live queries on the caller's data, the principal, and the session token that counts.
    private func caller(
        of client: LiveConnection.Client, token: String?, _ head: HTTPServerRequest
    ) async throws -> (LiveQueries, Principal, String?) {
        var credentials = client.credentials
        if let token { credentials.sessionToken = token }
        let claim = CallerClaim(
            (Self.route, []), credentials, principal: client.principal, parameters: [:], peer: head.peer, hasKeys: true)
        let caller: Caller
        do {
            switch try callers.caller(of: claim) {
            case .known(let known): caller = known
            case .asking(let ask): caller = try await ask()
            }
        } catch let error as ParseError where error.code == ParseError.invalidSession.code {
            // As on Parse Server, a subscription with an ended session has the rights of the public.
            return (queries, client.principal, nil)
        }
        switch caller {
        case .here(let principal): return (queries, principal, principal.user == nil ? nil : claim.token)
        case .space(let api, let principal): return (api.live, principal, claim.token)
        }
    }

    // MARK: Errors

    /// The code and the text of an error, as the client may see it.
    func answer(to error: any Error, _ head: HTTPServerRequest) -> (code: Int, text: String) {
        if let error = error as? LiveError { return (error.code, error.text) }
        let answer = parts.errors.answer(to: error, head)
        return (answer.body["code"]?.int ?? ParseError.Code.internalServerError.rawValue, answer.text)
    }

    /// Whether the same subscription can succeed later, for example because the remote cannot be asked about the session now.
    func isPassing(_ error: any Error) -> Bool {
        switch error as? APIError {
        case .remoteUnreachable, .remoteSilent, .remoteUnusable, .busy: true
        default: false
        }
    }
}
