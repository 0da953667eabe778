import ParseModel
import SyncModel

/// A range of creation times, with the number of objects that the remote is expected to list in it.
package struct CountedRange: Sendable, Hashable {
    package let range: CreatedRange
    package let count: Int

    package init(_ range: CreatedRange, count: Int) {
        self.range = range
        self.count = count
    }

    /// Splits a range into parts with about equal numbers of objects.
    /// - Parameters:
    ///   - parts: the desired number of parts, at least 1.
    ///   - all: the creation times of all objects in the range, in milliseconds, ascending.
    ///   - hidden: the creation times in `all` of the objects that the remote is not expected to list. These objects are not
    ///     counted.
    package static func parts(of range: CreatedRange, _ parts: Int, all: [Int64], hidden: [Int64]) -> [CountedRange] {
        var cuts: [Int64] = []
        for part in 1..<max(1, parts) where !all.isEmpty {
            let time = all[all.count * part / parts]
            // Objects with equal creation times stay in one part.
            if time > cuts.last ?? all[0] { cuts.append(time) }
        }
        let bounds = [range.from] + cuts.map(ParseDate.init(milliseconds:)) + [range.to]
        return zip(bounds, bounds.dropFirst()).map { from, to in
            let isInside = { (time: Int64) in
                time >= from?.milliseconds ?? .min && (to.map { time < $0.milliseconds } ?? true)
            }
            return CountedRange(
                CreatedRange(from: from, to: to), count: all.count(where: isInside) - hidden.count(where: isInside))
        }
    }
}
