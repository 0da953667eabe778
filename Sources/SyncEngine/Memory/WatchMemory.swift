import StoreService

/// The results of earlier watches (checks whether the remote still shows known objects and fields) that the next sync
/// needs. They are in memory only, so a restart loses them.
struct WatchMemory: Sendable {
    /// The objects of a class whose whole rows are read to detect added and lost fields, and the number of further
    /// syncs that read them.
    struct Canaries: Sendable {
        let ids: [String]
        /// The maximum number of rows that one query requests. Smaller after the remote has answered a larger query
        /// incompletely.
        var rowsMax = Int.max
        /// The number of further syncs that read these objects.
        var syncsLeft = Self.syncsMax

        private static let syncsMax = 10
    }

    /// By class, the objects whose whole rows the next syncs read.
    var canaries: [String: Canaries] = [:]
    /// By class, the place in the list of objects at which the next choice of `canaries` starts.
    var canaryPlaces: [String: CanaryPlace] = [:]
    /// The fields of a class by which the remote rows differ from the local copies.
    struct Differences {
        /// The fields for which the latest sync has pulled the class again.
        private(set) var latest: Set<String> = []
        /// The fields that still differed after that pull. They cause no further pull of the class.
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

    /// The maximum number of rows that the remote puts in one answer, estimated from its answers.
    struct AnswerLimit {
        /// The number of rows in the largest answer.
        private var largest = 0
        /// The number of rows to request; nil for no limit.
        private(set) var rows: Int?
        /// The number of further syncs for which the limit holds. Afterwards the sync requests more rows again.
        private var syncsLeft = 0

        private static let syncsMax = 100

        /// Counts the rows of an answer.
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

    /// By class, the fields by which the remote rows differ from the local copies.
    var differences: [String: Differences] = [:]
    /// By class, the limit of the answers to the check whether the remote still shows the local objects.
    var answerLimits: [String: AnswerLimit] = [:]
    /// By class, the number of rows in the largest answer to a query for whole rows.
    var rowsMax: [String: Int] = [:]
    /// By class, the id of the withheld object (kept, but not shown to clients) that a sync has read last; absent if
    /// the next sync begins with the first one.
    var withheldTo: [String: String] = [:]
    /// By class, the objects that the latest sync has not found, if it could not decide about removals.
    var missing: [String: Set<String>] = [:]
    /// Whether the next watch covers the second half of the classes. One batch may have no room for the queries about
    /// all classes.
    var isSecondHalf = false
}
