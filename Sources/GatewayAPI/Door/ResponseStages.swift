import HTTPServer
import Logging

/// The stages that each response of `GatewayAPI.handle` passes through, in order.
struct ResponseStages: Sendable {
    let addresses: FileAddresses
    let errors: ErrorResponder
    let log: RequestLog
    /// Records sign-ins and changes with the master key; nil without an audit log.
    let audit: AuditStage?

    func finish(_ reply: HTTPReply, of exchange: Exchange) -> HTTPReply {
        switch reply {
        case .now(let response):
            // Large bodies are compressed in a task, not on the server's thread.
            guard !ContentNegotiation.takesLong(response, exchange) else {
                return .later { finish(response, of: exchange) }
            }
            return .now(finish(response, of: exchange))
        case .later(let response): return .later { finish(await response(), of: exchange) }
        }
    }

    func finish(_ response: HTTPServerResponse, of exchange: Exchange) -> HTTPServerResponse {
        var response = response
        putFileAddresses(into: &response, exchange)
        audit?.note(response, exchange)
        ContentNegotiation.tag(&response, exchange)
        ContentNegotiation.compress(&response, exchange)
        CrossOriginResponses.open(&response, exchange)
        log.note(response, exchange)
        return response
    }

    private func putFileAddresses(into response: inout HTTPServerResponse, _ exchange: Exchange) {
        do {
            try addresses.put(into: &response, base: exchange.base, for: exchange.principal)
        } catch {
            response = errors.response(to: error, exchange.request)
        }
    }
}

/// Counts each response for the metrics, keeps it among the latest, and logs it at debug level. It never logs queries, headers or bodies.
struct RequestLog: Sendable {
    let metrics: RequestMetrics
    let logger: Logger
    let uptime: @Sendable () -> Duration

    func note(_ response: HTTPServerResponse, _ exchange: Exchange) {
        let duration = uptime() - exchange.arrivedAt
        let request = exchange.request
        metrics.note(exchange.route, request.method, status: response.status.code, duration: duration)
        metrics.latest.note(
            RecentRequests.Entry(
                method: request.method.rawValue, path: exchange.loggedPath, status: response.status.code,
                arrivedAt: exchange.arrivedAt, duration: duration, principal: exchange.principal.kind))
        guard logger.logLevel <= .debug else { return }
        logger.debug(
            "answered",
            metadata: [
                "method": "\(request.method)", "path": "\(exchange.loggedPath)", "status": "\(response.status.code)",
                "duration": "\(duration)",
            ])
    }
}
