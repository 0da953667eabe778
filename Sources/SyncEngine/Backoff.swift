import ParseModel

/// Exponential backoff with full jitter: each delay is a random part of a bound, which doubles with each failure up to a maximum.
struct Backoff: Sendable {
    private var failures = 0
    /// The number of attempts that were started because the remote had answered another request. Counted since the last
    /// success.
    private var hints = 0
    /// The uptime at which the latest such attempt starts, or at which the pause after it begins; nil for none.
    private var hintedAt: Duration?
    private let base: Duration
    private let max: Duration
    private let retryAfterMax: Duration

    init(base: Duration = .seconds(1), max: Duration, retryAfterMax: Duration) {
        self.base = base
        self.max = max
        self.retryAfterMax = retryAfterMax
    }

    mutating func reset() { (failures, hints, hintedAt) = (0, 0, nil) }

    /// Counts a failure and returns the delay before the next attempt.
    /// - Parameter atLeast: the minimum delay, from the server's `Retry-After`; nil for none. Counts up to `retryAfterMax`.
    mutating func next(atLeast: Duration? = nil, random: UInt64) -> Duration {
        let bound = min(max, base * (1 << min(failures, 16)))
        failures += 1
        // The delay is a random number of thousandths of the bound, from 1 to 1000.
        let drawn = bound * Int(random % 1000 + 1) / 1000
        guard let atLeast else { return drawn }
        return Swift.max(min(atLeast, retryAfterMax), drawn)
    }

    /// Begins the pause before the next attempt that an answer to another request may start. Called after an attempt
    /// has failed although other requests are answered.
    mutating func beginPause(at now: Duration) { hintedAt = hintedAt.map { Swift.max($0, now) } }

    /// The delay before an attempt that starts because the remote has answered another request. The first such attempt
    /// starts at once. The pause before each further one doubles, so that two engines cannot restart each other without
    /// a pause. After a long time without such an attempt, the next one counts as the first again.
    /// - Parameter now: the uptime of the answer.
    mutating func nextAfterAnswer(at now: Duration) -> Duration {
        if let hintedAt {
            // An earlier answer has already started this attempt.
            if now < hintedAt { return hintedAt - now }
            if now - hintedAt > max * 2 { hints = 0 }
        }
        let pause = hints == 0 ? .zero : min(max, base * (1 << min(hints - 1, 16)))
        let start = Swift.max(now, (hintedAt ?? now) + pause)
        (hints, hintedAt) = (hints + 1, start)
        return start - now
    }
}
