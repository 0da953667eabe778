import RemoteService

/// Counts of a pull that differ here and there, though the difference was searched for: what is gone is held back, or the
/// remote counts what it does not show, or it lets nobody count. As long as the counts stay what they are, searching again
/// finds nothing else, and takes many requests; the next audit does it.
struct OpenDifference: Hashable {
    let pull: NamedPull
    let here: Int
    /// Nil where the remote does not say.
    let there: Int?
    /// How often it was searched for.
    private(set) var searches = 0

    /// A list may lag behind the count that comes with it, so one search is not enough.
    private static let searchesMax = 2

    init(pull: NamedPull, here: Int, there: Int?) {
        self.pull = pull
        self.here = here
        self.there = there
    }

    /// - Parameter known: what is known of the pull from the syncs before.
    func isWorthSearching(after known: OpenDifference?) -> Bool { searches(after: known) < Self.searchesMax }

    func searched(after known: OpenDifference?) -> OpenDifference {
        var searched = self
        searched.searches = searches(after: known) + 1
        return searched
    }

    private func searches(after known: OpenDifference?) -> Int {
        guard let known, known.pull == pull, known.here == here, known.there == there else { return 0 }
        return known.searches
    }
}
