import ParseModel
import Synchronization

/// Time and randomness that a test decides about. Waits never end by themselves.
final class TestClock: Sendable {
    private let state: Mutex<(ms: Int64, random: SeededRandom)>
    /// By how much the hands were turned.
    private let turned = Mutex(Duration.zero)
    private let begunWaits = Mutex<[Duration]>([])

    /// - Parameter seed: another one for each clock whose users know each other, or they give out the same ids.
    init(seed: UInt64 = 1) {
        state = Mutex((ms: 1_700_000_000_000, random: SeededRandom(seed: seed)))
    }

    func advance(_ span: Duration) { state.withLock { $0.ms = (ParseDate(milliseconds: $0.ms) + span).milliseconds } }

    /// Turns the hands, by which no time passes.
    func turn(by span: Duration) { turned.withLock { $0 += span } }

    /// How long each wait was to be that has begun.
    var waits: [Duration] { begunWaits.withLock { $0 } }

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
