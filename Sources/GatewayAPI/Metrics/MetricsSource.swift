/// A part of the program that has figures for `GET /metrics`.
package protocol MetricsSource: Sendable {
    /// Its figures as they are now, in an order that does not change. No two sources share a name.
    /// - Throws: `StoreError` where they are read from a store.
    func families() async throws -> [MetricFamily]
}
