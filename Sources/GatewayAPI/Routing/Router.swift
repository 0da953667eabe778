import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel

/// Parses a request, finds its route, and checks its keys.
struct Router: Sendable {
    let table: RouteTable
    let keyCheck: KeyCheck
    let limits: RequestLimits
    /// The browser sessions of the person who runs the gateway; nil if the gateway offers none.
    let owners: OwnerSessions?

    func line(of http: HTTPServerRequest) -> RequestLine { RequestLine(http, in: table) }

    /// The request with its route, and with the principal of its keys. Session tokens are not looked up here.
    /// - Parameter exchange: receives the route, the prefix, the principal, and whether the request is a read.
    /// - Throws: `APIError` for a request that is unreadable, has no route, or lacks a key. `ParseError` for an upload without
    ///   a file name.
    func route(_ exchange: inout Exchange) throws -> RoutedRequest {
        let line = exchange.line
        let path = try line.path.get()
        exchange.prefix = path.prefix
        let http = line.plain(exchange.request)
        let read = Result { () throws(APIError) in
            try ParseRequest(http, limits: limits, levelsAround: line.route?.policy.body.levelsAround ?? 0)
        }
        let method = (try? read.get())?.method
        let match = method == line.method ? line.match : method.flatMap { table.match($0, path) }
        // The metrics count an unreadable request under the route of its line.
        exchange.route = match?.route ?? line.route
        let keys = try principal(of: http, (try? read.get())?.credentials, match?.route.policy)
        let principal = ownersPrincipal(of: http, keys, exchange, match?.route.policy)
        exchange.principal = principal
        if path.segments == ["files"], http.method == .post { throw Self.missingFileName }
        // A path without routes is reported before an unreadable body.
        guard match != nil || table.contains(path) else { throw APIError.noRoute }
        let parsed = try read.get()
        guard let match else { throw APIError.noRoute }
        exchange.isRead = exchange.request.method == http.method && method == .get
        return RoutedRequest(match, parsed, path, http, principal: principal)
    }

    /// The principal of a request whose keys have the principal `keys`. The browser session of the person who runs the
    /// gateway counts as the master key.
    private func ownersPrincipal(
        of http: HTTPServerRequest, _ keys: Principal, _ exchange: Exchange, _ policy: RoutePolicy?
    ) -> Principal {
        guard keys == .public, policy?.takesOwnerSession == true, let owners,
            // Only the gateway's own page may use the session.
            exchange.allowedOrigin == nil, owners.accept(http)
        else { return keys }
        return .master
    }

    /// The principal of a request whose body has not arrived yet, by its headers.
    /// - Throws: the error of `keyCheck` or of `ReadOnlyRules`, if it refuses the request. `APIError.masterKeyRequired`.
    func principal(beforeBodyOf exchange: Exchange, _ route: Route) throws -> Principal {
        let keys = try principal(of: exchange.request, nil, route.policy)
        let principal = ownersPrincipal(of: exchange.request, keys, exchange, route.policy)
        try ReadOnlyRules.check(route, principal)
        if route.policy.access == .masterOnly, !principal.isMaster { throw APIError.masterKeyRequired }
        return principal
    }

    private static let missingFileName = ParseError(.invalidFileName, "Filename not provided.")

    /// - Parameters:
    ///   - credentials: nil for an unreadable request. A client without a valid key does not learn why it is unreadable.
    ///   - policy: the route's policy; nil without a route.
    /// - Throws: the error of `keyCheck`, if it refuses the request.
    private func principal(
        of http: HTTPServerRequest, _ credentials: Credentials?, _ policy: RoutePolicy?
    ) throws(APIError) -> Principal {
        if policy?.access == .open { return .public }
        return try keyCheck.principal(
            credentials ?? Self.keys(of: http), isParse: policy?.isParse != false,
            isFromPage: http.headers.contains(.tidegatePage), peer: http.peer,
            takesBearer: policy?.access == .masterOnlyWithUsers)
    }

    /// The credentials in the headers of an unreadable request, without its context, which may be the unreadable part.
    private static func keys(of http: HTTPServerRequest) -> Credentials? {
        var headers = http.headers
        headers[.parseCloudContext] = nil
        return try? Credentials(headers)
    }

    /// The principal of the keys of a request to a route of Parse.
    /// - Parameter credentials: nil to use the credentials in the headers.
    /// - Throws: the error of `keyCheck`, if it refuses the request.
    func principal(
        of http: HTTPServerRequest, _ credentials: Credentials? = nil
    ) throws(APIError) -> Principal { try principal(of: http, credentials, nil) }

    /// The methods that the gateway accepts at a path, with HEAD and OPTIONS. Checks no key.
    /// - Throws: `APIError.noRoute` or `APIError.malformedPath`.
    func options(_ line: RequestLine) throws(APIError) -> [String] {
        let methods = table.methods(of: try line.path.get())
        guard !methods.isEmpty else { throw .noRoute }
        return methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : []) + ["OPTIONS"]
    }
}
