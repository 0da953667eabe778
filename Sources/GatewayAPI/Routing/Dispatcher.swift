import HTTPServer
import ParseModel

/// Runs a route's handler, or forwards the request to the remote.
struct Dispatcher: Sendable {
    let rules: ForwardingRules
    let forwarded: ForwardedCalls
    /// The check of request ids; nil if request ids are ignored.
    let requestIds: RequestIds?
    let errors: ErrorResponder

    /// - Throws: an error that refuses the request before anything is executed. Later errors become responses.
    func reply(to request: RoutedRequest) throws -> HTTPReply {
        try ReadOnlyRules.check(request)
        if try rules.isForwarded(request) {
            try rules.checkForwarded(request)
            return later(request) { [forwarded] in try await forwarded.answer(request) }
        }
        let policy = request.route.policy
        if policy.isOfSpace { try rules.checkNamedUser(request) }
        if request.hasSession, !rules.hasSessions, policy.isParse, !policy.ignoresSession, !policy.checksSessionOfItems
        {
            throw rules.sessionRefusal
        }
        if let requestIds, let id = RequestIds.id(of: request) {
            return later(request) {
                try await requestIds.take(id)
                switch try answer(request) {
                case .now(let response): return response
                case .later(let work): return try await work()
                }
            }
        }
        switch try answer(request) {
        case .now(let response): return .now(response)
        case .later(let work): return later(request, work)
        }
    }

    private func answer(_ request: RoutedRequest) throws -> RouteReply {
        switch request.route.policy.access {
        case .masterOnly: try request.requireMaster()
        case .masterOnlyWithUsers: if try rules.hasUsers() { try request.requireMaster() }
        case .masterOnlyWithSpaces: if rules.hasSpaces { try request.requireMaster() }
        case .open, .keyed: break
        }
        return try request.route.handler(request)
    }

    private func later(
        _ request: RoutedRequest, _ work: @escaping @Sendable () async throws -> HTTPServerResponse
    ) -> HTTPReply {
        .later { [errors] in
            do {
                return try await work()
            } catch {
                return errors.response(to: error, request.http)
            }
        }
    }
}
