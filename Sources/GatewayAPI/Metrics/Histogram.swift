/// A histogram of durations.
package struct Histogram: Sendable, Hashable {
    /// The upper bounds of the buckets, ascending and inclusive.
    let bounds: [Duration]
    /// The number of durations in each bucket, not cumulative. The last bucket counts the durations above all bounds.
    private(set) var counts: [Int]
    private(set) var sum: Duration = .zero

    /// - Parameter bounds: the upper bounds of the buckets, ascending. A bucket for larger durations is added.
    package init(bounds: [Duration]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// Counts one duration.
    package mutating func note(_ duration: Duration) {
        var place = 0
        while place < bounds.count, bounds[place] < duration { place += 1 }
        counts[place] += 1
        sum += duration
    }
}
