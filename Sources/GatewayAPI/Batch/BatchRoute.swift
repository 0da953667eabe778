import HTTPServer
import ParseModel
import StoreService

/// `/batch`: several requests in one, answered in order.
struct BatchRoute: Sendable {
    /// All routes except `/batch`. Of these, an item may name only the routes with `isParse` in their policy.
    let table: RouteTable
    let dispatcher: Dispatcher
    let writes: ObjectWrites
    let limits: RequestLimits
    let complexity: RequestComplexity
    let run: BatchRun
    let responses: ResponseBuilder

    private static let path = ["batch"]

    var routes: [Route] {
        // The session and the read-only master key are checked for each item, not for the batch.
        let policy = RoutePolicy.parse.with {
            ($0.body, $0.sessions, $0.readOnlyKey) = (.batch, .ofItems, .everything)
        }
        return [Route(.post, "/batch", "batch", policy, answer)]
    }

    private func answer(_ request: RoutedRequest) throws -> RouteReply {
        let plan = try plan(request)
        return .later { [run, responses] in
            let (text, state) = try await run.run(plan)
            var response = responses.json(text)
            if let state, let preference = request.parse.preference { response.note(state, as: preference) }
            return response
        }
    }

    /// - Throws: the error that fails the whole batch, before any item is executed.
    private func plan(_ request: RoutedRequest) throws -> BatchPlan {
        let body = try request.parse.body.fields
        // In a replica, a batch with a session token fails, unless the remote answers all its items.
        let refusal = request.hasSession ? dispatcher.sessionRefusal : nil
        guard let requests = body["requests"]?.array else {
            if let refusal { throw refusal }
            throw ParseError(.invalidJSON, "requests must be an array")
        }
        let countMax = min(limits.batchMax, complexity.batchRequestsMax(of: request.principal) ?? .max)
        // A replica whose remote is this gateway parses the limit from this text.
        guard requests.count <= countMax else {
            throw ParseError(
                .invalidJSON,
                "Batch request contains \(requests.count) sub-requests, which exceeds the limit of \(countMax).")
        }
        let all = try requests.map { try item($0, of: request) }
        let items = all.map(\.item)
        if let refusal, items.isEmpty || !items.allSatisfy(\.isForwarded) { throw refusal }
        let isAtomic = body["transaction"] == true
        if isAtomic {
            try items.forEach(Self.checkAtomic)
            // The remote takes each change alone, so it could take some of the items and refuse the others.
            guard request.parse.preference?.kind != .only || writes.deliveries == nil else {
                throw ParseError(
                    .invalidJSON, "A transaction cannot go to the remote alone: leave out tidegate-remote=only.")
            }
        }
        return BatchPlan(items: items, calls: all.map(\.call), isAtomic: isAtomic, request: request)
    }

    private static func checkAtomic(_ item: BatchPlan.Item) throws {
        switch item {
        case .refused(let error): throw error
        case .read: throw ParseError(.invalidJSON, "A transaction cannot contain a GET.")
        case .request(let request, _):
            let path = request.path.segments.joined(separator: "/")
            throw ParseError(
                .invalidJSON, "A transaction cannot contain /\(path): it is not a write of a local object.")
        case .write: break
        }
    }

    // MARK: Reading items

    /// - Throws: for an item that is malformed, is a batch, or names no allowed route with `isParse`. Such an item fails the whole batch.
    private func item(
        _ json: JSONValue, of batch: RoutedRequest
    ) throws -> (item: BatchPlan.Item, call: (method: RequestMethod, path: RoutePath)) {
        guard let object = json.object, let path = object["path"]?.string else {
            throw ParseError(.invalidJSON, "Each of requests must be an object with method, path and body")
        }
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let routePath = try? RoutePath(Self.resolved(parts[0])),
            routePath.segments == Self.path || table.contains(routePath)
        else {
            throw ParseError(.invalidJSON, "cannot route batch path \(path)")
        }
        let name = object["method"]?.string ?? "undefined"
        let method = RequestMethod(rawValue: name)
        guard routePath.segments != Self.path || method != .post else {
            throw ParseError(.invalidJSON, "nested batch requests are not allowed")
        }
        guard let method, let match = table.match(method, routePath), match.route.policy.isParse else {
            throw ParseError(.invalidJSON, "cannot route \(name) \(path)")
        }
        try dispatcher.allowList?.check(match.route, routePath, batch.principal)
        let call = (method, routePath)
        do {
            let ifMatch = object["ifMatch"]
            guard ifMatch == nil || ifMatch?.string != nil else {
                throw ParseError(.invalidQuery, "ifMatch must be a string in the form of the header If-Match.")
            }
            let query = parts.count > 1 ? String(parts[1]) : nil
            let request = RoutedRequest(
                item: match, method, routePath, query: query,
                parameters: try ParseRequest.parameters(query, limits: limits), body: object["body"],
                ifMatch: ifMatch?.string, of: batch)
            return (try item(request), call)
        } catch {
            return (.refused(error), call)
        }
    }

    /// The path without the segments `.` and `..`, so that routes, rights and the list of allowed routes concern the same path.
    private static func resolved(_ path: Substring) -> String {
        guard path.contains("/.") else { return String(path) }
        var segments: [Substring] = []
        for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            switch segment {
            case ".": continue
            case "..": _ = segments.popLast()
            default: segments.append(segment)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + segments.joined(separator: "/")
    }

    private func item(_ request: RoutedRequest) throws -> BatchPlan.Item {
        try ReadOnlyRules.check(request)
        if try dispatcher.isForwarded(request) { return .request(request, isForwarded: true) }
        guard request.route.policy.access != .masterOnly else { return .request(request, isForwarded: false) }
        switch request.route.policy.objects?.kind {
        case .list:
            // In a replica, the list's own route answers a query about relation members: from the store if the members are
            // stored locally, otherwise from the remote.
            if dispatcher.forwarding != nil, try ForwardedQueries.relation(in: request) != nil {
                return .request(request, isForwarded: false)
            }
            return try read(request)
        case .get: return try read(request)
        case .create, .update, .delete:
            let write = try writes.write(request)
            return GlobalConfig.isDeleted(by: write) ? .request(request, isForwarded: false) : .write(write)
        case .aggregate, nil: return .request(request, isForwarded: false)
        }
    }

    private func read(_ request: RoutedRequest) throws -> BatchPlan.Item {
        _ = try request.parse.body.fields
        return .read(try request.target, parameters: request.parse.searchParameters)
    }
}
