import HTTPServer
import ParseModel
import StoreService

/// A request with its route, as the route's handler receives it.
package struct RoutedRequest: Sendable {
    private(set) var route: Route
    /// The values of the parameters in the route's path, in order.
    let parameters: [String]
    let parse: ParseRequest
    let path: RoutePath
    let http: HTTPServerRequest
    private(set) var principal: Principal
    /// The classes, besides the class of the request, for whose first sync the request has waited.
    private(set) var awaited: Set<String> = []

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

    /// The request of one item of a batch, with the credentials of the batch.
    /// - Parameters:
    ///   - parameters: the parameters of the item's query.
    ///   - ifMatch: the item's value for the header `If-Match`.
    init(
        item match: (route: Route, parameters: [String]), _ method: RequestMethod, _ path: RoutePath,
        query: String?, parameters: JSONObject, body: JSONValue?, ifMatch: String?, of batch: RoutedRequest
    ) {
        var http = batch.http
        http.headers[.ifMatch] = ifMatch
        http.query = query
        http.body = body.map(\.jsonBytes) ?? []
        let ignoresSession = match.route.policy.ignoresSession && batch.principal.user != nil
        self.init(
            match, ParseRequest(method: method, parameters: parameters, body: body, of: batch.parse), path, http,
            principal: ignoresSession ? .public : batch.principal)
    }

    /// This request on behalf of another principal.
    func acting(as principal: Principal) -> RoutedRequest {
        var request = self
        request.principal = principal
        return request
    }

    /// This request for the API of a user's space, with that API's route.
    func on(_ route: Route, as principal: Principal) -> RoutedRequest {
        var request = acting(as: principal)
        request.route = route
        return request
    }

    /// This request after a wait for the first sync of classes.
    func awaiting(_ awaited: Set<String>) -> RoutedRequest {
        var request = self
        request.awaited = awaited
        return request
    }

    /// This request with another file name in its path.
    func naming(file name: String) -> RoutedRequest {
        var path = path
        path.segments = ["files", name]
        return RoutedRequest((route, [name]), parse, path, http, principal: principal)
    }
}

extension RoutedRequest {
    /// The class or object that the request concerns; nil if its route does not concern objects.
    var objects: ObjectTarget? { route.policy.objects.map { ObjectTarget($0, parameters) } }

    /// The class or object that the request concerns.
    /// - Throws: `ParseError` 119 (operation forbidden) for a class that Tidegate does not support yet, and for an internal class
    ///   that the client may not use.
    var target: ObjectTarget {
        get throws(ParseError) {
            guard let target = objects else { preconditionFailure("\(route.name) is not about objects") }
            try RoutedRequest.checkUse(of: target.className, to: target.kind.operation, by: principal)
            return target
        }
    }

    /// Checks that a principal may use a class in an operation. Each class of a request is checked: the class in the
    /// path, and those of redirections.
    /// - Throws: `ParseError` 119 (operation forbidden) as for `target`.
    static func checkUse(
        of className: String, to operation: AccessRules.Operation, by principal: Principal
    ) throws(ParseError) {
        guard InternalClasses.contains(className) else { return try checkCarried(className) }
        if let refusal = InternalClasses.refusal(of: operation, className, to: principal) { throw refusal }
    }

    /// - Throws: `ParseError` 119 (operation forbidden) for a class that Tidegate does not support yet.
    static func checkCarried(_ className: String) throws(ParseError) {
        guard !ClassName.isReservedForServer(className) else {
            throw ParseError(.operationForbidden, "The class \(className) is not supported yet.")
        }
    }

    var hasSession: Bool { parse.credentials.sessionToken != nil }

    /// The base URL at which this client reaches the gateway: scheme, host and mount path.
    var base: String { Exchange.base(of: http, prefix: path.prefix) }

    /// Whether objects and write results include `_sync`.
    var wantsMark: Bool { parse.asksForSyncState || parse.parameters.flag("_sync") }

    /// The terms of an update or a deletion: the required state of the object, and whether the result includes `_sync`.
    /// - Throws: `ParseError` for an invalid `If-Match` or `_base`.
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

    /// Whether the request has a precondition: `If-Match` or `_base`.
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
