import RemoteService
import Testing

@testable import SyncEngine

@Suite("Retry delays")
struct BackoffTests {
    /// The largest random draw, in thousandths.
    private static let longest: UInt64 = 999
    private static let shortest: UInt64 = 0

    @Test func theBoundOfTheRetryDelayDoublesUpToTheMaximum() {
        var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
        let waits = (0..<7).map { _ in backoff.next(random: Self.longest) }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30].map { Duration.seconds($0) })
    }

    @Test func theRetryDelayIsRandomBetweenZeroAndItsBound() {
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

    @Test func aRetryAfterHeaderIsTheMinimumOfTheDelay() {
        var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
        #expect(backoff.next(atLeast: .seconds(120), random: Self.longest) == .seconds(120))
        // A failure with `Retry-After` counts like any other failure. The delay itself applies only once.
        #expect(backoff.next(random: Self.longest) == .seconds(2))
        #expect(backoff.next(atLeast: .seconds(1), random: Self.longest) == .seconds(4))
        #expect(backoff.next(atLeast: .zero, random: Self.shortest) == .milliseconds(8))
    }

    /// A proxy can ask for a year.
    @Test func theDelayOfARetryAfterHeaderIsBounded() {
        var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
        #expect(backoff.next(atLeast: .seconds(31_536_000), random: Self.longest) == .seconds(300))
    }

    /// Two engines whose syncs fail halfway must not start each other without a pause.
    @Test func answersToOtherRequestsStartFailingSyncsLessAndLessOften() {
        var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
        var now = Duration.zero
        for pause in [0, 1, 2, 4, 8, 16, 30, 30].map({ Duration.seconds($0) }) {
            #expect(backoff.nextAfterAnswer(at: now) == pause)
            // A second answer during the pause starts no further attempt, and does not prolong the pause.
            if pause > .zero {
                let again = backoff.nextAfterAnswer(at: now + .milliseconds(1))
                #expect(again == pause - .milliseconds(1))
            }
            now += pause
        }
        // The time that has passed since the last attempt is part of the pause.
        #expect(backoff.nextAfterAnswer(at: now + .seconds(29)) == .seconds(1))
        backoff.reset()
        #expect(backoff.nextAfterAnswer(at: now + .seconds(29)) == .zero)
    }

    /// Failures before an outage do not delay the first sync after it.
    @Test func anAnswerAfterAnOutageStartsASyncAtOnce() {
        var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
        var now = Duration.zero
        for _ in 0..<9 { now += backoff.nextAfterAnswer(at: now) }
        now += .seconds(61)
        #expect(backoff.nextAfterAnswer(at: now) == .zero)
        #expect(backoff.nextAfterAnswer(at: now) == .seconds(1))
    }

    /// A sync fails although another request was answered. The remote goes away before the next sync, and comes back.
    @Test func anAnswerAfterALaterOutageStartsASyncAgain() {
        var schedule = SyncSchedule(SyncOptions())
        let failure = SyncOutcome.failed(.offline(reason: "", retryAfter: nil))
        schedule.noteBeginning()
        schedule.noteAnswer()
        #expect(schedule.delay(after: failure, random: Self.longest, at: .zero) == .zero)
        schedule.noteBeginning()
        schedule.noteAnswer()
        #expect(schedule.delay(after: failure, random: Self.longest, at: .zero) == .seconds(1))
        #expect(schedule.delayAfterAnswer(at: .milliseconds(400)) == .milliseconds(600))
        // This answer has already started the sync.
        #expect(schedule.delayAfterAnswer(at: .milliseconds(500)) == nil)
        // However long a sync takes, a pause follows its failure.
        schedule.noteBeginning()
        schedule.noteAnswer()
        #expect(schedule.delay(after: failure, random: Self.longest, at: .seconds(90)) == .seconds(2))
        schedule.noteBeginning()
        #expect(schedule.delay(after: failure, random: Self.longest, at: .seconds(93)) == .seconds(8))
        #expect(schedule.delayAfterAnswer(at: .seconds(97)) == .zero)
    }

    @Test func aSuccessfulSyncResetsTheRetryDelay() {
        var backoff = Backoff(max: .seconds(30), retryAfterMax: .seconds(300))
        for _ in 0..<5 { _ = backoff.next(random: Self.longest) }
        backoff.reset()
        #expect(backoff.next(random: Self.longest) == .seconds(1))
    }

    @Test func theRetryDelayStaysAtTheMaximumDuringEndlessFailures() {
        var backoff = Backoff(base: .milliseconds(1), max: .seconds(30 * 24 * 3600), retryAfterMax: .seconds(300))
        for _ in 0..<200 { _ = backoff.next(random: Self.longest) }
        #expect(backoff.next(random: Self.longest) == .milliseconds(65_536))
    }
}
