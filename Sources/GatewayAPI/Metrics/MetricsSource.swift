/// A component with metrics for `GET /metrics`.
package protocol MetricsSource: Sendable {
    /// The current metrics, in a fixed order. Names are unique among all sources.
    /// - Throws: `StoreError` if they are read from a store.
    func families() async throws -> [MetricFamily]
}
