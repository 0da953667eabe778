import RemoteService
import StoreService

/// A pull whose local and remote counts differ, or whose remote count is unknown. The counts may still differ after a search: a
/// removal may be held, or the remote may count hidden objects or count wrongly. While the counts stay unchanged, searches become
/// less frequent.
struct CountMismatch: Hashable {
    let pull: NamedPull
    /// The number of local objects of the pull, plus the number of remote rows that were skipped as too large and have no local
    /// base.
    let here: Int
    /// The number of remote objects; nil if the remote does not count them.
    let there: Int?
    /// The number of consecutive syncs with this mismatch.
    private(set) var syncs = 1

    init(pull: NamedPull, here: Int, there: Int?) {
        self.pull = pull
        self.here = here
        self.there = there
    }

    /// This mismatch, with the number of consecutive syncs that found it: one more than in `known` if the pull and the counts are
    /// the same, otherwise one.
    /// - Parameter known: the mismatch of the pull in the previous sync; nil for none.
    func following(_ known: CountMismatch?) -> CountMismatch {
        var met = self
        if let known, known.pull == pull, known.here == here, known.there == there { met.syncs = known.syncs + 1 }
        return met
    }

    /// Whether this sync searches: the first, second, fourth, eighth sync with this mismatch, and so on.
    var isDue: Bool { syncs & (syncs - 1) == 0 }
}
