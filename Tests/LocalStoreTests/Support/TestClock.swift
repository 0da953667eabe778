import ParseModel
import Synchronization

/// A clock and a source of randomness that a test controls.
final class TestClock: Sendable {
    private let state: Mutex<(ms: Int64, random: SeededRandom)>

    init(ms: Int64 = 1_700_000_000_000, seed: UInt64 = 1) {
        state = Mutex((ms, SeededRandom(seed: seed)))
    }

    var now: ParseDate { ParseDate(milliseconds: state.withLock { $0.ms }) }

    func advance(_ span: Duration) { state.withLock { $0.ms = (ParseDate(milliseconds: $0.ms) + span).milliseconds } }

    var environment: Environment {
        Environment(
            now: { self.now }, uptime: { .milliseconds(self.now.milliseconds) }, random: { self.random() },
            sleep: { _ in throw CancellationError() })
    }

    func random() -> UInt64 { state.withLock { $0.random.next() } }

    func random(below count: Int) -> Int { Int(random() % UInt64(count)) }
}
