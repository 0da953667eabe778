/// How many durations lay between which bounds, and their sum.
package struct Histogram: Sendable, Hashable {
    /// The upper bounds of the buckets, rising; a duration that equals one belongs to its bucket.
    let bounds: [Duration]
    /// Of each bucket alone; the last one holds values over each bound.
    private(set) var counts: [Int]
    private(set) var sum: Duration = .zero

    /// - Parameter bounds: rising; a bucket for values over the last bound is added.
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
