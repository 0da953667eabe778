import ParseModel
import Synchronization

/// A clock and random source that the test controls. Waits do not end by themselves.
final class TestClock: Sendable {
    private let state: Mutex<(ms: Int64, random: SeededRandom)>
    /// The sum of the changes by which the wall clock was set.
    private let turned = Mutex(Duration.zero)
    private let begunWaits = Mutex<[Duration]>([])

    /// - Parameter seed: must differ between clocks of connected gateways, otherwise they generate equal ids.
    init(seed: UInt64 = 1) {
        state = Mutex((ms: 1_700_000_000_000, random: SeededRandom(seed: seed)))
    }

    func advance(_ span: Duration) { state.withLock { $0.ms = (ParseDate(milliseconds: $0.ms) + span).milliseconds } }

    /// Changes the wall clock, as a user does. The uptime does not change.
    func turn(by span: Duration) { turned.withLock { $0 += span } }

    /// The durations of the waits that have begun.
    var waits: [Duration] { begunWaits.withLock { $0 } }

    /// As `environment`, but each wait ends at once and advances the clock by its duration.
    var advancing: Environment {
        var environment = environment
        environment.sleep = { self.advance($0) }
        return environment
    }

    var environment: Environment {
        Environment(
            now: { ParseDate(milliseconds: self.state.withLock { $0.ms }) + self.turned.withLock { $0 } },
            uptime: { .milliseconds(self.state.withLock { $0.ms }) },
            random: { self.state.withLock { $0.random.next() } },
            sleep: { span in
                self.begunWaits.withLock { $0.append(span) }
                let (never, _) = AsyncStream<Void>.makeStream()
                for await _ in never {}
                throw CancellationError()
            })
    }
}
