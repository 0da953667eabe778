import ParseModel

/// Exponential backoff with full jitter: each delay is drawn between zero and a bound that doubles.
struct Backoff: Sendable {
    private var failures = 0
    private let base: Duration
    private let max: Duration

    init(base: Duration = .seconds(1), max: Duration) {
        self.base = base
        self.max = max
    }

    mutating func reset() { failures = 0 }

    /// - Parameter atLeast: the server's `Retry-After`; nil if it sent none.
    mutating func next(atLeast: Duration? = nil, random: UInt64) -> Duration {
        let bound = min(max, base * (1 << min(failures, 16)))
        failures += 1
        // Thousandths of the bound keep the arithmetic exact.
        let drawn = bound * Int(random % 1000 + 1) / 1000
        guard let atLeast else { return drawn }
        return Swift.max(atLeast, drawn)
    }
}
