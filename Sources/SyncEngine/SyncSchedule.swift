import RemoteService

/// Decides when the next sync begins by itself.
struct SyncSchedule: Sendable {
    private let interval: Duration
    /// The time after which a second read can confirm that objects are absent.
    private let confirmation: Duration
    private var backoff: Backoff
    /// Whether the next sync waits because the last one failed, and the remote sent no `Retry-After`.
    private var waitsForRemote = false
    /// Whether another request was answered during the running sync.
    private var hasHeardAnswer = false

    init(_ options: SyncOptions) {
        interval = options.interval
        confirmation = options.absenceTime + .seconds(2)
        backoff = Backoff(max: options.retryDelayMax, retryAfterMax: options.retryAfterMax)
    }

    /// Another request was answered during the running sync.
    mutating func noteAnswer() { hasHeardAnswer = true }

    mutating func noteBeginning() { (waitsForRemote, hasHeardAnswer) = (false, false) }

    /// The delay from the end of a sync to the next one.
    /// - Parameter now: the uptime of the end.
    mutating func delay(after outcome: SyncOutcome, random: UInt64, at now: Duration) -> Duration {
        switch outcome {
        case .finished(let summary) where summary.deferred == 0:
            backoff.reset()
            return summary.absencesLeft ? min(interval, confirmation) : interval
        case .finished, .failed(.unusable), .failed(.foreign), .failed(.offline(_, retryAfter: nil)):
            let delay = backoff.next(random: random)
            // The remote may go away after the answer, and its return ends the wait too.
            waitsForRemote = true
            guard hasHeardAnswer else { return delay }
            backoff.beginPause(at: now)
            return min(delay, backoff.nextAfterAnswer(at: now))
        case .failed(.offline(_, let retryAfter)):
            return backoff.next(atLeast: retryAfter, random: random)
        case .failed, .paused:
            return interval
        }
    }

    /// The delay to the next sync after another request of the gateway was answered, for example a log-in or the sync of another user.
    /// - Parameter now: the uptime of the answer.
    /// - Returns: nil if no sync waits for the remote to come back. For a running sync, `delay(after:random:at:)` decides.
    mutating func delayAfterAnswer(at now: Duration) -> Duration? {
        hasHeardAnswer = true
        guard waitsForRemote else { return nil }
        waitsForRemote = false
        return backoff.nextAfterAnswer(at: now)
    }
}
