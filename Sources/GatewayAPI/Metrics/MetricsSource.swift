/// A component with metrics for `GET /metrics`.
package protocol MetricsSource: Sendable {
    /// The current metrics, in a fixed order. No two sources have a metric of the same name.
    /// - Throws: `StoreError` if the metrics are read from a store.
    func families() async throws -> [MetricFamily]
}
