import HTTPServer

/// The first line of a request: its path, its method, and the route that both match.
///
/// A POST can name another method in its body (`_method`), so the route of a request is certain only when its body is read.
struct RequestLine: Sendable {
    typealias Match = (route: Route, parameters: [String])

    let path: Result<RoutePath, APIError>
    /// Nil for a method without routes. HEAD counts as GET.
    let method: RequestMethod?
    let match: Match?

    var route: Route? { match?.route }

    /// Matches the line of a request. Some SDKs request `/health` by POST: a route with `answersEachMethod` matches every method except
    /// OPTIONS.
    init(_ http: HTTPServerRequest, in table: RouteTable) {
        path = Result { () throws(APIError) in try RoutePath(http.path) }
        let method = http.method == .head ? .get : RequestMethod(rawValue: http.method.rawValue)
        guard let path = try? path.get() else {
            (self.method, match) = (method, nil)
            return
        }
        if method != .get, http.method != .options, path.segments.count == 1, let get = table.match(.get, path),
            get.route.policy.answersEachMethod
        {
            (self.method, match) = (.get, get)
        } else {
            self.method = method
            match = method.flatMap { table.match($0, path) }
        }
    }

    /// The request without query and body, as a GET, if its route answers each method like a GET.
    func plain(_ http: HTTPServerRequest) -> HTTPServerRequest {
        guard let route, route.policy.answersEachMethod, http.method != .get, http.method != .head else { return http }
        var http = http
        (http.method, http.query, http.body) = (.get, nil, [])
        return http
    }
}
