import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel

/// Parses a request, finds its route, and checks its keys.
struct Router: Sendable {
    let table: RouteTable
    let keyCheck: KeyCheck
    let limits: RequestLimits
    /// Resolves session tokens; nil if the gateway has no users of its own.
    let sessions: Sessions?
    /// The browser sessions of the person who runs the gateway; nil if it offers none.
    let owners: OwnerSessions?

    /// - Parameter exchange: receives the route, the prefix, the principal, and whether the request is a read.
    /// - Throws: `APIError` for a request that is unreadable, has no route, or lacks a key. `ParseError` for an upload without
    ///   a file name, and for an invalid session token.
    func route(_ exchange: inout Exchange) throws -> RoutedRequest {
        let path = try RoutePath(exchange.request.path)
        exchange.prefix = path.prefix
        let http = withoutMethod(exchange.request, path)
        let read = Result { () throws(APIError) in try ParseRequest(http, limits: limits) }
        let method = (try? read.get())?.method
        let match = method.flatMap { table.match($0, path) }
        // The metrics count an unreadable request under the route of its request line.
        exchange.route = match?.route ?? lineRoute(http, path)
        var principal = try principal(of: http, read, match?.route.policy)
        if principal == .public, match?.route.policy.takesOwnerSession == true, let owners,
            // Only the gateway's own page may use the session.
            exchange.allowedOrigin == nil, owners.accept(http)
        {
            principal = .master
        }
        exchange.principal = principal
        if path.segments == ["files"], http.method == .post { throw Self.missingFileName }
        // A path without routes is reported before an unreadable body.
        guard match != nil || table.contains(path) else { throw APIError.noRoute }
        let parsed = try read.get()
        guard let match else { throw APIError.noRoute }
        if let sessions, parsed.credentials.sessionToken != nil {
            principal = try sessions.principal(principal, parsed.credentials, match.route.policy)
            exchange.principal = principal
        }
        if let user = exchange.user, principal == .public, parsed.credentials.sessionToken != nil,
            !match.route.policy.ignoresSession
        {
            principal = .user(user)
            exchange.principal = principal
        }
        exchange.isRead = exchange.request.method == http.method && method == .get
        return RoutedRequest(match, parsed, path, http, principal: principal)
    }

    private static let missingFileName = ParseError(.invalidFileName, "Filename not provided.")

    /// The route for the method and path of the request line; nil if none matches. Ignores a `_method` in the body.
    func lineRoute(_ http: HTTPServerRequest, _ path: RoutePath? = nil) -> Route? {
        guard let path = path ?? (try? RoutePath(http.path)), let method = RequestMethod(rawValue: http.method.rawValue)
        else { return nil }
        return table.match(method, path)?.route
    }

    /// The request, as a GET without query and body if its route has `answersEachMethod`. Some SDKs request `/health` by POST.
    private func withoutMethod(_ http: HTTPServerRequest, _ path: RoutePath) -> HTTPServerRequest {
        guard path.segments.count == 1, http.method != .get, http.method != .head,
            table.match(.get, path)?.route.policy.answersEachMethod == true
        else { return http }
        var http = http
        http.method = .get
        http.query = nil
        http.body = []
        return http
    }

    /// - Parameters:
    ///   - read: the parsed request, or the error of parsing it. A client without a valid key does not receive the error.
    ///   - policy: the route's policy; nil without a route.
    /// - Throws: the error of `keyCheck`, if it refuses the request.
    private func principal(
        of http: HTTPServerRequest, _ read: Result<ParseRequest, APIError>, _ policy: RoutePolicy?
    ) throws(APIError) -> Principal {
        if policy?.access == .open { return .public }
        return try keyCheck.principal(
            (try? read.get())?.credentials ?? (try? Credentials(http.headers)), isParse: policy?.isParse != false,
            isFromPage: http.headers.contains(.tidegatePage), peer: http.peer,
            takesBearer: policy?.access == .masterOnlyWithUsers)
    }

    /// The methods that the gateway accepts at a path, with HEAD and OPTIONS. Checks no key.
    /// - Throws: `APIError.noRoute` or `APIError.malformedPath`.
    func options(_ http: HTTPServerRequest) throws(APIError) -> [String] {
        let methods = table.methods(of: try RoutePath(http.path))
        guard !methods.isEmpty else { throw .noRoute }
        return methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : []) + ["OPTIONS"]
    }
}
