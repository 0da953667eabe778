import ParseModel
import Synchronization

/// Time and randomness that a test decides about.
final class TestClock: Sendable {
    private let state: Mutex<(ms: Int64, seed: UInt64)>

    init(ms: Int64 = 1_700_000_000_000, seed: UInt64 = 1) { state = Mutex((ms, seed)) }

    var now: ParseDate { ParseDate(milliseconds: state.withLock { $0.ms }) }

    func advance(_ span: Duration) { state.withLock { $0.ms = (ParseDate(milliseconds: $0.ms) + span).milliseconds } }

    var environment: Environment {
        Environment(
            now: { self.now }, uptime: { .milliseconds(self.now.milliseconds) }, random: { self.random() },
            sleep: { _ in throw CancellationError() })
    }

    /// SplitMix64.
    func random() -> UInt64 {
        state.withLock { state in
            state.seed &+= 0x9E37_79B9_7F4A_7C15
            var z = state.seed
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    func random(below count: Int) -> Int { Int(random() % UInt64(count)) }
}
