import GatewayAPI
import StoreService
import Synchronization

/// A metrics source that reports one value or throws an error.
final class FakeSource: MetricsSource {
    let outcome = Mutex(Result<Double, StoreError>.success(1))

    func families() async throws -> [MetricFamily] {
        [.gauge("a", "A figure.", [(["of": "x"], try outcome.withLock { $0 }.get())])]
    }
}
