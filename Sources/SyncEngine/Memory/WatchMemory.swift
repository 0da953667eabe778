import StoreService

/// The results of earlier watches that the next sync needs. They are in memory only, so a restart loses them.
struct WatchMemory: Sendable {
    /// The canaries of a class, and the number of further syncs that use them.
    struct Canaries: Sendable {
        let ids: [String]
        /// The number of rows that the remote returns at least. A query requests no more.
        var rowsMax = Int.max
        /// The number of further syncs that read these rows.
        var syncsLeft = Self.syncsMax

        private static let syncsMax = 10
    }

    /// By class, the objects whose whole rows the next syncs read.
    var canaries: [String: Canaries] = [:]
    /// By class, the place at which the next choice of canaries starts.
    var canaryPlaces: [String: CanaryPlace] = [:]
    /// The differing fields of a class.
    struct Differences {
        /// The fields for which the latest sync has pulled the class again.
        private(set) var latest: Set<String> = []
        /// The fields that still differed after that pull. The class is not pulled again for them.
        private var remaining: Set<String> = []
        /// The number of further syncs for which `remaining` holds.
        private var syncsLeft = 0

        private static let syncsMax = 50

        /// Records the differing fields that the rows of a sync have shown.
        /// - Returns: the fields for which the class is to be pulled again.
        mutating func note(_ difference: Set<String>) -> Set<String> {
            syncsLeft -= 1
            if syncsLeft <= 0 { remaining = [] }
            let left = difference.intersection(latest)
            if !left.isEmpty {
                remaining.formUnion(left)
                syncsLeft = Self.syncsMax
            }
            latest = difference.subtracting(remaining)
            return latest
        }
    }

    /// The number of rows that the remote answers with at most, as far as its answers have shown.
    struct AnswerLimit {
        /// The number of rows in the largest answer.
        private var largest = 0
        /// The number of rows to request; nil for no limit.
        private(set) var rows: Int?
        /// The number of further syncs for which the limit holds. Afterwards more rows are requested again.
        private var syncsLeft = 0

        private static let syncsMax = 100

        /// - Parameter isShort: whether the answer lacked existing objects. Its number of rows is a limit only if no
        ///   earlier answer had more.
        mutating func note(_ count: Int, isShort: Bool) {
            largest = max(largest, count)
            syncsLeft -= 1
            if isShort, count > 0, count == largest {
                (rows, syncsLeft) = (count, Self.syncsMax)
            } else if syncsLeft <= 0 {
                (rows, largest) = (nil, count)
            }
        }
    }

    /// By class, the differing fields.
    var differences: [String: Differences] = [:]
    /// By class, the limit of the answers to the check of kept objects.
    var answerLimits: [String: AnswerLimit] = [:]
    /// By class, the number of rows in the largest answer with whole rows.
    var rowsMax: [String: Int] = [:]
    /// By class, the id of the last withheld object that a sync has read; absent if the next sync begins with the first one.
    var withheldTo: [String: String] = [:]
    /// By class, the objects that the latest sync has missed, if removals were postponed.
    var missing: [String: Set<String>] = [:]
    /// Whether the next watch begins with the second half of the classes, if one batch has no room for all of them.
    var isSecondHalf = false
}
