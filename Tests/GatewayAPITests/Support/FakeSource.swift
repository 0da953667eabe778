import GatewayAPI
import StoreService
import Synchronization

/// A metrics source with one value, or an error.
final class FakeSource: MetricsSource {
    let outcome = Mutex(Result<Double, StoreError>.success(1))

    func families() async throws -> [MetricFamily] {
        [.gauge("a", "A figure.", [(["of": "x"], try outcome.withLock { $0 }.get())])]
    }
}
