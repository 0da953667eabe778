import RemoteService

/// Computes the delay to the next automatic sync.
struct SyncSchedule: Sendable {
    private let interval: Duration
    /// The delay to the next sync if a second read must confirm that objects are missing.
    private let confirmation: Duration
    private var backoff: Backoff
    /// Whether the next sync waits because the remote gave no usable answer to the last one, or because changes remain
    /// to be sent. False if the remote sent a `Retry-After`.
    private var waitsForRemote = false
    /// Whether the remote has answered another request of the gateway during the running sync.
    private var hasHeardAnswer = false

    init(_ options: SyncOptions) {
        interval = options.interval
        confirmation = options.absenceTime + .seconds(2)
        backoff = Backoff(max: options.retryDelayMax, retryAfterMax: options.retryAfterMax)
    }

    /// Records that the remote has answered another request of the gateway during the running sync.
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
            // An answer to another request shows that the remote is reachable. If it fails again now, the next such
            // answer also ends this delay.
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

    /// The delay to the next sync after the remote has answered another request of the gateway, for example a log-in or
    /// the sync of another user.
    /// - Parameter now: the uptime of the answer.
    /// - Returns: nil if no sync waits for the remote to come back. For a running sync, `delay(after:random:at:)`
    ///   decides.
    mutating func delayAfterAnswer(at now: Duration) -> Duration? {
        hasHeardAnswer = true
        guard waitsForRemote else { return nil }
        waitsForRemote = false
        return backoff.nextAfterAnswer(at: now)
    }
}
