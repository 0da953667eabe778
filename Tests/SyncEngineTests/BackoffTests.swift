import Testing

@testable import SyncEngine

@Suite("Retry delays")
struct BackoffTests {
    /// The largest random draw, in thousandths.
    private static let longest: UInt64 = 999
    private static let shortest: UInt64 = 0

    @Test func theBoundOfTheDelayDoublesUpToTheMaximum() {
        var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
        let waits = (0..<7).map { _ in backoff.next(random: Self.longest) }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30].map { Duration.seconds($0) })
    }

    @Test func theDelayIsRandomBetweenZeroAndTheBound() {
        for random in [Self.shortest, 1, 500, 998, Self.longest, 1000, .max] {
            var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
            for bound in [1, 2, 4, 8, 16, 30] {
                let wait = backoff.next(random: random)
                #expect(wait > .zero && wait <= .seconds(bound))
            }
        }
        var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
        #expect(backoff.next(random: Self.shortest) == .milliseconds(1))
        #expect(backoff.next(random: 499) == .seconds(1))
    }

    @Test func aRetryAfterIsTheMinimumOfTheDelay() {
        var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
        #expect(backoff.next(atLeast: .seconds(120), random: Self.longest) == .seconds(120))
        // A failure with `Retry-After` counts like any other failure. The delay itself applies only once.
        #expect(backoff.next(random: Self.longest) == .seconds(2))
        #expect(backoff.next(atLeast: .seconds(1), random: Self.longest) == .seconds(4))
        #expect(backoff.next(atLeast: .zero, random: Self.shortest) == .milliseconds(8))
    }

    /// A proxy can ask for a year.
    @Test func aRetryAfterIsBounded() {
        var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
        #expect(backoff.next(atLeast: .seconds(31_536_000), random: Self.longest) == .seconds(300))
    }

    /// Two engines whose syncs fail halfway must not start each other without a pause.
    @Test func answersToOtherRequestsStartFewerAndFewerAttempts() {
        var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
        #expect((0..<7).map { _ in backoff.nextAfterAnswer() } == [0, 1, 2, 4, 8, 16, 30].map { Duration.seconds($0) })
        backoff.reset()
        #expect(backoff.nextAfterAnswer() == .zero)
    }

    @Test func aSuccessResetsTheDelay() {
        var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
        for _ in 0..<5 { _ = backoff.next(random: Self.longest) }
        backoff.reset()
        #expect(backoff.next(random: Self.longest) == .seconds(1))
    }

    @Test func theDelayStaysAtTheMaximumDuringEndlessFailures() {
        var backoff = Backoff(base: .milliseconds(1), max: .seconds(30 * 24 * 3600), retryAfterMax: .seconds(300))
        for _ in 0..<200 { _ = backoff.next(random: Self.longest) }
        #expect(backoff.next(random: Self.longest) == .milliseconds(65_536))
    }
}
