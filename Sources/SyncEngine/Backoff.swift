import ParseModel

/// Exponential backoff with full jitter: each delay is a random part of a bound, which doubles with each failure up to a maximum.
struct Backoff: Sendable {
    private var failures = 0
    private let base: Duration
    private let max: Duration

    init(base: Duration = .seconds(1), max: Duration) {
        self.base = base
        self.max = max
    }

    mutating func reset() { failures = 0 }

    /// Counts a failure and returns the delay before the next attempt.
    /// - Parameter atLeast: the minimum delay, from the server's `Retry-After`; nil for none.
    mutating func next(atLeast: Duration? = nil, random: UInt64) -> Duration {
        let bound = min(max, base * (1 << min(failures, 16)))
        failures += 1
        // The delay is a random number of thousandths of the bound, from 1 to 1000.
        let drawn = bound * Int(random % 1000 + 1) / 1000
        guard let atLeast else { return drawn }
        return Swift.max(atLeast, drawn)
    }
}
