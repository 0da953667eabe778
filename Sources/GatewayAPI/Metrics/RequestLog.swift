import HTTPServer
import Logging

/// Counts each response for the metrics, and logs it at debug level. It never logs queries, headers or bodies.
struct RequestLog: Sendable {
    let metrics: RequestMetrics
    let logger: Logger
    let uptime: @Sendable () -> Duration

    func note(_ response: HTTPServerResponse, _ exchange: Exchange) {
        let duration = uptime() - exchange.arrivedAt
        let request = exchange.request
        metrics.note(exchange.route, request.method, status: response.status.code, duration: duration)
        guard logger.logLevel <= .debug else { return }
        logger.debug(
            "answered",
            metadata: [
                "method": "\(request.method)", "path": "\(exchange.loggedPath)", "status": "\(response.status.code)",
                "duration": "\(duration)",
            ])
    }
}
