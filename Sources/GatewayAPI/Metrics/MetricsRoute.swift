import HTTPServer
import ParseModel

/// `GET /metrics`: metrics for Prometheus.
struct MetricsRoute: Sendable {
    private let sources: [any MetricsSource]
    private let responses: ResponseBuilder
    private let ownFamilies: [MetricFamily]

    init(
        sources: [any MetricsSource], responses: ResponseBuilder, configuration: APIConfiguration, startedAt: ParseDate
    ) {
        self.sources = sources
        self.responses = responses
        ownFamilies = [
            .gauge(
                "tidegate_build_info", "Always 1; the labels contain version and mode.",
                [(["version": configuration.version, "mode": configuration.mode.rawValue], 1)]),
            .gauge(
                "tidegate_start_time_seconds", "Start time of the gateway, in seconds since 1970.",
                startedAt.seconds),
        ]
    }

    var routes: [Route] {
        [Route(.get, "/metrics", "getMetrics", .ownFigures) { _ in .later { try await answer() } }]
    }

    private func answer() async throws -> HTTPServerResponse {
        var families = ownFamilies
        for source in sources { families += try await source.families() }
        return responses.data(Array(MetricsText.text(families).utf8), contentType: MetricsText.contentType)
    }
}

extension ParseDate {
    /// Seconds since 1970, the Prometheus form of a time.
    package var seconds: Double { Double(milliseconds) / 1000 }
}
