import HTTPServer
import ParseModel
import StoreService

/// A request that has found its route, as the route's handler gets it.
struct RoutedRequest: Sendable {
    let route: Route
    /// The texts at the places of the pattern's parameters, in order.
    let parameters: [String]
    let parse: ParseRequest
    let path: RoutePath
    let http: HTTPServerRequest
    let principal: Principal

    init(
        _ match: (route: Route, parameters: [String]), _ parse: ParseRequest, _ path: RoutePath,
        _ http: HTTPServerRequest, principal: Principal
    ) {
        route = match.route
        parameters = match.parameters
        self.parse = parse
        self.path = path
        self.http = http
        self.principal = principal
    }

    /// A request that came as an item of a batch, with the credentials of the batch.
    /// - Parameters:
    ///   - parameters: those of the item's query.
    ///   - ifMatch: the header that the request alone would have.
    init(
        item match: (route: Route, parameters: [String]), _ method: RequestMethod, _ path: RoutePath,
        query: String?, parameters: JSONObject, body: JSONValue?, ifMatch: String?, of batch: RoutedRequest
    ) {
        var http = batch.http
        http.headers[.ifMatch] = ifMatch
        http.query = query
        http.body = body.map(\.jsonBytes) ?? []
        self.init(
            match, ParseRequest(method: method, parameters: parameters, body: body, of: batch.parse), path, http,
            principal: batch.principal)
    }

    /// The same request about a file by another name.
    func naming(file name: String) -> RoutedRequest {
        var path = path
        path.segments = ["files", name]
        return RoutedRequest((route, [name]), parse, path, http, principal: principal)
    }
}

extension RoutedRequest {
    /// The class or object that the request is about; nil where its route is not about objects.
    var objects: ObjectTarget? { route.policy.objects.map { ObjectTarget($0, parameters) } }

    /// The class or object that the request is about.
    /// - Throws: `ParseError` 119 for a class that Tidegate does not carry yet.
    var target: ObjectTarget {
        get throws(ParseError) {
            guard let target = objects else { preconditionFailure("\(route.name) is not about objects") }
            try RoutedRequest.checkCarried(target.className)
            return target
        }
    }

    /// - Throws: `ParseError` 119 for a class that Tidegate does not carry yet.
    static func checkCarried(_ className: String) throws(ParseError) {
        guard !ClassName.isServersOwn(className) else {
            throw ParseError(.operationForbidden, "The class \(className) is not supported yet.")
        }
    }

    var hasSession: Bool { parse.credentials.sessionToken != nil }

    /// The beginning of an address at which this client reaches the gateway: scheme, host and prefix.
    var base: String { Exchange.base(of: http, prefix: path.prefix) }

    /// Whether objects and the results of writes are shown with `_sync`.
    var wantsMark: Bool { parse.asksForSyncState || parse.parameters.flag("_sync") }

    /// The state that an update or a deletion names as the one it was made on.
    /// - Throws: `ParseError` for an `If-Match` or a `_base` that cannot be read.
    var terms: WriteTerms {
        get throws(ParseError) {
            var terms = WriteTerms(wantsMark: wantsMark)
            if let match = http.headers[.ifMatch] { terms.match = try Preconditions.match(match) }
            if case .object(let body) = parse.body, let base = body["_base"] {
                terms.base = try Preconditions.base(base)
            }
            return terms
        }
    }

    /// Whether it names the state that a write was made on.
    var namesState: Bool {
        if http.headers.contains(.ifMatch) { return true }
        guard case .object(let body) = parse.body else { return false }
        return body["_base"] != nil
    }

    /// - Throws: `APIError.masterKeyRequired`.
    func requireMaster() throws(APIError) {
        guard principal.isMaster else { throw .masterKeyRequired }
    }
}
