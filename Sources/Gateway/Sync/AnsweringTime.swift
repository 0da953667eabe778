/// The time during which the remote answered and syncs were not paused, from samples at regular intervals. A change is
/// stalled if it has waited for a certain part of this time. Has no side effects.
struct AnsweringTime: Sendable {
    private struct Span {
        var begin: Duration
        var end: Duration
        var length: Duration { end - begin }
    }

    /// The time to remember.
    private let bound: Duration
    /// The longest time between two samples. After a longer time, for example while the machine slept, the time between
    /// the samples does not count.
    private let gapMax: Duration
    /// The maximum number of spans. A remote that answers more irregularly counts as one that does not answer.
    private static let spansMax = 1000
    /// The spans of time during which the remote answered, oldest first.
    private var spans: [Span] = []
    /// The time of the latest sample, if the remote answered then.
    private var answeredAt: Duration?

    init(bound: Duration, gapMax: Duration) { (self.bound, self.gapMax) = (bound, gapMax) }

    /// Adds a sample.
    /// - Parameters:
    ///   - answers: whether the remote answers and syncs are not paused.
    ///   - now: the uptime of the sample.
    mutating func note(_ answers: Bool, at now: Duration) {
        defer { answeredAt = answers ? now : nil }
        guard answers, let before = answeredAt, now > before, now - before <= gapMax else { return }
        if let last = spans.last, last.end == before {
            spans[spans.count - 1].end = now
        } else {
            spans.append(Span(begin: before, end: now))
        }
        forgetOld()
    }

    /// The latest uptime since which the remote has answered for the whole `bound`; nil if there is none.
    var horizon: Duration? {
        var rest = bound
        for span in spans.reversed() {
            if span.length >= rest { return span.end - rest }
            rest -= span.length
        }
        return nil
    }

    private mutating func forgetOld() {
        if let horizon { spans.removeAll { $0.end <= horizon } }
        if spans.count > Self.spansMax { spans.removeFirst(spans.count - Self.spansMax) }
    }
}
