import StoreService

/// What the watch remembers from one sync to the next. A restart loses it.
struct WatchMemory: Sendable {
    /// The canaries of a class, and the number of further syncs that use them.
    struct Canaries: Sendable {
        let ids: [String]
        /// The number of rows that the remote answers with at least. A query asks for no more.
        var rowsMax = Int.max
        /// The number of further syncs that read these rows.
        var syncsLeft = Self.syncsMax

        private static let syncsMax = 10
    }

    /// By class, the objects whose whole rows the next syncs read.
    var canaries: [String: Canaries] = [:]
    /// By class, where the next choice of canaries goes on.
    var canaryPlaces: [String: CanaryPlace] = [:]
    /// By class, the differing fields for which the class was pulled again, in the latest sync with a difference. If a complete pull
    /// leaves the same difference, the class is not pulled again.
    var differences: [String: [String]] = [:]
    /// By class, the number of rows in the latest answer that left out existing objects. It is taken for the largest number of rows that
    /// the remote answers with.
    var answerMax: [String: Int] = [:]
    /// By class, the number of rows in the largest answer with whole rows.
    var rowsMax: [String: Int] = [:]
    /// By class, the id of the last withheld object that a sync has read; absent if the next sync begins with the first one.
    var withheldTo: [String: String] = [:]
    /// By class, the objects that the latest sync has missed, if removals were postponed.
    var missing: [String: Set<String>] = [:]
    /// Whether the next watch begins with the second half of the classes, if one batch has no room for all of them.
    var isSecondHalf = false
}
