import ParseModel
import StoreService

/// The routes that clients without the master key or the maintenance key may use (Parse Server's `routeAllowList`). Files, the page and
/// other routes that need no key are always allowed.
struct RouteAllowList: Sendable {
    /// Regular expressions, each for a whole path without the mount path and the slash at its beginning.
    private let patterns: [String]

    init(_ patterns: [String]) { self.patterns = patterns.map { "^(?:\($0))$" } }

    /// - Throws: `ParseError` 119 (operation forbidden) for a route that the principal may not use.
    func check(_ route: Route, _ path: RoutePath, _ principal: Principal) throws(ParseError) {
        guard route.policy.access != .open, route.policy.body != .file, path.segments.first != "files" else { return }
        try check(route.method, path.segments.joined(separator: "/"), principal)
    }

    /// - Parameter path: the path of a route without the mount path and the slash at its beginning.
    /// - Throws: `ParseError` 119 (operation forbidden) for a route that the principal may not use.
    func check(_ method: RequestMethod, _ path: String, _ principal: Principal) throws(ParseError) {
        guard !principal.writesEverything else { return }
        for pattern in patterns where try RegularExpression.compiled(pattern, options: "").matches(path) { return }
        throw .denial(.operationForbidden, "Route not allowed by routeAllowList: \(method.rawValue) /\(path)")
    }
}
