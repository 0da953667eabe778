/// All routes of a gateway. A test compares them with `openapi.yaml`.
package struct RouteTable: Sendable {
    /// The routes in order of precedence: if two routes of one method match a path, the earlier one is used.
    package let routes: [Route]

    /// The route for a method and a path, and the values of the route's parameters; nil if none matches. Under a mount path such
    /// as `/parse`, the routes of the page do not match.
    package func match(_ method: RequestMethod, _ path: RoutePath) -> (route: Route, parameters: [String])? {
        for route in routes where route.method == method {
            if let parameters = route.path.parameters(in: path.segments), !(route.policy.isPage && path.isPrefixed) {
                return (route, parameters)
            }
        }
        return nil
    }

    /// The methods that have a route at the path, in table order. Routes of the page count only if no other route matches.
    func methods(of path: RoutePath) -> [RequestMethod] {
        let fitting = routes.filter {
            $0.path.parameters(in: path.segments) != nil && !($0.policy.isPage && path.isPrefixed)
        }
        let known = fitting.contains { !$0.policy.isPage } ? fitting.filter { !$0.policy.isPage } : fitting
        return known.reduce(into: []) { if !$0.contains($1.method) { $0.append($1.method) } }
    }

    /// Whether a route matches the path, with any method. Routes of the page are ignored, because one of them matches every path.
    func contains(_ path: RoutePath) -> Bool {
        routes.contains { !$0.policy.isPage && $0.path.parameters(in: path.segments) != nil }
    }
}
