import ParseModel
import Synchronization

/// Time and randomness that a test decides about. Waits never end by themselves.
final class TestClock: Sendable {
    private let state = Mutex((ms: Int64(1_700_000_000_000), seed: UInt64(1)))

    func advance(_ span: Duration) { state.withLock { $0.ms = (ParseDate(milliseconds: $0.ms) + span).milliseconds } }

    var environment: Environment {
        Environment(
            now: { ParseDate(milliseconds: self.state.withLock { $0.ms }) },
            uptime: { .milliseconds(self.state.withLock { $0.ms }) },
            random: {
                self.state.withLock { state in
                    // SplitMix64.
                    state.seed &+= 0x9E37_79B9_7F4A_7C15
                    var z = state.seed
                    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
                    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
                    return z ^ (z >> 31)
                }
            },
            sleep: { _ in
                let (never, _) = AsyncStream<Void>.makeStream()
                for await _ in never {}
                throw CancellationError()
            })
    }
}
