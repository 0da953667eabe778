import HTTPServer
import ParseModel
import StoreService

/// Runs a route's handler, or forwards the request to the remote.
struct Dispatcher: Sendable {
    /// Which requests the remote answers; nil in a standalone gateway.
    let forwarding: (rules: ForwardingRules, calls: ForwardedCalls)?
    /// The error for a Parse request whose session token this API does not accept; nil if it accepts session tokens.
    let sessionRefusal: ParseError?
    let guards: OperatorGuards
    /// The routes that clients may use; nil for all routes.
    let allowList: RouteAllowList?
    /// The check of request ids; nil if request ids are ignored.
    let requestIds: RequestIdCheck?
    let readiness: any Readiness
    let errors: ErrorResponder

    /// - Throws: an error that refuses the request before anything is executed. Later errors become responses.
    func reply(to request: RoutedRequest) throws -> HTTPReply {
        try allowList?.check(request.route, request.path, request.principal)
        try ReadOnlyRules.check(request)
        if let forwarding, try forwarding.rules.isForwarded(request) {
            try forwarding.rules.checkForwarded(request)
            return later(request) { try await forwarding.calls.answer(request) }
        }
        if let sessionRefusal, request.hasSession, request.route.policy.isParse, request.route.policy.sessions == .used
        {
            throw sessionRefusal
        }
        if let requestIds, let id = RequestIdCheck.id(of: request) {
            return later(request) {
                // The id is stored after this wait, so a request that the wait refuses can be sent again with the same
                // id.
                try await readiness.wait(for: request)
                return try await requestIds.once(id) {
                    try await readiness.repeating { _ in try await answer(request).response() }
                }
            }
        }
        switch try readiness.reply(to: request, { try answer($0) }) {
        case .now(let response): return .now(response)
        case .later(let work): return later(request, work)
        }
    }

    /// Whether the remote answers a request.
    func isForwarded(_ request: RoutedRequest) throws -> Bool { try forwarding?.rules.isForwarded(request) ?? false }

    private func answer(_ request: RoutedRequest) throws -> RouteReply {
        if try guards.requireMaster(request.route.policy.access) { try request.requireMaster() }
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
