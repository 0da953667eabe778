import ParseModel

/// Exponential backoff with full jitter: each delay is a random part of a bound, which doubles with each failure up to a maximum.
struct Backoff: Sendable {
    private var failures = 0
    /// The number of attempts, since the last success, that were started because another request was answered.
    private var hints = 0
    private let base: Duration
    private let max: Duration
    private let retryAfterMax: Duration

    init(base: Duration = .seconds(1), max: Duration, retryAfterMax: Duration) {
        self.base = base
        self.max = max
        self.retryAfterMax = retryAfterMax
    }

    mutating func reset() { (failures, hints) = (0, 0) }

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

    /// The delay before an attempt that the answer to another request starts: zero for the first one, then doubled with each failure, so
    /// that two engines cannot restart each other without a pause.
    mutating func nextAfterAnswer() -> Duration {
        defer { hints += 1 }
        return hints == 0 ? .zero : min(max, base * (1 << min(hints - 1, 16)))
    }
}
