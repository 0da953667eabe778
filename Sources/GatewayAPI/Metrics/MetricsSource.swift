/// A part of the program with figures for `GET /metrics`.
package protocol MetricsSource: Sendable {
    /// The present figures, in a fixed order. No two sources share a name.
    /// - Throws: `StoreError` where they are read from a store.
    func families() async throws -> [MetricFamily]
}
